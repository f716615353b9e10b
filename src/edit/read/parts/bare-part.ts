// An edit outside of tags and code fences: units, or another form, which is held until its end shows.
import { withoutLineEnd } from "../../../base/text/lines.ts";
import { isFence } from "../../../base/text/fence.ts";
import { JsonScan } from "../../../base/text/mended-json.ts";
import { readOpeningTag } from "../file-edit-tag.ts";
import { argumentsOf, beginsPatchItself, type HeldForm, readForm } from "../forms/read-form.ts";
import { endsSearchTag, readEverywhereTag } from "../forms/search-tags.ts";
import { endsPatch } from "../forms/unified-diff.ts";
import { fullRule, readRule } from "../rule-line.ts";
import { UnitReader } from "../unit-reader.ts";
import { type Around, type Part, unitsOf } from "./part.ts";

/** Units, as many as come one after the other. */
export class BareUnits implements Part {
  readonly #reader: UnitReader;

  constructor(around: Around, path: string | undefined) {
    around.drop();
    this.#reader = new UnitReader(around.least, unitsOf(around.edits.open(path, "units"), around));
  }

  get isEdit(): boolean {
    return this.#reader.isInside;
  }

  take(raw: string, number: number): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    this.#reader.push(line, number, true);
    return this.#reader.isInside || line.trim() === "" ? undefined : [raw];
  }

  end(): readonly string[] {
    this.#reader.end();
    return [];
  }
}

/** A unit whose words are not those of the format: if it cannot be read it is text, and no fault. */
export class GuessedUnit implements Part {
  readonly isEdit = true;
  readonly #around: Around;
  readonly #path: string | undefined;
  readonly #reader = new UnitReader();
  readonly #raws: string[] = [];

  constructor(around: Around, path: string | undefined) {
    this.#around = around;
    this.#path = path;
  }

  take(raw: string, number: number): readonly string[] | undefined {
    this.#reader.push(withoutLineEnd(raw), number, true);
    const { error, units, isInside } = this.#reader;
    if (error !== undefined || units.length > 0 || !isInside) return this.#close([raw]);
    this.#raws.push(raw);
    return undefined;
  }

  end(): readonly string[] {
    this.#reader.end();
    return this.#close([]);
  }

  #close(lines: readonly string[]): readonly string[] {
    const [unit] = this.#reader.units;
    if (unit === undefined || this.#reader.error !== undefined) {
      this.#around.pass(this.#raws);
      return lines;
    }
    this.#around.drop();
    const { edits } = this.#around;
    const openingLine = (this.#raws[0] ?? "").trim();
    edits.add(edits.open(this.#path, "units"), { ...unit, openingLine }, "units");
    return lines;
  }
}

/** In characters: so far the end of a call is looked for. */
const maxLooked = 10_000_000;

/** Another form than units. */
export class HeldPart implements Part {
  readonly #form: HeldForm;
  readonly #around: Around;
  readonly #path: string | undefined;
  readonly #line: number;
  readonly #raws: string[] = [];
  readonly #json = new JsonScan();
  #looked = 0;

  /**
   * @param path named by the text above
   * @param line on which it begins, 1-based
   */
  constructor(form: HeldForm, around: Around, path: string | undefined, line: number) {
    this.#form = form;
    this.#around = around;
    this.#path = path;
    this.#line = line;
  }

  get isEdit(): boolean {
    return this.#form === "patch";
  }

  take(raw: string): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    if (this.#raws.length > 0 && this.#endsBefore(line)) return this.#close([raw]);
    this.#raws.push(raw);
    return this.#endsWith(line) ? this.#close([]) : undefined;
  }

  end(): readonly string[] {
    return this.#raws.length === 0 ? [] : this.#close([]);
  }

  #endsBefore(line: string): boolean {
    const [first = "", last = ""] = [this.#raws[0], this.#raws.at(-1)];
    if (this.#form === "tool-call" || (this.#form === "patch" && beginsPatchItself(first)))
      return false;
    if (this.#form === "search-tags" && endsSearchTag(last))
      return readEverywhereTag(line) === undefined;
    // A fence behind the sign of a diff's line is text of the file.
    const isDiff = this.#form === "patch" || this.#form === "unified-diff";
    if (isFence(line)) return !isDiff || !/^[-+ ]/.test(line);
    if (readRule(line, fullRule)?.kind === "search" || readOpeningTag(line) !== undefined)
      return true;
    return this.#form === "unified-diff" && this.#endsDiff(line, withoutLineEnd(last));
  }

  #endsDiff(line: string, last: string): boolean {
    if (last.startsWith("--- ") && this.#raws.length === 1) return !line.startsWith("+++ ");
    if (diffLine.test(line)) return false;
    const isHeader = /^(?:--- |\+\+\+ |diff |index |Index: |={20})/.test(last);
    if (isHeader && this.#raws.length < 6) return !/^[-+ @=]/.test(line);
    // A list that explains the diff comes after a blank line.
    if (last === "" && /^[-+*] \S/.test(line)) return true;
    return line !== "" && !/^[-+ \t]/.test(line);
  }

  #endsWith(line: string): boolean {
    if (this.#form === "patch") return endsPatch(line);
    if (this.#form === "json") return !this.#json.opens(line);
    if (this.#form === "search-tags") return readEverywhereTag(line) !== undefined;
    return this.#form === "tool-call" && this.#endsCall(line);
  }

  /** Its brackets close after a string, or on a line of their own; lines of code end so, too. */
  #endsCall(line: string): boolean {
    if (!/^(?:.*["'`],?)?\}?\){1,2};?$/.test(line.replaceAll(/[ \t]/g, ""))) return false;
    const text = this.#raws.join("");
    this.#looked += text.length;
    return this.#looked > maxLooked || argumentsOf(text) !== undefined;
  }

  /** @param next lines that come after */
  #close(next: readonly string[]): readonly string[] {
    const lines = this.#raws.map(withoutLineEnd);
    const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
    const held = lines.slice(0, end);
    const edits = readForm(this.#form, held, this.#line);
    if (edits === undefined) {
      this.#around.pass(this.#raws);
      return next;
    }
    this.#around.drop();
    this.#around.edits.take(edits, this.#path);
    return [...this.#raws.slice(end), ...next];
  }
}

const diffLine =
  /^(?:[-+]{3} |diff |index |@@|Index: |\\ |old mode|new mode|new file|deleted file|rename |similarity )/;
