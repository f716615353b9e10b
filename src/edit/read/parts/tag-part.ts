// The lines of an answer that belong to a tag of a file.
import { describeDiff } from "../../describe-error.ts";
import { coveredCode, isCdata, isWrapper, readClosingTag, readOpeningTag } from "../dress/tags.ts";
import type { FileEdit } from "../file-edit.ts";
import { formThatBegins, readContent } from "../forms/read-form.ts";
import type { Around, Part } from "./part.ts";
import { fullRule } from "../rule-line.ts";
import { UnitReader } from "../unit-reader.ts";
import { isSolid, joinLines, withoutLineEnd } from "../../../base/text/lines.ts";
import { isCodeFence } from "../../../base/text/fence.ts";

/** Takes line by line; it is over once a line leaves something. */
export class TagPart implements Part {
  readonly isEdit = true;
  readonly isDropped = true;
  readonly #edit: FileEdit;
  readonly #around: Around;
  readonly #reader: UnitReader;
  /** Lines since a closing tag inside an open unit: text of the unit, or of the answer if it never ends. */
  #behind: string[] | undefined;
  /** What the first line of text begins; `code` is the text of the file, with marks or without. */
  #form: "units" | "other" | "code" | undefined;
  /** All lines, unless they are units. */
  readonly #lines: string[] = [];
  /** The first of these in the answer, 1-based. */
  #line = 0;

  constructor(around: Around, path: string | undefined) {
    around.text.decide();
    this.#around = around;
    this.#edit = around.edits.open(path, "units");
    this.#reader = new UnitReader(around.least, (found) => {
      if ("code" in found) {
        around.edits.fail(this.#edit, found);
        return;
      }
      // What came behind the tag was text of the unit.
      this.#behind = undefined;
      if (found.strict) around.least = fullRule;
      around.edits.add(this.#edit, found, "units");
    });
  }

  take(raw: string, number: number): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    const reader = this.#reader;
    if (readOpeningTag(line) !== undefined) return this.#takeNextTag(line, raw, number);
    const closing = readClosingTag(line);
    const before = closing === undefined || isWrapper(closing.before) ? "" : closing.before.trim();
    if (closing === undefined || (before !== "" && reader.takes(before)))
      return this.#takeLine(line, raw, number);
    const after = closing.after.trim() === "" ? [] : [closing.after + raw.slice(line.length)];
    if (this.#isHeld) {
      if (before !== "") this.#lines.push(closing.before);
      this.#readHeld();
      return after;
    }
    if (before !== "") reader.push(before, number);
    reader.push(before === "" ? line : "</file-edit>", number, true);
    if (reader.isInside) {
      this.#behind ??= after;
      return undefined;
    }
    reader.end();
    return after;
  }

  /** A tag may stay open if its last unit is closed and the model ended by itself; of code nothing shows that. */
  end(isStopped: boolean): readonly string[] {
    const reader = this.#reader;
    const isOther = this.#form === "other";
    if (!isOther && this.#form !== "code") reader.end();
    const isWhole = isStopped && (isOther || reader.units.length > 0);
    if (reader.error === undefined && !isWhole) this.#failOpen();
    if (isOther) this.#readHeld();
    return this.#behind ?? [];
  }

  #fail(code: "malformed" | "truncated", message: string): void {
    this.#around.edits.fail(this.#edit, describeDiff(code, message));
  }

  #failOpen(): void {
    this.#fail("truncated", "The <file-edit> tag is not closed: the answer may lack units.");
  }

  /** A tag opens before the one around it was closed. */
  #takeNextTag(line: string, raw: string, number: number): readonly string[] | undefined {
    const reader = this.#reader;
    if (this.#behind !== undefined) {
      // The unit may have ended behind the closing tag after all.
      reader.end();
      return [...(this.#behind ?? []), raw];
    }
    if (reader.isInside) reader.push(line, number, true);
    if (reader.isInside) return undefined;
    if (reader.error === undefined) this.#failOpen();
    return [raw];
  }

  #takeLine(line: string, raw: string, number: number): readonly string[] | undefined {
    if (this.#form !== "units" && this.#holds(line, number)) return undefined;
    this.#reader.push(line, number);
    if (this.#reader.isInside) this.#behind?.push(raw);
    else if (this.#reader.error === undefined) this.#behind = undefined;
    // The unit never ended: what came after the closing tag was text.
    else if (this.#behind !== undefined) return [...this.#behind, raw];
    return undefined;
  }

  /** Whether the line belongs to no unit, and may be of another form. */
  #holds(line: string, number: number): boolean {
    if (this.#lines.length === 0) this.#line = number;
    const isUnit = this.#reader.takes(line);
    if (this.#form === undefined && isText(line)) {
      const other = this.#around.hasCode ? "code" : "units";
      this.#form = isUnit ? "units" : mayBeginContent(line) ? "other" : other;
    } else if (this.#form === "code" && isUnit) {
      // Text before a unit belongs to no unit, and is no code either.
      const first = this.#lines.findIndex(isText);
      this.#reader.push(this.#lines[first] ?? "", this.#line + first);
      this.#form = "units";
    }
    if (this.#form !== "units") this.#lines.push(line);
    return this.#form !== "units";
  }

  /** The text of a file may consist of tags that are around edits elsewhere. */
  get #isHeld(): boolean {
    if (this.#form !== undefined) return this.#form !== "units";
    const isMarkup = (line: string): boolean =>
      isSolid(line) && !isCodeFence(line) && !isCdata(line);
    return this.#around.hasCode && this.#lines.some(isMarkup);
  }

  #readHeld(): void {
    const { hasCode, edits } = this.#around;
    const { filePath, error } = this.#edit;
    const first = Math.max(0, this.#lines.findIndex(isText));
    const lines = this.#lines.slice(first, this.#lines.findLastIndex(isText) + 1);
    const line = this.#line + first;
    // A list is written like lines that go.
    const hasNew = lines.some((each) => each.startsWith("+"));
    const isList = lines[0]?.startsWith("- ") === true && !hasNew;
    const isOther = this.#form === "other" && !(hasCode && isList);
    const [edit] = isOther ? readContent(lines, line) : [];
    if (edit !== undefined) edits.take([{ ...edit, filePath }]);
    else if (!hasCode)
      this.#fail("malformed", `The tag that holds line ${line} holds no edit that can be read.`);
    else if (error === undefined) {
      const code = joinLines(coveredCode(this.#lines, filePath ?? ""));
      const codeEdit = { code, line };
      edits.take([{ filePath, form: "code-edit", units: [], codeEdit }]);
    }
  }
}

/** Neither blank nor around something. */
function isText(line: string): boolean {
  return isSolid(line) && !isCodeFence(line) && !isWrapper(line);
}

/** A header of another form, or a line of a diff without headers. */
function mayBeginContent(line: string): boolean {
  return formThatBegins(line.trimStart()) !== undefined || /^[-+](?![-+])/.test(line);
}
