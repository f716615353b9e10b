import type { Lines } from "./decoration.ts";
import type { EditUnit, ParsedUnit } from "./edit-unit.ts";
import type { FileIndex } from "./file-index.ts";
import { linesOf } from "./lines-of.ts";
import type { LocatedUnit } from "./located-unit.ts";
import { locateQuoted } from "./locate-quoted.ts";
import { locateUnit } from "./locate-unit.ts";
import { toQuery } from "./place.ts";

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
): LocatedUnit {
  if (!("readings" in unit) || unit.readings === undefined) {
    return locateUnit(toLines(unit), index, startLine);
  }
  const readings = [unit, ...unit.readings].map(toLines);
  readings.sort((a, b) => b.search.length - a.search.length);
  for (const [nth, lines] of readings.entries()) {
    const located = locateQuoted(lines, toQuery(lines.search, index), index, startLine);
    if (located === undefined) continue;
    const separator = readings[nth - 1]?.search[lines.search.length];
    if (separator === undefined || !isFollowedBy(located, separator, index)) return located;
    return { ok: false, code: "no-match" };
  }
  return unit.strict
    ? locateUnit(toLines(unit), index, startLine)
    : { ok: false, code: "no-match" };
}

function toLines({ search, replace }: EditUnit): Lines {
  return { search: linesOf(search), replace: linesOf(replace) };
}

function isFollowedBy(located: LocatedUnit, separator: string, index: FileIndex): boolean {
  if (!located.ok) return false;
  const last = located.parts.at(-1)?.at.findLast((line) => line !== -1) ?? -1;
  return last + 1 < index.lineCount && index.line(last + 1).trim() === separator.trim();
}
