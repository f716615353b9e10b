// The lines of an answer that belong to a tag of a file, or to units outside of tags.
import { describeDiff } from "../../describe-error.ts";
import type { CollectedEdits } from "../collected-edits.ts";
import { coveredCode, isCdata, isWrapper } from "../dress/wrapper.ts";
import { readClosingTag, readOpeningTag } from "../file-edit-tag.ts";
import type { FileEdit } from "../file-edit.ts";
import { formThatBegins, readContent } from "../forms/read-form.ts";
import { fullRule } from "../rule-line.ts";
import { type Left, nothingLeft, type Part } from "./part.ts";
import { UnitReader } from "../unit-reader.ts";
import { withoutLineEnd, joinLines } from "../../../base/text/lines.ts";
import { isCodeFence } from "../../../base/text/fence.ts";

/** What an answer may hold, and what it has shown so far of how its rules are written. */
export interface AnswerHabit {
  /** The shortest rule that counts; undefined until one was seen. */
  least: number | undefined;
  /** Text in a tag may be the text of a file. */
  readonly hasCode: boolean;
}

/** Takes line by line; it is over once a line leaves something. */
export class UnitsPart implements Part {
  readonly #edit: FileEdit;
  readonly #edits: CollectedEdits;
  readonly #habit: AnswerHabit;
  readonly #reader: UnitReader;
  readonly #isTagged: boolean;
  #reported = 0;
  /** Lines since a closing tag inside an open unit: text of the unit, or of the answer if it never ends. */
  #afterTag: string[] | undefined;
  /** The content of a tag in another form than units; `code` is the text of the file, with marks or without. */
  #content: { lines: string[]; line: number; isCode: boolean } | undefined;
  /** Fences and the like before the content. */
  readonly #covers: string[] = [];

  constructor(edits: CollectedEdits, edit: FileEdit, habit: AnswerHabit, isTagged: boolean) {
    this.#edit = edit;
    this.#edits = edits;
    this.#habit = habit;
    this.#reader = new UnitReader(habit.least);
    this.#isTagged = isTagged;
  }

  get isEdit(): boolean {
    return this.#isTagged || this.#reader.isInside;
  }

  take(raw: string, number: number): Left | undefined {
    const line = withoutLineEnd(raw);
    if (!this.#isTagged) return this.#takeBare(line, raw, number);
    if (readOpeningTag(line) !== undefined) return this.#takeNextTag(line, raw, number);
    return this.#takeTagged(line, raw, number);
  }

  /** A tag may stay open if its last unit is closed and the model ended by itself. */
  end(isStopped: boolean): Left {
    if (this.#content === undefined) {
      this.#reader.end();
      this.#report();
      const isWhole = isStopped && this.#reader.units.length > 0;
      if (this.#isTagged && this.#reader.error === undefined && !isWhole) this.#failOpen();
    } else {
      // Of code nothing shows that it is complete.
      if (!isStopped || this.#content.isCode) this.#failOpen();
      this.#readContent();
    }
    return again(this.#afterTag ?? []);
  }

  #failOpen(): void {
    this.#edits.fail(this.#edit, describeDiff("truncated", notClosed));
  }

  #takeBare(line: string, raw: string, number: number): Left | undefined {
    this.#reader.push(line, number, true);
    this.#report();
    return this.#reader.isInside || line.trim() === "" ? undefined : again([raw]);
  }

  /** A tag opens before the one around it was closed. */
  #takeNextTag(line: string, raw: string, number: number): Left | undefined {
    const reader = this.#reader;
    if (this.#afterTag !== undefined) {
      reader.end();
      // The unit may have ended behind the closing tag after all.
      this.#report();
      return this.#leave(this.#afterTag ?? [], raw);
    }
    if (reader.isInside) reader.push(line, number, true);
    this.#report();
    if (reader.isInside) return undefined;
    if (reader.error === undefined) this.#failOpen();
    return again([raw]);
  }

  #takeTagged(line: string, raw: string, number: number): Left | undefined {
    const reader = this.#reader;
    const closing = readClosingTag(line);
    const before = closing === undefined || isWrapper(closing.before) ? "" : closing.before.trim();
    if (closing === undefined || (before !== "" && reader.takes(before))) {
      if (this.#takesContent(line, number)) return undefined;
      reader.push(line, number);
      this.#report();
      if (reader.isInside) this.#afterTag?.push(raw);
      else if (reader.error === undefined) this.#afterTag = undefined;
      else if (this.#afterTag !== undefined) return this.#leave(this.#afterTag, raw);
      return undefined;
    }
    const after = closing.after.trim() === "" ? "" : closing.after + raw.slice(line.length);
    const left = after === "" ? [] : [after];
    if (this.#content !== undefined) {
      if (before !== "") this.#content.lines.push(closing.before);
      this.#readContent();
      return again(left);
    }
    if (this.#holdsMarkup()) {
      this.#readCode([], number - this.#covers.length);
      return again(left);
    }
    if (before !== "") reader.push(before, number);
    reader.push(before === "" ? line : "</file-edit>", number, true);
    this.#report();
    if (reader.isInside) {
      this.#afterTag ??= left;
      return undefined;
    }
    reader.end();
    this.#report();
    return again(left);
  }

  /** Whether the line belongs to a tag that holds another form than units. */
  #takesContent(line: string, number: number): boolean {
    if (this.#content !== undefined) return this.#takesMore(this.#content, line);
    const { isInside, units, error } = this.#reader;
    if (isInside || units.length > 0 || error !== undefined) return false;
    if (line.trim() === "" || isCodeFence(line) || isWrapper(line)) {
      if (line.trim() !== "") this.#covers.push(line);
      return false;
    }
    if (this.#reader.takes(line)) return false;
    const isCode = !mayBeginContent(line);
    if (isCode && !this.#habit.hasCode) return false;
    this.#content = { lines: [line], line: number, isCode };
    return true;
  }

  /** The text of a file may consist of tags that are around edits elsewhere. */
  #holdsMarkup(): boolean {
    const { units, error, isInside } = this.#reader;
    if (!this.#habit.hasCode || isInside || units.length > 0 || error !== undefined) return false;
    return this.#covers.some((line) => !isCodeFence(line) && !isCdata(line));
  }

  /** Text before a unit belongs to no unit, and is no code either. */
  #takesMore(content: { lines: string[]; line: number; isCode: boolean }, line: string): boolean {
    const isStray = content.isCode && this.#reader.takes(line);
    if (!isStray) content.lines.push(line);
    else {
      this.#content = undefined;
      this.#reader.push(content.lines[0] ?? "", content.line);
    }
    return !isStray;
  }

  /** Code counts only in a tag that was closed. */
  #readCode(lines: readonly string[], line: number): void {
    const { filePath, error } = this.#edit;
    if (error !== undefined) return;
    const code = coveredCode([...this.#covers, ...lines], filePath ?? "");
    const text = joinLines(code);
    const codeEdit = { code: text, line };
    this.#edits.take([{ filePath, form: "code-edit", units: [], codeEdit }], undefined);
  }

  #readContent(): void {
    const { lines, line, isCode } = this.#content ?? { lines: [], line: 0, isCode: false };
    if (isCode || (this.#habit.hasCode && isList(lines))) {
      this.#readCode(lines, line);
      return;
    }
    const isCover = (text: string) => text.trim() === "" || isCodeFence(text) || isWrapper(text);
    const last = lines.findLastIndex((text) => !isCover(text));
    const [edit] = readContent(lines.slice(0, last + 1), line) ?? [];
    const { filePath } = this.#edit;
    if (edit !== undefined) this.#edits.take([{ ...edit, filePath }], undefined);
    else if (this.#habit.hasCode) this.#readCode(lines, line);
    else {
      const message = `The tag that holds line ${line} holds no edit that can be read.`;
      this.#edits.fail(this.#edit, describeDiff("malformed", message));
    }
  }

  /** The unit never ended: what came after the closing tag was text. */
  #leave(afterTag: readonly string[], next: string): Left {
    this.#report();
    return again([...afterTag, next]);
  }

  /** Passes on what the reader has found since. */
  #report(): void {
    const reader = this.#reader;
    if (reader.units.length > this.#reported) this.#afterTag = undefined;
    for (const unit of reader.units.slice(this.#reported)) {
      if (unit.strict) this.#habit.least = fullRule;
      this.#edits.add(this.#edit, unit, "units");
    }
    this.#reported = reader.units.length;
    if (reader.error !== undefined) this.#edits.fail(this.#edit, reader.error);
  }
}

const notClosed = "The <file-edit> tag is not closed: the answer may lack units.";

/** A list is written like lines that go. */
function isList(lines: readonly string[]): boolean {
  const [first = ""] = lines;
  return first.startsWith("- ") && !lines.some((line) => line.startsWith("+"));
}

/** A header of another form, or a line of a diff without headers. */
function mayBeginContent(line: string): boolean {
  return formThatBegins(line.trimStart()) !== undefined || /^[-+](?![-+])/.test(line);
}

function again(lines: readonly string[]): Left {
  return lines.length === 0 ? nothingLeft : { texts: [], lines };
}
