// What the text above an edit says of it: which file, and whether it is one of several options.
import { headingLevel, labelOf, optionOf } from "../blocks/block-label.ts";
import type { CollectedEdits } from "../collected-edits.ts";
import { pathInSentence, pathOfLine } from "../dress/path-in-text.ts";
import { maxTag, readOpeningTag } from "../file-edit-tag.ts";
import type { Lead } from "./fence-part.ts";

/** Below every heading of Markdown. */
const lowest = 7;

/** Follows the lines of text of an answer. */
export class LeadLines {
  readonly #edits: CollectedEdits;
  #above = "";
  /** Named by the last line of text. */
  #near: string | undefined;
  /** Named by the last heading. */
  #section: string | undefined;
  #optionLevel = lowest;

  constructor(edits: CollectedEdits) {
    this.#edits = edits;
  }

  get lead(): Lead {
    return { above: this.#above, path: this.#near ?? this.#section };
  }

  /** The next path is that of the line, which is no text. */
  name(path: string | undefined): void {
    this.#near = path ?? this.#near;
  }

  /**
   * Takes a line of text outside of code.
   *
   * @param number of the line, 1-based
   */
  take(line: string, number: number): void {
    if (line.trim() === "") return;
    this.#above = line.slice(0, 1_000);
    const level = headingLevel(line);
    const isNamed = level !== undefined || /[:：][*_`]*[ \t]*$/.test(line);
    this.#near = pathOfTag(line) ?? (isNamed ? pathInSentence(line) : pathOfLine(line));
    const isBold = /^[ \t]*(?:\*\*|__)[^*_]+(?:\*\*|__):?[ \t]*$/.test(line);
    if (level !== undefined || isBold) this.#section = this.#near;
    const title = optionOf(line);
    if (title !== undefined) {
      this.#edits.enter({ title, line: number });
      this.#optionLevel = level ?? lowest;
    } else if (level !== undefined && level <= this.#optionLevel && labelOf(line) === undefined)
      this.#edits.enter(undefined);
  }
}

/** The path of an opening tag that a line of text ends with. */
function pathOfTag(line: string): string | undefined {
  const at = line.length < maxTag ? line.lastIndexOf("<file-edit") : -1;
  const tag = at === -1 ? undefined : readOpeningTag(line.slice(at));
  return tag?.after.trim() === "" ? tag.filePath : undefined;
}
