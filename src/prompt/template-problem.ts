/** What is wrong with a template, and where. Lines and columns are 1-based. */
export class TemplateProblem extends Error {
  override readonly name = "TemplateProblem";
  readonly line: number;
  readonly column: number;

  constructor(message: string, line = 1, column = 1) {
    super(message);
    this.line = line;
    this.column = column;
  }
}
