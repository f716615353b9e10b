import type { AnswerText } from "../answer-text.ts";
import type { CollectedEdits } from "../collected-edits.ts";
import type { LeadLines } from "../lead-lines.ts";

/** Lines of an answer that belong together. Lines are given with their line ends. */
export interface Part {
  /** Whatever comes next belongs to an edit. */
  readonly isEdit: boolean;
  /** Once it is over: it was an edit, and is no text. */
  readonly isDropped: boolean;
  /**
   * Takes the next line.
   *
   * @param number of the line, 1-based
   * @returns undefined if the part goes on after it; else lines that belong to the answer around, to be read anew
   */
  take(raw: string, number: number): readonly string[] | undefined;
  /**
   * The answer ends here.
   *
   * @param isStopped the model ended by itself
   */
  end(isStopped: boolean): readonly string[];
}

/** What a part needs of the answer around. */
export interface Around {
  readonly edits: CollectedEdits;
  readonly text: AnswerText;
  readonly lead: LeadLines;
  /** Text in a tag may be the text of a file. */
  readonly hasCode: boolean;
  /** The shortest rule that counts; undefined until one was seen. */
  least: number | undefined;
}
