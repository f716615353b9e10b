import type { CollectedEdits } from "../collected-edits.ts";
import { readOpeningTag } from "../file-edit-tag.ts";
import {
  argumentsOf,
  beginsPatchItself,
  type HeldForm,
  isWhole,
  readForm,
} from "../forms/read-form.ts";
import { endsPatch } from "../forms/unified-diff.ts";
import { endsSearchTag, readEverywhereTag } from "../forms/search-tags.ts";
import { fullRule, readRule } from "../rule-line.ts";
import { JsonScan } from "../../../base/text/mended-json.ts";
import { type Left, nothingLeft, type Part } from "./part.ts";
import { withoutLineEnd } from "../../../base/text/lines.ts";
import { isFence } from "../../../base/text/fence.ts";

/** In characters: so far the end of a call is looked for. */
const maxLooked = 10_000_000;

/** An edit outside of tags and code fences in another form than units: held until its end shows. */
export class FormPart implements Part {
  readonly #form: HeldForm;
  readonly #edits: CollectedEdits;
  readonly #path: string | undefined;
  readonly #decide: () => void;
  readonly #line: number;
  readonly #raws: string[] = [];
  readonly #json = new JsonScan();
  #looked = 0;

  /**
   * @param path named by the text above
   * @param line on which it begins, 1-based
   * @param decide called before an edit is told
   */
  constructor(
    form: HeldForm,
    edits: CollectedEdits,
    path: string | undefined,
    line: number,
    decide: () => void,
  ) {
    this.#form = form;
    this.#edits = edits;
    this.#path = path;
    this.#line = line;
    this.#decide = decide;
  }

  get isEdit(): boolean {
    return this.#form === "patch";
  }

  take(raw: string): Left | undefined {
    const line = withoutLineEnd(raw);
    if (this.#raws.length > 0 && this.#endsBefore(line)) return this.#close([raw]);
    this.#raws.push(raw);
    return this.#endsWith(line) ? this.#close([]) : undefined;
  }

  end(): Left {
    return this.#raws.length === 0 ? nothingLeft : this.#close([]);
  }

  #endsBefore(line: string): boolean {
    if (this.#form === "tool-call") return false;
    if (this.#form === "search-tags" && endsSearchTag(this.#raws.at(-1) ?? ""))
      return readEverywhereTag(line) === undefined;
    if (this.#form === "patch" && beginsPatchItself(this.#raws[0] ?? "")) return false;
    // A fence behind the sign of a diff's line is text of the file.
    const isDiff = this.#form === "patch" || this.#form === "unified-diff";
    if (isFence(line)) return !isDiff || !/^[-+ ]/.test(line);
    if (readRule(line, fullRule)?.kind === "search" || readOpeningTag(line) !== undefined)
      return true;
    if (this.#form === "unified-diff") return this.#endsDiff(line);
    return false;
  }

  #endsDiff(line: string): boolean {
    const last = withoutLineEnd(this.#raws.at(-1) ?? "");
    if (last.startsWith("--- ") && this.#raws.length === 1) return !line.startsWith("+++ ");
    if (
      /^(?:[-+]{3} |diff |index |@@|Index: |\\ |old mode|new mode|new file|deleted file|rename |similarity )/.test(
        line,
      )
    )
      return false;
    const isHeader = /^(?:--- |\+\+\+ |diff |index |Index: |={20})/.test(last);
    if (isHeader && this.#raws.length < 6) return !/^[-+ @=]/.test(line);
    if (line === "") return false;
    // A list that explains the diff comes after a blank line.
    if (last === "" && /^[-+*] \S/.test(line)) return true;
    return !/^[-+ \t]/.test(line);
  }

  #endsWith(line: string): boolean {
    switch (this.#form) {
      case "patch":
        return endsPatch(line);
      case "json":
        return !this.#json.opens(line);
      case "search-tags":
        return readEverywhereTag(line) !== undefined;
      case "tool-call":
        return this.#endsCall(line);
      default:
        return false;
    }
  }

  /** Its brackets close after a string, or on a line of their own; lines of code end so, too. */
  #endsCall(line: string): boolean {
    if (!/^(?:.*["'`],?)?\}?\){1,2};?$/.test(line.replaceAll(/[ \t]/g, ""))) return false;
    const text = this.#raws.join("");
    this.#looked += text.length;
    return this.#looked > maxLooked || argumentsOf(text) !== undefined;
  }

  /** @param next lines that come after */
  #close(next: readonly string[]): Left {
    const lines = this.#raws.map(withoutLineEnd);
    const last = lines.findLastIndex((line) => line.trim() !== "");
    const blanks = this.#raws.slice(last + 1);
    const held = lines.slice(0, last + 1);
    const edits = isWhole(this.#form, held) ? readForm(this.#form, held, this.#line) : undefined;
    if (edits === undefined) return { texts: this.#raws, lines: next };
    this.#decide();
    this.#edits.take(edits, this.#path);
    return { texts: [], lines: [...blanks, ...next] };
  }
}
