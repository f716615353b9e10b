// A unit that quotes what an earlier unit has written: it is looked for in the text that the others made.
import type { EditLevel, EditUnit, ParsedUnit } from "./edit-unit.ts";
import { FileIndex } from "./find/file-index.ts";
import { locateReading } from "./find/locate-reading.ts";
import { looseText } from "./find/loose-text.ts";
import { linesOf } from "../base/text/lines.ts";
import { type FoundUnit, mergeFound, type OwnedChange } from "./merge-found.ts";

/** Lines [start, end) of a text, numbered from 0, that a unit has written. */
export interface Written {
  unit: number;
  start: number;
  end: number;
}

/** A text that units made, and what they wrote of it. */
export interface Draft {
  text: string;
  written: readonly Written[];
}

export interface ChainedUnit {
  number: number;
  unit: EditUnit | ParsedUnit;
}

/** Every line of SEARCH has to be there. */
const levels: readonly EditLevel[] = [
  "exact",
  "line-ends",
  "indentation",
  "typography",
  "blank-lines",
];

/** A quick look: a line of SEARCH is one that an earlier unit adds. */
export function mayQuote({ search }: EditUnit, earlier: readonly EditUnit[]): boolean {
  const added = new Set<string>();
  for (const unit of earlier) {
    const quoted = new Set(linesOf(unit.search).map(looseText));
    for (const line of linesOf(unit.replace).map(looseText)) if (!quoted.has(line)) added.add(line);
  }
  return linesOf(search).some((line) => line.trim() !== "" && added.has(looseText(line)));
}

/** What the changes of units make of the lines that were written before, and what they write themselves. */
export function toWritten(
  changes: readonly OwnedChange[],
  before: readonly Written[] = [],
): Written[] {
  const written: Written[] = [];
  let grown = 0;
  const ends: { end: number; grown: number }[] = [];
  for (const { start, end, lines, unit } of changes) {
    if (lines.length > 0)
      written.push({ unit, start: start + grown, end: start + grown + lines.length });
    grown += lines.length - (end - start);
    ends.push({ end, grown });
  }
  const move = (line: number): number =>
    line + (ends.findLast(({ end }) => end <= line)?.grown ?? 0);
  for (const { unit, start, end } of before)
    written.push({ unit, start: move(start), end: Math.max(move(start), move(end)) });
  return written;
}

/** The text with the unit as well, and the earlier unit whose lines it quotes; undefined if it quotes none. */
export function applyChained(
  { text, written }: Draft,
  { number, unit }: ChainedUnit,
): { draft: Draft; level: EditLevel; earlier: number } | undefined {
  const index = new FileIndex(text);
  const { located } = locateReading(unit, index);
  if (!located.ok || !levels.includes(located.level)) return undefined;
  const lines = located.parts.flatMap(({ at }) => at);
  const quoted = written.find(
    (part) => part.unit < number && lines.some((line) => line >= part.start && line < part.end),
  );
  if (quoted === undefined) return undefined;
  const found: FoundUnit = { number, unit, located };
  const merged = mergeFound([found], index);
  if (!merged.ok) return undefined;
  const draft = { text: merged.text, written: toWritten(merged.changes, written) };
  return { draft, level: located.level, earlier: quoted.unit };
}
