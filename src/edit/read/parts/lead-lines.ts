// What the text above an edit says of it: which file, and whether it is one of several options.
import { trimEndSigns } from "../../../base/text/trim.ts";
import { headingLevel, labelOf, optionOf } from "../blocks/block-label.ts";
import { maxQuoting, type QuotingLine, quotesCode } from "../blocks/quoted-change.ts";
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
  /** Named by the last line of text, unless something else was named since. */
  #near: { path: string | undefined } | undefined;
  /** Named by the last heading. */
  #section: string | undefined;
  #optionLevel = lowest;
  readonly #quoting: QuotingLine[];

  /** @param quoting takes the lines of text that quote code */
  constructor(edits: CollectedEdits, quoting: QuotingLine[]) {
    this.#edits = edits;
    this.#quoting = quoting;
  }

  get lead(): Lead {
    this.#near ??= { path: pathOf(this.#above) };
    return { above: this.#above, path: this.#near.path ?? this.#section };
  }

  /** The next path is that of the line, which is no text. */
  name(path: string | undefined): void {
    if (path !== undefined) this.#near = { path };
  }

  /**
   * Takes a line of text outside of code.
   *
   * @param number of the line, 1-based
   */
  take(line: string, number: number): void {
    if (line.trim() === "") return;
    if (this.#quoting.length <= maxQuoting && quotesCode(line))
      this.#quoting.push({ text: line, line: number });
    this.#above = line.slice(0, 1_000);
    this.#near = undefined;
    const level = headingLevel(line);
    if (level !== undefined || isBold(line)) this.#section = pathOf(line);
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

/** The path that the line names for what follows it. */
function pathOf(line: string): string | undefined {
  const isLead = headingLevel(line) !== undefined || /[:：][*_`]*$/.test(trimEndSigns(line, " \t"));
  return pathOfTag(line) ?? (isLead ? pathInSentence(line) : pathOfLine(line));
}

function isBold(line: string): boolean {
  return /^[ \t]*(?:\*\*|__)[^*_]+(?:\*\*|__):?$/.test(trimEndSigns(line, " \t"));
}
