/** The lines of a text without their line ends; a text that ends with a line end has no line after it. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  // A plain separator is several times as fast.
  const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
