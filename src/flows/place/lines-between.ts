/** The lines of a text, 1-based and inclusive. */
export function linesBetween(text: string, startLine: number, endLine: number): string {
  return text
    .split(/\r?\n/)
    .slice(startLine - 1, endLine)
    .join("\n");
}
