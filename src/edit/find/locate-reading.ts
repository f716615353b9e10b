import type { Lines } from "./decoration.ts";
import type { EditUnit, ParsedUnit } from "../edit-unit.ts";
import { fillReplace } from "./elision.ts";
import type { FileIndex } from "./file-index.ts";
import { linesOf } from "../../base/text/lines.ts";
import type { LocatedUnit } from "./located-unit.ts";
import { locateQuoted } from "./locate-quoted.ts";
import { locateUnit } from "./locate-unit.ts";
import { toQuery } from "./place.ts";

/** A unit as it was understood, and where it stands. */
export interface LocatedReading {
  reading: EditUnit;
  located: LocatedUnit;
}

/**
 * Finds the place of a unit. If several of its lines could be the separator, the longest SEARCH that
 * stands in the file decides; a shorter one is refused if the file goes on, right below it, with the very
 * line that would be the separator: then that line was quoted from the file.
 *
 * @param startLine chooses one of several places by its first line, 1-based
 */
export function locateReading(
  unit: EditUnit | ParsedUnit,
  index: FileIndex,
  startLine?: number,
): LocatedReading {
  const { search, replace } = unit;
  const first: EditUnit = { search, replace };
  if (!("readings" in unit) || unit.readings === undefined)
    return locateByAllLevels(first, index, startLine);
  const readings = [first, ...unit.readings].map((reading) => ({
    reading,
    lines: toLines(reading),
  }));
  readings.sort((a, b) => b.lines.search.length - a.lines.search.length);
  for (const [nth, { reading, lines }] of readings.entries()) {
    const query = toQuery(lines.search, index);
    const located = locateQuoted(lines, query, index, startLine);
    if (located === undefined) continue;
    const separator = readings[nth - 1]?.lines.search[lines.search.length];
    if (separator === undefined || !isFollowedBy(located, separator, index))
      return { reading, located: fillPart(located, lines, index) };
    return { reading: first, located: { ok: false, code: "no-match" } };
  }
  if (unit.strict) return locateByAllLevels(first, index, startLine);
  return { reading: first, located: { ok: false, code: "no-match" } };
}

function fillPart(located: LocatedUnit, lines: Lines, index: FileIndex): LocatedUnit {
  if (!located.ok) return located;
  const filled = fillReplace(lines, index);
  if (filled === undefined) return { ok: false, code: "elision" };
  return { ...located, parts: located.parts.map((part) => ({ ...part, ...filled })) };
}

function locateByAllLevels(
  reading: EditUnit,
  index: FileIndex,
  startLine: number | undefined,
): LocatedReading {
  return { reading, located: locateUnit(toLines(reading), index, startLine) };
}

function toLines({ search, replace }: EditUnit): Lines {
  return { search: linesOf(search), replace: linesOf(replace) };
}

function isFollowedBy(located: LocatedUnit, separator: string, index: FileIndex): boolean {
  if (!located.ok) return false;
  const last = located.parts.at(-1)?.at.findLast((line) => line !== -1) ?? -1;
  return last + 1 < index.lineCount && index.line(last + 1).trim() === separator.trim();
}
