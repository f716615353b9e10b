// All units of one file, or none.
import { applyExact } from "./apply-exact.ts";
import { describeNoChange } from "./describe-error.ts";
import { type ApplyOptions, EditSession, toWholeLines } from "./edit-session.ts";
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
  const whole = units.map(toWholeLines);
  const hasText = before !== undefined && whole.every(({ search }) => search !== "");
  const exact = hasText && whole.length > 0 ? applyExact(before, whole) : undefined;
  if (exact?.ok === true && exact.text === before) return { ok: false, error: describeNoChange() };
  if (exact !== undefined) return exact;
  const session = new EditSession(before, options);
  for (const unit of whole) session.add(unit);
  return session.end();
}
