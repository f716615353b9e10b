/** The text on one line: each run of white space is one space, and there is none at the ends. Of any length. */
export function foldSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
