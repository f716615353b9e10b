import {
  describeElision,
  describeMarker,
  describeNoChange,
  describeWholeFile,
} from "../describe-error.ts";
import type { EditResult, EditUnit, ParsedUnit } from "../edit-unit.ts";
import { findMarker } from "../find-marker.ts";
import { FileIndex } from "./file-index.ts";
import { linesOf } from "../../base/text/lines.ts";
import { splice } from "./merge-replace.ts";
import { leavesOut } from "../placeholder.ts";

/**
 * Applies units with an empty SEARCH: one that is alone fills a missing or empty file, or replaces a
 * whole one if it is written strictly as specified. (The seed lets any empty SEARCH replace the file;
 * malformed rules have wiped files that way.) Undefined if no SEARCH is empty.
 */
export function replaceFile(
  before: string | undefined,
  units: readonly (EditUnit | ParsedUnit)[],
): EditResult | undefined {
  const unit = units.find(({ search }) => search === "");
  if (unit === undefined) return undefined;
  const isNew = before === undefined || before === "";
  if (units.length > 1) return { ok: false, error: describeWholeFile("has other units as well") };
  if (!isNew && "strict" in unit && !unit.strict)
    return { ok: false, error: describeWholeFile("is not written exactly as specified") };
  const known = new Set(linesOf(before ?? "").map((line) => line.trim()));
  const isKnown = (line: string): boolean => known.has(line.trim());
  if (leavesOut(unit.replace, isKnown)) return { ok: false, error: describeElision(1) };
  const lines = linesOf(unit.replace);
  const marker = findMarker(unit, lines, isKnown);
  if (marker !== undefined) return { ok: false, error: describeMarker(1, marker) };
  const index = new FileIndex(before ?? "");
  const endLine = index.lineCount;
  const text = isNew ? unit.replace : splice(index, [{ start: 0, end: endLine, lines }]);
  if (text === before) return { ok: false, error: describeNoChange() };
  const level = isNew ? "new-file" : "whole-file";
  return { ok: true, text, units: [{ level, startLine: 1, endLine }] };
}
