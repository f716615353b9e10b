import type { PlacedBranch } from "./branches.ts";
import type { CodeAnalysis } from "./code-analysis.ts";
import { type SourceText, lastAtMost } from "./source-text.ts";

/** The two questions about ranges, over lists in the order of the text. */
export function createLookups(
  source: SourceText,
  identifiers: readonly { start: number; name: string }[],
  branches: readonly PlacedBranch[],
): Pick<CodeAnalysis, "identifiersIn" | "branchesIn"> {
  const identifiersInside = createSlices(identifiers);
  const branchesInside = createSlices(branches);
  return {
    identifiersIn(range) {
      const found = identifiersInside(...source.offsetsOf(range));
      return [...new Set(found.map(({ name }) => name))];
    },
    branchesIn: (range) => branchesInside(...source.offsetsOf(range)).map(({ branch }) => branch),
  };
}

/** Answers which items start at `start` or later, and before `end`. */
function createSlices<Item extends { start: number }>(
  items: readonly Item[],
): (start: number, end: number) => readonly Item[] {
  const starts = items.map(({ start }) => start);
  const before = (offset: number): number =>
    (starts[0] ?? offset) >= offset ? 0 : lastAtMost(starts, offset - 1) + 1;
  return (start, end) => items.slice(before(start), before(end));
}
