// A model's answer in, as deltas; out come its text and, as soon as each is closed, its units.
import { ChatTags } from "./chat-tags.ts";
import { describeDiff } from "../describe/describe-error.ts";
import type { EditError } from "../edit-unit.ts";
import type {
  Alternative,
  EditReaderEvent,
  EditReaderOptions,
  EndOptions,
  FileEdit,
} from "./file-edit.ts";
import { isUnfinishedTag, maxTag, readClosingTag, readOpeningTag } from "./file-edit-tag.ts";
import { isTooLong, mayBecomeMark } from "./held-line.ts";
import { fullRule, readRule } from "./rule-line.ts";
import { isCodeFence, UnitReader } from "./unit-reader.ts";

interface OpenFile {
  edit: FileEdit;
  reader: UnitReader;
  isTagged: boolean;
  reported: number;
  /** Lines since a closing tag inside an open unit: text of the unit, or of the answer if it never ends. */
  afterTag: string[] | undefined;
}

/**
 * Reads an answer piece by piece. How it is cut into pieces changes nothing but the cuts of the text.
 *
 * Units may stand inside `<file-edit filePath="...">`, in code fences, or bare. A code fence that holds
 * nothing but units is no text; `<chat>` tags around the text are taken off. A tag that is not closed
 * refuses its file, since an answer that was cut may lack units.
 */
export class EditReader {
  /** The edits by file, in the order of the answer; complete after `end`. */
  readonly files: FileEdit[] = [];
  /**
   * Several complete changes from which the person has to choose, two or more; complete after `end`. Their
   * edits are not among `files`, and come as no events.
   */
  readonly alternatives: Alternative[] = [];
  readonly #byPath = new Map<string | undefined, FileEdit>();
  #pieces: string[] = [];
  #heldLength = 0;
  /** The beginning of this line went out as text. */
  #isMidLine = false;
  /** A code fence and the blank lines after it, until it is clear whether units follow. */
  #fence = "";
  #isFenceDropped = false;
  readonly #chatTags = new ChatTags();
  #file: OpenFile | undefined;
  #line = 0;
  #least: number | undefined;
  #events: EditReaderEvent[] = [];

  constructor(_options: EditReaderOptions = {}) {}

  push(delta: string): EditReaderEvent[] {
    let from = 0;
    for (let at = delta.indexOf("\n"); at !== -1; at = delta.indexOf("\n", from)) {
      this.#hold(delta.slice(from, at + 1));
      from = at + 1;
      this.#takeLine();
    }
    if (from < delta.length) {
      this.#hold(delta.slice(from));
      this.#passPartialLine();
    }
    return this.#flush();
  }

  /** The answer ends here. */
  end(_options: EndOptions = {}): EditReaderEvent[] {
    if (this.#pieces.length > 0) this.#takeLine(true);
    const file = this.#file;
    if (file !== undefined) {
      file.reader.end();
      if (file.isTagged && file.reader.error === undefined) {
        this.#report(file);
        this.#fail(file.edit, describeDiff("truncated", notClosed));
      }
      this.#closeFile(file);
      for (const raw of file.afterTag ?? []) this.#takeText(raw);
    }
    this.#releaseFence();
    this.#pass(this.#chatTags.end());
    return this.#flush();
  }

  #hold(piece: string): void {
    this.#pieces.push(piece);
    this.#heldLength += piece.length;
  }

  #release(): string {
    const held = this.#pieces.length === 1 ? (this.#pieces[0] ?? "") : this.#pieces.join("");
    this.#pieces = [];
    this.#heldLength = 0;
    return held;
  }

  #flush(): EditReaderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #takeLine(isLast = false): void {
    const raw = this.#release();
    this.#line += 1;
    if (this.#file === undefined && !this.#isMidLine && !isLast && isUnfinishedTag(raw)) {
      this.#hold(raw);
      return;
    }
    if (this.#file === undefined) this.#takeText(raw);
    else this.#takeUnitLine(this.#file, raw);
  }

  /** The line is not complete: what can be nothing but text goes out now. */
  #passPartialLine(): void {
    if (this.#file !== undefined) return;
    if (!this.#isMidLine) {
      const start = this.#pieces.join("");
      const tag = isTooLong(start) ? undefined : readOpeningTag(start);
      if (tag !== undefined) {
        this.#openFile(tag.filePath, true);
        this.#pieces = [tag.after];
        return;
      }
      if (this.#heldLength < maxTag && mayBecomeMark(start)) return;
      this.#isFenceDropped = false;
      this.#releaseFence();
      this.#isMidLine = true;
      this.#release();
      this.#text(this.#chatTags.open(start));
      return;
    }
    this.#text(this.#release());
  }

  #takeText(raw: string): void {
    if (this.#isMidLine) {
      this.#isMidLine = false;
      this.#text(raw);
      return;
    }
    const line = withoutLineEnd(raw);
    if (isTooLong(raw.replace(/\n$/, ""))) {
      this.#passLine(raw);
      return;
    }
    const tag = readOpeningTag(line);
    if (tag !== undefined) {
      const file = this.#openFile(tag.filePath, true);
      if (tag.after.trim() !== "") this.#takeUnitLine(file, tag.after + raw.slice(line.length));
      return;
    }
    const rule = readRule(line, this.#least ?? 0);
    if (rule?.kind === "search") {
      this.#takeUnitLine(this.#openFile(undefined, false), raw);
      return;
    }
    if (rule?.kind === "replace") {
      const bare = this.#byPath.get(undefined);
      const message = `Line ${this.#line} is a REPLACE rule that ends no unit.`;
      if (bare !== undefined) this.#fail(bare, describeDiff("malformed", message));
    }
    if (isCodeFence(line)) {
      this.#releaseFence();
      if (this.#isFenceDropped) this.#isFenceDropped = false;
      else this.#fence = raw;
      return;
    }
    if (this.#fence !== "" && line.trim() === "") {
      this.#fence += raw;
      return;
    }
    this.#passLine(raw);
  }

  /** The line is nothing but text. */
  #passLine(raw: string): void {
    if (raw.trim() !== "") this.#isFenceDropped = false;
    this.#releaseFence();
    this.#text(this.#chatTags.open(raw));
  }

  #takeUnitLine(file: OpenFile, raw: string): void {
    const line = withoutLineEnd(raw);
    if (!file.isTagged) this.#takeBareLine(file, line, raw);
    else if (readOpeningTag(line) !== undefined) this.#takeNextTag(file, line, raw);
    else this.#takeTaggedLine(file, line, raw);
  }

  #takeBareLine(file: OpenFile, line: string, raw: string): void {
    file.reader.push(line, this.#line, true);
    this.#report(file);
    if (file.reader.isInside || line.trim() === "") return;
    this.#closeFile(file);
    this.#takeText(raw);
  }

  /** A tag opens before the one around it was closed. */
  #takeNextTag(file: OpenFile, line: string, raw: string): void {
    const { reader, edit, afterTag } = file;
    if (afterTag !== undefined) {
      reader.end();
      this.#leave(file, afterTag, raw);
      return;
    }
    if (reader.isInside) reader.push(line, this.#line, true);
    this.#report(file);
    if (reader.isInside) return;
    if (reader.error === undefined) this.#fail(edit, describeDiff("truncated", notClosed));
    this.#closeFile(file);
    this.#takeText(raw);
  }

  #takeTaggedLine(file: OpenFile, line: string, raw: string): void {
    const { reader } = file;
    const closing = readClosingTag(line);
    const before = closing?.before.trim() ?? "";
    if (closing === undefined || (before !== "" && reader.takes(before))) {
      reader.push(line, this.#line);
      this.#report(file);
      if (reader.isInside) file.afterTag?.push(raw);
      else if (reader.error === undefined) file.afterTag = undefined;
      else if (file.afterTag !== undefined) this.#leave(file, file.afterTag, raw);
      return;
    }
    if (before !== "") reader.push(before, this.#line);
    reader.push(before === "" ? line : "</file-edit>", this.#line, true);
    this.#report(file);
    const after = closing.after.trim() === "" ? "" : closing.after + raw.slice(line.length);
    if (reader.isInside) {
      file.afterTag ??= after === "" ? [] : [after];
      return;
    }
    reader.end();
    this.#closeFile(file);
    if (after !== "") this.#takeText(after);
  }

  /** The unit never ended: what came after the closing tag was text. */
  #leave(file: OpenFile, afterTag: readonly string[], next: string): void {
    this.#closeFile(file);
    for (const raw of [...afterTag, next]) {
      if (this.#file === undefined) this.#takeText(raw);
      else this.#takeUnitLine(this.#file, raw);
    }
  }

  #openFile(filePath: string | undefined, isTagged: boolean): OpenFile {
    this.#pass(this.#chatTags.end());
    this.#isFenceDropped = this.#fence !== "";
    this.#fence = "";
    const edit = this.#byPath.get(filePath) ?? { filePath, form: "units" as const, units: [] };
    if (!this.#byPath.has(filePath)) this.files.push(edit);
    this.#byPath.set(filePath, edit);
    const reader = new UnitReader(this.#least);
    this.#file = { edit, reader, isTagged, reported: 0, afterTag: undefined };
    return this.#file;
  }

  /** Passes on what the reader has found since. */
  #report(file: OpenFile): void {
    const { edit, reader } = file;
    if (reader.units.length > file.reported) file.afterTag = undefined;
    for (const unit of reader.units.slice(file.reported)) {
      if (unit.strict) this.#least = fullRule;
      edit.units.push(unit);
      const { filePath, form } = edit;
      this.#events.push({ type: "unit", filePath, form, unit });
    }
    file.reported = reader.units.length;
    if (reader.error !== undefined) this.#fail(edit, reader.error);
  }

  #fail(edit: FileEdit, error: EditError): void {
    if (edit.error !== undefined) return;
    edit.error = error;
    this.#events.push({ type: "fault", filePath: edit.filePath, error });
  }

  #closeFile(file: OpenFile): void {
    this.#report(file);
    this.#file = undefined;
  }

  #releaseFence(): void {
    if (this.#fence === "") return;
    const fence = this.#fence;
    this.#fence = "";
    this.#text(fence);
  }

  #text(text: string): void {
    this.#pass(this.#chatTags.push(text));
  }

  #pass(text: string): void {
    if (text !== "") this.#events.push({ type: "text", text });
  }
}

const notClosed = "The <file-edit> tag is not closed: the answer may lack units.";

function withoutLineEnd(raw: string): string {
  return raw.replace(/\r?\n$/, "");
}
