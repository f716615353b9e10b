/**
 * Where a sequence holds another, in order. Linear whatever they are (Knuth, Morris, Pratt), which `includes`, `indexOf`
 * and `split` of texts are not: where long parts repeat they take the product of both lengths, 16 s for 400,000 characters.
 *
 * @param part at least one item
 * @param mayOverlap also those that begin before the one before them has ended
 */
export function* findPlaces<Item>(
  all: ArrayLike<Item>,
  part: ArrayLike<Item>,
  mayOverlap: boolean,
): Generator<number, void, void> {
  const borders = new Int32Array(part.length);
  for (let at = 1, border = 0; at < part.length; at += 1) {
    while (border > 0 && part[at] !== part[border]) border = borders[border - 1] ?? 0;
    if (part[at] === part[border]) border += 1;
    borders[at] = border;
  }
  for (let at = 0, matched = 0; at < all.length; at += 1) {
    while (matched > 0 && all[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (all[at] === part[matched]) matched += 1;
    if (matched < part.length) continue;
    yield at - matched + 1;
    matched = mayOverlap ? (borders[matched - 1] ?? 0) : 0;
  }
}

/**
 * How often a text holds another, places that overlap counted once; linear, as {@link findPlaces}.
 *
 * @param part at least one character
 * @param most counting stops there
 */
export function countText(text: string, part: string, most = Infinity): number {
  const places = findPlaces(text, part, false);
  let count = 0;
  while (count < most && places.next().done !== true) count += 1;
  return count;
}

/** Whether a text holds another; linear, as {@link findPlaces}. */
export function hasText(text: string, part: string): boolean {
  return part === "" || countText(text, part, 1) === 1;
}

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
