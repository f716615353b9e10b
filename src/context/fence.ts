/**
 * Puts text into a Markdown code fence that is longer than any run of backticks inside, so that
 * no text can close it. The info string is cut at its first blank or backtick.
 */
export function fence(text: string, info = ""): string {
  const longest = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 2) ?? 2;
  const rule = "`".repeat(longest + 1);
  const word = /^[^\s`]*/.exec(info)?.[0] ?? "";
  return `${rule}${word}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${rule}`;
}
