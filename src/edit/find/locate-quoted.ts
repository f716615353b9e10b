// The levels that compare every line of SEARCH: exact to blank lines.
import { choosePlace } from "./choose-place.ts";
import type { Lines } from "./decoration.ts";
import { maxCandidates } from "../describe/describe-error.ts";
import type { FileIndex } from "./file-index.ts";
import { findSequence } from "./find-sequence.ts";
import { identityRule } from "../merge/indentation.ts";
import type { LocatedUnit } from "./located-unit.ts";
import { comparePlace, type Place, type Query } from "./place.ts";

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

/** SEARCH of blank lines only: where so many stand in a row. */
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
