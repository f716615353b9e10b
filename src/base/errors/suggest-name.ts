import { distance } from "fastest-levenshtein";

/** Characters that may differ. */
const maxEdits = 3;
/** In characters; longer names are not compared. */
const maxName = 64;
/** Names of a long list that are compared, the first ones. */
const maxNames = 1_000;

/** The known name that is at most three edits away, the nearest first; undefined where none is. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxName + maxEdits) return undefined;
  const wanted = name.toLowerCase();
  const ranked = known
    .slice(0, maxNames)
    .filter(({ length }) => length <= maxName && Math.abs(length - name.length) <= maxEdits)
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    // A short name is three edits away from nearly every other.
    .filter(({ candidate, edits }) => edits <= Math.min(maxEdits, Math.floor(candidate.length / 2)))
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}
