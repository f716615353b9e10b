const longest = 300;

/** A name as one bounded line: names stand outside of fences, where a line break could forge a heading. */
export function oneLine(name: string): string {
  const line = name.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
