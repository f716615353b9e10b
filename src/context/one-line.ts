/** In characters. */
const maxLine = 300;

/** A name as one bounded line: names stand outside of fences, where a line break could forge a heading. */
export function oneLine(name: string): string {
  const line = name.replace(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, " ");
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}

/** Controls of terminals, and marks that turn the direction of what follows. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A file's name as one bounded line on which every character is seen: the others are escaped as in JSON. */
export function showName(name: string): string {
  const line = name.replace(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1));
  return oneLine(line).replace(
    unseen,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
