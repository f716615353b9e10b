const lineFeed = 10;

/**
 * The index after the last blank line, 0 if there is none.
 *
 * @param before the byte in front of these, which may be the first half of a blank line
 */
export function lastBorder(bytes: Uint8Array, before?: number): number {
  let at = bytes.lastIndexOf(lineFeed);
  while (at > 0 && bytes[at - 1] !== lineFeed) at = bytes.lastIndexOf(lineFeed, at - 1);
  if (at > 0) return at + 1;
  return at === 0 && before === lineFeed ? 1 : 0;
}

/** The frames of a piece that ends with a blank line; line ends are LF. */
export function* splitFrames(whole: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let at = whole.indexOf(lineFeed); at !== -1; at = whole.indexOf(lineFeed, at + 1)) {
    if (whole[at + 1] !== lineFeed) continue;
    yield whole.subarray(from, at + 2);
    from = at + 2;
    at++;
  }
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
