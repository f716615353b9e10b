/** Rows as columns of equal width, two blanks before each row; figures stand on the right of theirs. */
export function printTable(
  rows: readonly (readonly string[])[],
  isFigure: (column: number) => boolean,
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        isFigure(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      return `  ${cells.join("  ").trimEnd()}`;
    })
    .join("\n");
}
