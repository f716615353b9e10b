// The levels that compare every line of SEARCH: exact to blank lines.
import type { Lines } from "./decoration.ts";
import { maxCandidates } from "../describe-error.ts";
import { type FileIndex, findSequence } from "./file-index.ts";
import { identityRule } from "./indentation.ts";
import { type Place, type Query, comparePlace } from "./place.ts";
import type { Replacement } from "./indent-like-file.ts";
import type { EditLevel, LineRange } from "../edit-unit.ts";

/** Lines of a SEARCH, or twice the file, after which comparing stops: what repeats that often is ambiguous. */
const maxComparedLines = 100_000;

/** The levels that compare every line: exact to blank lines. */
export function locateQuoted(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine?: number,
): LocatedUnit | undefined {
  const places = quotedPlaces(query, index);
  return Array.isArray(places) ? choosePlace(unit, places, startLine) : places;
}

/** How many lines may still be compared. */
export function lookupBudget(index: FileIndex): { lines: number } {
  return { lines: Math.max(maxComparedLines, 2 * index.lineCount) };
}

/** All places at the strictest level at which there is one. */
export function quotedPlaces(
  query: Query,
  index: FileIndex,
  budget = lookupBudget(index),
): Place[] | LocatedUnit {
  if (query.solid.length === 0) return blankPlaces(query, index);
  const key = query.lines.join("\n");
  const found = index.bestPlaces.get(key) ?? findSequence(index, query.forms);
  let best: { first: number; place: Place }[] = [];
  for (const first of found) {
    budget.lines -= query.lines.length;
    index.budget.lines -= query.lines.length;
    if (Math.min(budget.lines, index.budget.lines) < 0 && found.length > 1)
      return ambiguous(index, found, query.solid.length);
    const place = comparePlace(query, index, first);
    if (place === undefined) continue;
    const { strictness } = place;
    const [known] = best;
    if (known === undefined || strictness < known.place.strictness) best = [{ first, place }];
    else if (strictness === known.place.strictness) best.push({ first, place });
  }
  // Another unit may quote the same lines.
  index.bestPlaces.set(
    key,
    best.map(({ first }) => first),
  );
  return best.map(({ place }) => place);
}

/** SEARCH of blank lines only: where so many are in a row. */
function blankPlaces({ lines }: Query, index: FileIndex): Place[] {
  const places: Place[] = [];
  let inRow = 0;
  for (let line = 0; line < index.lineCount && places.length <= maxCandidates; line += 1) {
    inRow = index.line(line).trim() === "" ? inRow + 1 : 0;
    if (lines.length === 0 || inRow < lines.length) continue;
    const at = lines.map((_, nth) => line - lines.length + 1 + nth);
    places.push({ level: "line-ends", strictness: 1, at, indent: identityRule });
  }
  return places;
}

function ambiguous(index: FileIndex, found: readonly number[], size: number): LocatedUnit {
  const candidates = found.slice(0, maxCandidates).map((first) => ({
    startLine: (index.solidLines[first] ?? 0) + 1,
    endLine: (index.solidLines[first + size - 1] ?? 0) + 1,
  }));
  return { ok: false, code: "ambiguous", candidates };
}

/**
 * Takes the one place there is; several are ambiguous.
 *
 * @param startLine chooses among several places by the first line, 1-based
 */
export function choosePlace(
  unit: Lines,
  found: readonly Place[],
  startLine: number | undefined,
): LocatedUnit | undefined {
  const places = chosenOf(found, startLine, ({ at }) => at);
  const [place] = places;
  if (place === undefined) return undefined;
  if (places.length === 1) return { ok: true, level: place.level, parts: [toPart(unit, place)] };
  return ambiguousAt(places.map(({ at }) => at));
}

/** The one that begins on the line, if there is just one; else all. */
export function chosenOf<Found>(
  found: readonly Found[],
  startLine: number | undefined,
  atOf: (one: Found) => readonly number[],
): readonly Found[] {
  if (startLine === undefined) return found;
  const chosen = found.filter((one) => rangeOf(atOf(one)).startLine === startLine);
  return chosen.length === 1 ? chosen : found;
}

export function toPart({ search, replace }: Lines, { at, indent, level }: Place): Replacement {
  return { search, replace, at, indent, isExact: level === "exact" };
}

/** What became of looking for a unit's place. */
export type LocatedUnit =
  | { ok: true; level: EditLevel; parts: Replacement[]; hasEntities?: true }
  | { ok: false; code: "ambiguous"; candidates: LineRange[] }
  | { ok: false; code: "no-match" | "elision" };

/** Places by the lines of the file that SEARCH stands for there. */
export function ambiguousAt(places: readonly (readonly number[])[]): LocatedUnit {
  const candidates = places.slice(0, maxCandidates).map(rangeOf);
  return { ok: false, code: "ambiguous", candidates };
}

/** The lines of the file that SEARCH stands for, 1-based. */
export function rangeOf(at: readonly number[]): LineRange {
  const known = at.filter((line) => line !== -1);
  return { startLine: (known[0] ?? 0) + 1, endLine: (known.at(-1) ?? -1) + 1 };
}
