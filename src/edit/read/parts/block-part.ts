// Lines that are held until their end shows what they are: a block of code, or another form of edit than units.
import { type FenceLine, closesFence, isFence, readFence } from "../../../base/text/fence.ts";
import { indentOf, isSolid, joinLines, withoutLineEnd } from "../../../base/text/lines.ts";
import { JsonScan } from "../../../base/text/mended-json.ts";
import {
  type Cover,
  coverOf,
  readDressedRule,
  withoutIndent,
  withoutQuotes,
} from "../dress/dressed-rule.ts";
import { pathOfInfo, pathOfLine } from "../dress/path-in-text.ts";
import { heredocOf, isWrapper, pathOfWrapper } from "../dress/wrapper.ts";
import { readOpeningTag } from "../file-edit-tag.ts";
import type { CodeBlock, FileEdit } from "../file-edit.ts";
import {
  argumentsOf,
  beginsPatchItself,
  formThatBegins,
  type HeldForm,
  readForm,
} from "../forms/read-form.ts";
import { endsSearchTag, readEverywhereTag } from "../forms/search-tags.ts";
import { endsPatch } from "../forms/unified-diff.ts";
import { fullRule, readRule, shortestRule } from "../rule-line.ts";
import type { Around, Part } from "./part.ts";

/** The opening of a code block. */
export interface Fence extends FenceLine {
  cover: Cover;
}

export function readCoveredFence(line: string): Fence | undefined {
  if (line.length > 1_000 || !/`{3}|~{3}/.test(line)) return undefined;
  const { cover, content } = coverOf(line);
  const read = readFence(content);
  return read && { ...read, cover };
}

/** Whether the line closes a code block that has opened so. */
export function closesCoveredFence(line: string, { run, cover }: Fence): boolean {
  const signs = withoutQuotes(line, cover).trim().replace(tokens, "$1");
  return closesFence(signs, { indent: "", run });
}

/** Signs of the model's own right behind the closing fence, such as `</s>`. */
const tokens = /^(`{3,}|~{3,})(?:<[^<>\s]{1,40}>)+$/;

/** What the answer has told of a block before it begins. */
export interface Lead {
  above: string;
  path: string | undefined;
}

/**
 * A code block, or another form without a fence. The first line of a block that is not blank decides: units (then it is
 * over, and so is the block for the text), another form that is held to the end of the block, or code, which goes on as it
 * comes or is held.
 */
export class BlockPart implements Part {
  readonly fence: Fence | undefined;
  isDropped = false;
  readonly #around: Around;
  readonly #lead: Lead;
  /** The first line of its content in the answer, 1-based. */
  readonly #line: number;
  /** Wrappers before the fence, the fence, and lines after it. */
  readonly #raws: string[];
  /** Those after it, without marks of quotations. */
  readonly #lines: string[] = [];
  #form: "pending" | "code" | HeldForm = "pending";
  #path: string | undefined;
  /** The line below the fence that names it. */
  #pathAt = -1;
  /** Lines that went out as text. */
  #passed = 0;
  readonly #end = new FormEnd();

  /**
   * @param opening the fence, or the form that begins without one
   * @param raws what waits before the content
   */
  constructor(
    opening: Fence | HeldForm,
    raws: readonly string[],
    line: number,
    lead: Lead,
    around: Around,
  ) {
    this.#raws = [...raws];
    this.#line = line;
    this.#lead = lead;
    this.#around = around;
    if (typeof opening === "string") this.#form = opening;
    else {
      this.fence = opening;
      this.#path = pathOfInfo(opening.info);
    }
  }

  get isEdit(): boolean {
    return this.#form === "patch";
  }

  /** Nothing but the opening has come: the next line has to be whole to tell what the block is. */
  get isPending(): boolean {
    return this.#form === "pending";
  }

  /** The file that the block is for. */
  get path(): string | undefined {
    return this.#path ?? this.#lead.path;
  }

  /** Whether the beginning of a line can go out before the line is complete. */
  get passesStarts(): boolean {
    return (this.isPending || this.#form === "code") && !this.#around.text.holdsBlocks;
  }

  /** The beginning of a line goes out as text: the block is code. */
  passStart(start: string): void {
    this.#form = "code";
    this.#passRaws();
    this.#around.text.open(start);
  }

  /** The line whose beginnings went out is complete. */
  endStart(raw: string): void {
    this.#add(raw);
    this.#passed = this.#raws.length;
  }

  take(raw: string): readonly string[] | undefined {
    if (this.fence === undefined) return this.#takeBare(raw);
    const line = this.#lineOf(raw);
    // In a diff, a fence with a space before it is a line of the file.
    const isDiff = this.#form === "patch" || this.#form === "unified-diff";
    const isInside = isDiff && indentOf(line).length > this.fence.cover.indent;
    if (!isInside && closesCoveredFence(withoutLineEnd(raw), this.fence)) {
      this.#raws.push(raw);
      return this.#close(true);
    }
    if (this.#form !== "tool-call" && this.#beginsUnits(line)) return this.#leave(raw);
    if (this.isPending && isSolid(line)) this.#choose(line, this.fence.info);
    this.#add(raw);
    if (this.#form === "code" && !this.#around.text.holdsBlocks) this.#passRaws();
    return undefined;
  }

  end(isStopped: boolean): readonly string[] {
    if (this.fence === undefined) return this.#raws.length === 0 ? [] : this.#closeBare([]);
    if (isStopped || (this.#around.text.holdsBlocks && this.#form === "code"))
      return this.#close(false);
    this.#passRaws();
    return [];
  }

  #lineOf(raw: string): string {
    const line = withoutLineEnd(raw);
    return this.fence === undefined ? line : withoutQuotes(line, this.fence.cover);
  }

  #add(raw: string): void {
    this.#raws.push(raw);
    this.#lines.push(this.#lineOf(raw));
  }

  /** Units in a block that has begun otherwise make a block of text of what came before. */
  #leave(raw: string): readonly string[] {
    this.isDropped = this.isPending;
    if (!this.isDropped) {
      this.#around.text.decide();
      this.#passRaws();
    }
    return [raw];
  }

  #beginsUnits(line: string): boolean {
    if (readOpeningTag(line) !== undefined) return true;
    if (readRule(line, this.isPending ? shortestRule : fullRule)?.kind === "search") return true;
    const dressed = readDressedRule(line);
    return dressed !== undefined && (this.isPending || dressed.isSure);
  }

  /** The first line that is not blank; a path, once, or a tag may be before it. */
  #choose(line: string, info: string): void {
    const form = formThatBegins(line.trimStart());
    const path = this.#lines.some(isSolid) ? undefined : pathOfLine(line);
    if (form !== undefined) this.#form = form;
    else if (isWrapper(line)) this.#path = pathOfWrapper(line) ?? this.#path;
    else if (path === undefined)
      this.#form = /\b(?:u?diff|patch)\b/i.test(info) ? "unified-diff" : "code";
    else [this.#path, this.#pathAt] = [path, this.#lines.length];
  }

  #close(isClosed: boolean): readonly string[] {
    const edits = this.#read();
    if (edits !== undefined) {
      this.#around.drop();
      this.#around.edits.take(edits, this.path);
      this.isDropped = true;
    } else if (isClosed || (this.#form === "code" && this.#around.text.holdsBlocks))
      this.#keep(isClosed);
    else this.#passRaws();
    return [];
  }

  #read(): FileEdit[] | undefined {
    if (this.#form === "pending" || this.#form === "code") return undefined;
    const own = this.#lines.filter((_, at) => at !== this.#pathAt);
    return readForm(this.#form, withoutIndent(own, this.fence?.cover.indent ?? 0), this.#line);
  }

  #keep(isClosed: boolean): void {
    // What is empty behind the last line of a block that nothing closes is none of it.
    const size = isClosed ? this.#lines.length : this.#lines.findLastIndex(isSolid) + 1;
    const lines = withoutIndent(this.#lines.slice(0, size), this.fence?.cover.indent ?? 0);
    const given = heredocOf(lines);
    const block: CodeBlock = {
      info: given === undefined ? (this.fence?.info ?? "") : "",
      code: joinLines(given?.lines ?? lines),
      raw: this.#raws.slice(this.#passed).join(""),
      above: this.#lead.above,
      filePath: given?.filePath ?? this.path,
      option: this.#around.edits.heading,
      line: this.#line - 1,
      isClosed,
    };
    this.#around.keep(block);
    this.#around.text.addBlock(block);
  }

  #passRaws(): void {
    for (const raw of this.#raws.slice(this.#passed)) this.#around.text.open(raw);
    this.#passed = this.#raws.length;
  }

  #takeBare(raw: string): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    const form = this.#form as HeldForm;
    if (this.#lines.length > 0 && endsBefore(form, this.#lines, line))
      return this.#closeBare([raw]);
    this.#add(raw);
    return this.#end.isAt(form, line, this.#raws) ? this.#closeBare([]) : undefined;
  }

  /** @param next lines that come after */
  #closeBare(next: readonly string[]): readonly string[] {
    const size = this.#lines.findLastIndex(isSolid) + 1;
    const behind = this.#raws.splice(size);
    this.#lines.length = size;
    const edits = this.#read();
    this.isDropped = edits !== undefined;
    if (edits === undefined) {
      this.#around.pass([...this.#raws, ...behind]);
      return next;
    }
    this.#around.drop();
    this.#around.edits.take(edits, this.path);
    return [...behind, ...next];
  }
}

// Where a form ends that no fence is around.

/** Whether a line belongs no more to what has begun without a fence. */
function endsBefore(form: HeldForm, lines: readonly string[], line: string): boolean {
  const [first = "", last = ""] = [lines[0], lines.at(-1)];
  if (form === "tool-call" || (form === "patch" && beginsPatchItself(first))) return false;
  if (form === "search-tags" && endsSearchTag(last)) return readEverywhereTag(line) === undefined;
  // A fence behind the sign of a diff's line is text of the file.
  const isDiff = form === "patch" || form === "unified-diff";
  if (isFence(line)) return !isDiff || !/^[-+ ]/.test(line);
  if (readRule(line, fullRule)?.kind === "search" || readOpeningTag(line) !== undefined)
    return true;
  return form === "unified-diff" && endsDiff(lines.length, last, line);
}

const diffLine =
  /^(?:[-+]{3} |diff |index |@@|Index: |\\ |old mode|new mode|new file|deleted file|rename |similarity )/;

function endsDiff(count: number, last: string, line: string): boolean {
  if (last.startsWith("--- ") && count === 1) return !line.startsWith("+++ ");
  if (diffLine.test(line)) return false;
  const isHeader = /^(?:--- |\+\+\+ |diff |index |Index: |={20})/.test(last);
  if (isHeader && count < 6) return !/^[-+ @=]/.test(line);
  // A list that explains the diff comes after a blank line.
  if (last === "" && /^[-+*] \S/.test(line)) return true;
  return line !== "" && !/^[-+ \t]/.test(line);
}

/** In characters: so far the end of a call is looked for. */
const maxLooked = 10_000_000;

/** Looks for the line with which a form ends. */
class FormEnd {
  readonly #json = new JsonScan();
  #looked = 0;

  /** @param raws all lines so far */
  isAt(form: HeldForm, line: string, raws: readonly string[]): boolean {
    if (form === "patch") return endsPatch(line);
    if (form === "json") return !this.#json.opens(line);
    if (form === "search-tags") return readEverywhereTag(line) !== undefined;
    return form === "tool-call" && this.#endsCall(line, raws);
  }

  /** Its brackets close after a string, or on a line of their own; lines of code end so, too. */
  #endsCall(line: string, raws: readonly string[]): boolean {
    if (!/^(?:.*["'`],?)?\}?\){1,2};?$/.test(line.replaceAll(/[ \t]/g, ""))) return false;
    const text = raws.join("");
    this.#looked += text.length;
    return this.#looked > maxLooked || argumentsOf(text) !== undefined;
  }
}
