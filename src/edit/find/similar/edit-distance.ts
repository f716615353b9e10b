const width = 32;

/** What {@link editDistance} costs, in steps. */
export function distanceCost(one: string, other: string): number {
  return Math.ceil(one.length / width) * other.length;
}

/**
 * How many characters have to be changed, added or taken away (Levenshtein), 32 rows of the table at a time:
 * the differences between neighbours are bits of one number (Myers, Hyyrö).
 */
export function editDistance(one: string, other: string): number {
  // The differences along the row above a block: each next cell is one more.
  const across = new Int8Array(other.length).fill(1);
  for (let from = 0; from < one.length; from += width) {
    const rows = Math.min(width, one.length - from);
    const places = new Map<number, number>();
    for (let row = 0; row < rows; row += 1) {
      const code = one.charCodeAt(from + row);
      places.set(code, (places.get(code) ?? 0) | (1 << row));
    }
    passBlock(places, other, across, 1 << (rows - 1));
  }
  let distance = one.length;
  for (const step of across) distance += step;
  return distance;
}

/** Takes the differences above a block to those along its last row. */
function passBlock(
  places: ReadonlyMap<number, number>,
  other: string,
  across: Int8Array,
  last: number,
): void {
  let [up, down] = [-1, 0];
  for (let column = 0; column < other.length; column += 1) {
    const above = across[column] ?? 0;
    const same = places.get(other.charCodeAt(column)) ?? 0;
    const vertical = same | down;
    const equal = above < 0 ? same | 1 : same;
    const horizontal = (((equal & up) + up) ^ up) | equal;
    let more = down | ~(horizontal | up);
    let less = up & horizontal;
    across[column] = (more & last) !== 0 ? 1 : (less & last) !== 0 ? -1 : 0;
    more = (more << 1) | (above > 0 ? 1 : 0);
    less = (less << 1) | (above < 0 ? 1 : 0);
    up = less | ~(vertical | more);
    down = more & vertical;
  }
}
