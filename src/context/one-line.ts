/** In characters. */
const maxLine = 300;

/** A name as one bounded line: names stand outside of fences, where a line break could forge a heading. */
export function oneLine(name: string): string {
  const line = name.replace(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, " ");
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}
