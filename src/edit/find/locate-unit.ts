// Where a unit stands in the file: the cascade from strict to lenient.
import { chosenOf, choosePlace, toPart } from "./choose-place.ts";
import { type Lines, undecorate } from "./decoration.ts";
import { fillReplace } from "./elision.ts";
import type { FileIndex } from "./file-index.ts";
import { findPartial } from "./find-partial.ts";
import { findSimilar } from "./similar/find-similar.ts";
import { isApplied, isDone } from "./is-applied.ts";
import { areNumbersOf } from "./line-numbers.ts";
import { ambiguousAt, type LocatedUnit } from "./located-unit.ts";
import { locateQuoted } from "./locate-quoted.ts";
import { locateSegments } from "./locate-segments.ts";
import { type Query, toQuery } from "./place.ts";

/**
 * Finds the one place that SEARCH means. Each level decides if anything fits at it: one place is the
 * answer, several are ambiguous; only where nothing fits the next level is tried.
 */
export function locateUnit(unit: Lines, index: FileIndex, startLine?: number): LocatedUnit {
  const filled = fillReplace(unit, index);
  if (filled === undefined) return { ok: false, code: "elision" };
  const query = toQuery(filled.search, index);
  const quoted = locateQuoted(filled, query, index, startLine);
  if (quoted !== undefined) return quoted;
  const segments = locateSegments(filled, index);
  if (segments?.ok) return segments;
  return (
    locateUndecorated(filled, index, startLine) ??
    segments ??
    locateLoosely(filled, query, index, startLine) ?? { ok: false, code: "no-match" }
  );
}

/** The levels that do not compare all of every line. */
function locateLoosely(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  const isMade = isApplied(unit, index);
  const partial = isMade ? undefined : locatePartial(unit, query, index, startLine);
  if (partial !== undefined || isDone(unit, index)) return partial;
  return choosePlace(unit, findSimilar(query, index), startLine);
}

function locateUndecorated(
  unit: Lines,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  for (const { decoration, lines, numbers = [] } of undecorate(unit)) {
    const query = toQuery(lines.search, index);
    const located = locateQuoted(lines, query, index, startLine);
    if (located === undefined) continue;
    const [part] = located.ok ? located.parts : [];
    if (part !== undefined && !areNumbersOf(numbers, part.at)) continue;
    if (!located.ok || decoration !== "entities") {
      return located.ok ? { ...located, level: "decoration" } : located;
    }
    return { ...located, level: "decoration", hasEntities: true };
  }
  return undefined;
}

function locatePartial(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  const all = findPartial(unit, query, index);
  const found = chosenOf(all, startLine, ({ place }) => place.at);
  const [partial] = found;
  if (partial === undefined) return undefined;
  if (found.length > 1) return ambiguousAt(found.map(({ place }) => place.at));
  const part = toPart(partial.lines, partial.place);
  return { ok: true, level: "partial-line", parts: [{ ...part, isExact: false }] };
}
