/** What a part gives back once it is over. */
export interface Left {
  /** Lines that are nothing but text. */
  texts: readonly string[];
  /** Lines that belong to the answer around, to be read anew. */
  lines: readonly string[];
}

/** Lines of an answer that belong together. Lines are given with their line ends. */
export interface Part {
  /** Whatever comes next belongs to an edit. */
  readonly isEdit: boolean;
  /**
   * Takes the next line; undefined if the part goes on after it.
   *
   * @param number of the line, 1-based
   */
  take(raw: string, number: number): Left | undefined;
  /**
   * The answer ends here.
   *
   * @param isStopped the model ended by itself
   */
  end(isStopped: boolean): Left;
}

export const nothingLeft: Left = { texts: [], lines: [] };
