const backtick = 96;
/** A fence is at least one longer. */
const shortest = 2;

/**
 * Puts text into a Markdown code fence that is longer than any run of backticks inside, so that
 * no text can close it. The info string is cut at its first blank or backtick.
 */
export function fence(text: string, info = ""): string {
  const rule = "`".repeat(longestRun(text) + 1);
  const word = /^[^\s`]*/.exec(info)?.[0] ?? "";
  return `${rule}${word}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${rule}`;
}

/** A longer run than the longest so far covers one of the places that are looked at, so far apart are they. */
function longestRun(text: string): number {
  const isBacktick = (at: number): boolean => text.charCodeAt(at) === backtick;
  let longest = shortest;
  for (let at = longest; at < text.length; at += longest + 1) {
    if (!isBacktick(at)) continue;
    let [from, end] = [at, at + 1];
    while (isBacktick(from - 1)) from -= 1;
    while (isBacktick(end)) end += 1;
    longest = Math.max(longest, end - from);
    at = end;
  }
  return longest;
}
