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

export interface TemplateLimits {
  /** The longest template, in characters. */
  templateLength: number;
  /** The most work that all renderings of one prompt may take together, in units of about 10 ns. */
  maxTemplateFuel: number;
  /** The longest that they may take together, in milliseconds. */
  renderTime: number;
  /** The most that one rendering may give, in characters, and allocate, in characters and list items. */
  renderMemory: number;
}
