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
  /** Fences and the like before the content. */
  readonly #covers: string[] = [];
  /** Content in another form than units; `code` is the text of the file, with marks or without. */
  readonly #lines: string[] = [];
  #line = 0;
  #mode: "covers" | "form" | "code" | "units" = "covers";

  constructor(around: Around, path: string | undefined) {
    around.drop();
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
    if (readOpeningTag(line) !== undefined) return this.#takeNextTag(line, raw, number);
    const closing = readClosingTag(line);
    const before = closing === undefined || isWrapper(closing.before) ? "" : closing.before.trim();
    if (closing === undefined || (before !== "" && this.#reader.takes(before)))
      return this.#takeLine(line, raw, number);
    const after = closing.after.trim() === "" ? [] : [closing.after + raw.slice(line.length)];
    if (this.#mode === "form" || this.#mode === "code") {
      if (before !== "") this.#lines.push(closing.before);
      this.#readLines();
      return after;
    }
    // The text of a file may consist of tags that are around edits elsewhere.
    const isMarkup = this.#covers.some((text) => !isCodeFence(text) && !isCdata(text));
    if (this.#mode === "covers" && this.#around.hasCode && isMarkup) {
      this.#readCode();
      return after;
    }
    if (before !== "") this.#reader.push(before, number);
    this.#reader.push(before === "" ? line : "</file-edit>", number, true);
    if (this.#reader.isInside) {
      this.#behind ??= after;
      return undefined;
    }
    this.#reader.end();
    return after;
  }

  /** A tag may stay open if its last unit is closed and the model ended by itself. */
  end(isStopped: boolean): readonly string[] {
    if (this.#mode === "form" || this.#mode === "code") {
      // Of code nothing shows that it is complete.
      if (!isStopped || this.#mode === "code") this.#failOpen();
      this.#readLines();
    } else {
      this.#reader.end();
      const isWhole = isStopped && this.#reader.units.length > 0;
      if (this.#reader.error === undefined && !isWhole) this.#failOpen();
    }
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
    if (this.#mode !== "units" && this.#holds(line, number)) return undefined;
    this.#reader.push(line, number);
    if (this.#reader.isInside) this.#behind?.push(raw);
    else if (this.#reader.error === undefined) this.#behind = undefined;
    // The unit never ended: what came after the closing tag was text.
    else if (this.#behind !== undefined) return [...this.#behind, raw];
    return undefined;
  }

  /** Whether the line belongs to no unit, and may be of another form. */
  #holds(line: string, number: number): boolean {
    const isUnit = this.#reader.takes(line);
    if (this.#mode === "covers") {
      this.#line = number;
      if (isSolid(line) && !isText(line)) this.#covers.push(line);
      if (!isText(line)) return true;
      const isForm = mayBeginContent(line);
      const isCode = !isForm && this.#around.hasCode;
      this.#mode = isUnit || !(isForm || isCode) ? "units" : isForm ? "form" : "code";
    } else if (this.#mode === "code" && isUnit) {
      // Text before a unit belongs to no unit, and is no code either.
      this.#reader.push(this.#lines[0] ?? "", this.#line);
      this.#mode = "units";
    }
    if (this.#mode === "units") return false;
    this.#lines.push(line);
    return true;
  }

  /** Code counts only in a tag that was closed. */
  #readCode(): void {
    const { filePath, error } = this.#edit;
    if (error !== undefined) return;
    const code = joinLines(coveredCode([...this.#covers, ...this.#lines], filePath ?? ""));
    const codeEdit = { code, line: this.#line };
    this.#around.edits.take([{ filePath, form: "code-edit", units: [], codeEdit }], undefined);
  }

  #readLines(): void {
    const { hasCode, edits } = this.#around;
    // A list is written like lines that go.
    const hasNew = this.#lines.some((line) => line.startsWith("+"));
    const isList = this.#lines[0]?.startsWith("- ") === true && !hasNew;
    const last = this.#lines.findLastIndex(isText);
    const isCode = this.#mode === "code" || (hasCode && isList);
    const [edit] = isCode ? [] : (readContent(this.#lines.slice(0, last + 1), this.#line) ?? []);
    const { filePath } = this.#edit;
    if (edit !== undefined) edits.take([{ ...edit, filePath }], undefined);
    else if (hasCode) this.#readCode();
    else
      this.#fail(
        "malformed",
        `The tag that holds line ${this.#line} holds no edit that can be read.`,
      );
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
