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
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  const [from, to] = longestLine(lines);
  const pattern = `\n${lines.slice(from, to)}\n`;
  const bodyStart = text.startsWith("\uFEFF") ? 1 : 0;
  const offsets = whole.startsWith(lines, bodyStart) ? [bodyStart] : [];
  let budget = 4 * (text.length + lines.length);
  for (
    let found = whole.indexOf(pattern);
    found !== -1 && offsets.length < limit;
    found = whole.indexOf(pattern, found + 1)
  ) {
    const offset = found + 1 - from;
    if (offset <= bodyStart || whole.charCodeAt(offset - 1) !== 10) continue;
    budget -= lines.length;
    if (budget < 0) return { offsets, gaveUp: true };
    if (whole.startsWith(lines, offset)) offsets.push(offset);
  }
  return { offsets, gaveUp: false };
}

function longestLine(lines: string): [number, number] {
  let longest: [number, number] = [0, 0];
  for (let from = 0; from < lines.length;) {
    const to = lines.indexOf("\n", from);
    if (from === 0 || to - from > longest[1] - longest[0]) longest = [from, to];
    from = to + 1;
  }
  return longest;
}
