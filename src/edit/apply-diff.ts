import { applyUnits } from "./apply-units.ts";
import type { ApplyOptions } from "./edit-session.ts";
import type { EditResult } from "./edit-unit.ts";
import { parseDiff } from "./read/parse-diff.ts";

/**
 * Applies a diff of SEARCH/REPLACE units to the text of one file: {@link parseDiff}, then
 * {@link applyUnits}. Either all of it is applied, or nothing.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyDiff(
  before: string | undefined,
  diff: string,
  options: ApplyOptions = {},
): EditResult {
  const parsed = parseDiff(diff);
  return parsed.ok ? applyUnits(before, parsed.units, options) : parsed;
}
