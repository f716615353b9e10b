// Tables of the docs that are made of the sources, each between two marks of its page.

/** @throws where the page has no such marks */
export function withPart(text: string, name: string, table: string): string {
  const start = `<!-- ${name} -->\n`;
  const end = `\n<!-- /${name} -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`The page has no lines ${start.trim()} and ${end.trim()}.`);
  return `${text.slice(0, from)}${start}\n${table}\n${text.slice(to)}`;
}

/** Pads the columns as the formatter does, which would otherwise change what we have printed. */
export function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const [head = "", ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [head, rule, ...body].join("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}
