/** Where a text of whole lines is in a file, byte by byte. */
interface ExactPlaces {
  /** Offsets, in order, at most `limit`. */
  offsets: number[];
  /** Comparing cost too much: the places have to be found by an index. */
  gaveUp: boolean;
}

/**
 * Finds whole lines (each ended by "\n") in a text; a last line without a line end counts, too. The longest
 * line is looked for with its line ends around it, which keeps the search linear whatever the
 * text: a pattern that begins and ends with a line feed can match at line borders only.
 */
export function findExact(text: string, lines: string, limit: number): ExactPlaces {
  const bodyStart = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const body = `\n${text.slice(bodyStart)}${text.endsWith("\n") ? "" : "\n"}`;
  const longest = lines
    .split("\n")
    .reduce((one, other) => (other.length > one.length ? other : one));
  const pattern = `\n${longest}\n`;
  const whole = `\n${lines}`;
  const before = whole.indexOf(pattern);
  const offsets: number[] = [];
  let budget = 4 * (text.length + lines.length);
  for (
    let found = body.indexOf(pattern);
    found !== -1 && offsets.length < limit;
    found = body.indexOf(pattern, found + 1)
  ) {
    const start = found - before;
    if (start < 0 || body.charCodeAt(start) !== 10) continue;
    budget -= lines.length;
    if (budget < 0) return { offsets, gaveUp: true };
    if (body.startsWith(whole, start)) offsets.push(start + bodyStart);
  }
  return { offsets, gaveUp: false };
}
