import type { FoundPassage } from "./retriever.ts";

export interface Candidate extends FoundPassage {
  /** The places of its first and its last part among the passages of its file. */
  from: number;
  to: number;
}

/** Lines up to which passages that follow one another become one. */
const maxLines = 120;
/** A neighbour that fits much worse stays out of a good passage. */
const leastShare = 0.4;

/**
 * Takes the best candidates and joins those that follow one another in their file, until `limit`
 * are left. What was joined has the score and the heading of its best part.
 *
 * @param candidates the best first
 */
export function mergeAdjacent(candidates: readonly Candidate[], limit: number): Candidate[] {
  let taken = Math.min(limit, candidates.length);
  let merged = mergeAll(candidates.slice(0, taken));
  while (merged.length < limit && taken < candidates.length) {
    taken = Math.min(taken + limit - merged.length, candidates.length);
    merged = mergeAll(candidates.slice(0, taken));
  }
  return merged.slice(0, limit);
}

/** The best first; where scores are equal by file name and line, so that the order never changes. */
export function byRank(left: FoundPassage, right: FoundPassage): number {
  return right.score - left.score || byPlace(left, right);
}

function byPlace(left: FoundPassage, right: FoundPassage): number {
  if (left.fileName !== right.fileName) return left.fileName < right.fileName ? -1 : 1;
  return left.startLine - right.startLine;
}

function mergeAll(candidates: readonly Candidate[]): Candidate[] {
  const merged: Candidate[] = [];
  for (const candidate of [...candidates].sort(byPlace)) {
    const above = merged.at(-1);
    if (above !== undefined && belongs(candidate, above))
      merged[merged.length - 1] = join(above, candidate);
    else merged.push(candidate);
  }
  return merged.sort(byRank);
}

function belongs(candidate: Candidate, above: Candidate): boolean {
  const scores = [candidate.score, above.score];
  return (
    candidate.fileName === above.fileName &&
    candidate.from === above.to + 1 &&
    candidate.endLine - above.startLine < maxLines &&
    Math.min(...scores) >= leastShare * Math.max(...scores)
  );
}

function join(above: Candidate, below: Candidate): Candidate {
  const best = below.score > above.score ? below : above;
  // Between two passages that follow one another there is nothing but blank lines.
  const gap = "\n".repeat(below.startLine - above.endLine);
  return {
    ...best,
    text: `${above.text}${gap}${below.text}`,
    startLine: above.startLine,
    endLine: below.endLine,
    from: above.from,
    to: below.to,
  };
}
