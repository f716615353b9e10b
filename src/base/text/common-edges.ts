/** How many items two sequences share at their beginning, and of the rest at their end. */
export function commonEdges<Item>(
  one: ArrayLike<Item>,
  other: ArrayLike<Item>,
): { head: number; tail: number } {
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head += 1;
  let tail = 0;
  const rest = shorter - head;
  while (tail < rest && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return { head, tail };
}
