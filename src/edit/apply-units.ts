// All units of one file, or none.
import { type ApplyOptions, EditSession } from "./edit-session.ts";
import type { EditResult, EditUnit, ParsedUnit } from "./edit-unit.ts";

/**
 * Applies SEARCH/REPLACE units to the text of a file: all of them, or none. Every SEARCH is looked up in
 * the text as it was before; the order of the units need not be the order in the file.
 *
 * Line ends, a byte-order mark, the final newline (or its absence), the indentation style and every byte
 * that no unit means to change are kept. It never throws.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyUnits(
  before: string | undefined,
  units: readonly (EditUnit | ParsedUnit)[],
  options: ApplyOptions = {},
): EditResult {
  const session = new EditSession(before, options);
  for (const unit of units) session.add(unit);
  return session.end();
}
