import type { Lines } from "./decoration.ts";
import { ambiguousAt, type LocatedUnit, rangeOf } from "./located-unit.ts";
import type { Place } from "./place.ts";
import type { Replacement } from "../merge/replacement.ts";

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
