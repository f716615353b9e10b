/**
 * How many of `length` places come first for which `isBefore` holds; behind the first for which it does not, it
 * holds for none.
 */
export function countWhile(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
