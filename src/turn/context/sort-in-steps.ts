import type { Steps } from "../../edit/steps.ts";

/** Items that are sorted, or merged, between two pauses. */
const [sortedAtOnce, mergedAtOnce] = [2_000, 10_000];

/** Sorts as `toSorted`, with pauses. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (left: Item, right: Item) => number,
): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += sortedAtOnce) {
    runs.push(items.slice(from, from + sortedAtOnce).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (left: Item, right: Item) => number,
): Steps<Item[]> {
  const merged: Item[] = [];
  let [at, beside] = [0, 0];
  while (at < left.length && beside < right.length) {
    const [one, other] = [left[at] as Item, right[beside] as Item];
    // Equal items keep their order.
    const isLeft = compare(one, other) <= 0;
    merged.push(isLeft ? one : other);
    if (isLeft) at += 1;
    else beside += 1;
    if (merged.length % mergedAtOnce === 0) yield;
  }
  return [...merged, ...left.slice(at), ...right.slice(beside)];
}
