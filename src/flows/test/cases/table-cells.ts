/** The cells of a row of a Markdown table; a bar with a backslash before it, or in code, is text. */
export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isCode = false;
  const text = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === "`") isCode = !isCode;
    if (sign === "\\" && text.charAt(at + 1) === "|") {
      cell += "|";
      at += 1;
    } else if (sign === "|" && !isCode) {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}

/** The row of dashes below the heads. */
export function isTableRule(cells: readonly string[]): boolean {
  return cells.every((cell) => /^:?-+:?$/.test(cell));
}
