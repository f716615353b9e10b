import { maxCandidates } from "../describe/describe-error.ts";
import type { EditLevel, LineRange } from "../edit-unit.ts";
import type { Replacement } from "../merge/replacement.ts";

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
