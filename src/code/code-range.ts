/**
 * A stretch of text. Lines are 1-based; columns are 1-based UTF-16 code units, as editors count
 * them. `endLine` belongs to the range, `endColumn` is the one after the last.
 */
export interface CodeRange {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}
