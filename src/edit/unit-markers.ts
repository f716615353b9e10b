// Lines of a unit that look like its own rules: whether they are text shows in the file.
import { isInsideText } from "./find-marker.ts";
import { hasText } from "../base/text/count-text.ts";
import type { EditUnit, ParsedUnit } from "./edit-unit.ts";
import { linesOf } from "../base/text/lines.ts";

/** The unit as it reads beside this text: what looks like its rules is text where the text has such lines. */
export function settleMarkers(unit: EditUnit | ParsedUnit, before: string): EditUnit | ParsedUnit {
  if (!("markers" in unit) || unit.markers === undefined) return unit;
  const { asText, markers, ...plain } = unit;
  if (!markers.some((marker) => holdsLine(before, marker))) {
    return asText === undefined ? unit : plain;
  }
  if (asText === undefined) return plain;
  const { readings: _, ...rest } = plain;
  return { ...rest, ...asText };
}

/**
 * The line with which a merge conflict begins that the answer quotes from the file: it looks like a unit.
 *
 * @returns undefined if the unit is none
 */
export function quotedConflict(unit: EditUnit | ParsedUnit, before: string): string | undefined {
  const line = "openingLine" in unit ? unit.openingLine : undefined;
  return line !== undefined && holdsLine(before, line) ? line : undefined;
}

/** A line of REPLACE that looks like a rule of its unit, and stands neither in SEARCH nor in the file. */
export function strayMarker(
  unit: EditUnit | ParsedUnit,
  { search, replace }: EditUnit,
): string | undefined {
  if (!("markers" in unit) || unit.markers === undefined || unit.markers.length === 0) {
    return undefined;
  }
  const quoted = new Set(linesOf(search));
  const markers = new Set(unit.markers.filter((marker) => !quoted.has(marker)));
  return linesOf(replace).find(
    (line) => markers.has(line) && !isInsideText({ search, replace }, line.trim()),
  );
}

/** But for blanks around it. */
function holdsLine(text: string, line: string): boolean {
  const marker = line.trim();
  return hasText(text, marker) && linesOf(text).some((each) => each.trim() === marker);
}
