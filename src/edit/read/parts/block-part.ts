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
import { readOpeningTag, readWrapper } from "../dress/tags.ts";
import type { CodeBlock, FileEdit } from "../file-edit.ts";
import {
  argumentsOf,
  beginsPatchItself,
  formThatBegins,
  type HeldForm,
  readForm,
} from "../forms/read-form.ts";
import { endsSearchTag, isEverywhereTag } from "../forms/search-tags.ts";
import { endsDiff, endsPatch } from "../forms/unified-diff.ts";
import { fullRule, readRule, shortestRule } from "../rule-line.ts";
import type { LeadLines } from "../lead-lines.ts";
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

/**
 * A code block, or another form without a fence. The first line of a block that is not blank decides: units (then it is
 * over, and so is the block for the text), another form that is held to the end of the block, or code, which goes on as it
 * comes or is held.
 */
export class BlockPart implements Part {
  readonly fence: Fence | undefined;
  isDropped = false;
  readonly #around: Around;
  /** What the answer has told of it before it begins. */
  readonly #lead: LeadLines["lead"];
  /** The first line of its content in the answer, 1-based. */
  readonly #line: number;
  /** Wrappers before the fence, the fence, and lines after it. */
  readonly #raws: string[];
  /** Those after it, without marks of quotations. */
  readonly #lines: string[] = [];
  /** Undefined as long as nothing but the opening has come. */
  #form: "code" | HeldForm | undefined;
  #path: string | undefined;
  /** The line below the fence that names it. */
  #pathAt = -1;
  /** Lines that went out as text. */
  #passed = 0;
  readonly #json = new JsonScan();
  #looked = 0;

  /**
   * @param opening the fence, or the form that begins without one
   * @param raws what waits before the content
   */
  constructor(opening: Fence | HeldForm, raws: readonly string[], line: number, around: Around) {
    this.#raws = [...raws];
    this.#line = line;
    this.#lead = around.lead.lead;
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

  /** The file that the block is for. */
  get path(): string | undefined {
    return this.#path ?? this.#lead.path;
  }

  /** The beginning of a line can go out before the line is complete. */
  get passesStarts(): boolean {
    return this.#form === "code" && !this.#around.text.holdsBlocks;
  }

  /** The line whose beginnings went out is complete. */
  endStart(raw: string): void {
    this.#add(raw);
    this.#passed = this.#raws.length;
  }

  take(raw: string): readonly string[] | undefined {
    const line = this.#lineOf(raw);
    const { fence } = this;
    if (fence === undefined) {
      if (this.#endsBefore(line)) return this.#close([raw], true);
      this.#add(raw);
      return this.#endsWith(line) ? this.#close([], true) : undefined;
    }
    // In a diff, a fence with a space before it is a line of the file.
    const isInside = this.#isDiff && indentOf(line).length > fence.cover.indent;
    if (!isInside && closesCoveredFence(withoutLineEnd(raw), fence)) {
      this.#raws.push(raw);
      return this.#close([], true);
    }
    if (this.#form !== "tool-call" && this.#beginsUnits(line)) return this.#leave(raw);
    if (this.#form === undefined && isSolid(line)) this.#choose(line, fence.info);
    this.#add(raw);
    if (this.passesStarts) this.#passRaws();
    return undefined;
  }

  end(isStopped: boolean): readonly string[] {
    const isKept = this.#around.text.holdsBlocks && this.#form === "code";
    if (isStopped || isKept || this.fence === undefined) return this.#close([], false);
    this.#passRaws();
    return [];
  }

  get #isDiff(): boolean {
    return this.#form === "patch" || this.#form === "unified-diff";
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
    this.isDropped = this.#form === undefined;
    if (!this.isDropped) {
      this.#around.text.decide();
      this.#passRaws();
    }
    return [raw];
  }

  #beginsUnits(line: string): boolean {
    if (readOpeningTag(line) !== undefined) return true;
    const isFirst = this.#form === undefined;
    if (readRule(line, isFirst ? shortestRule : fullRule)?.kind === "search") return true;
    const dressed = readDressedRule(line);
    return dressed !== undefined && (isFirst || dressed.isSure);
  }

  /** The first line that is not blank; a path, once, or a tag may be before it. */
  #choose(line: string, info: string): void {
    const form = formThatBegins(line.trimStart());
    const path = this.#lines.some(isSolid) ? undefined : pathOfLine(line);
    const tag = readWrapper(line);
    if (form !== undefined) this.#form = form;
    else if (tag !== undefined) this.#path = tag.path ?? this.#path;
    else if (path === undefined)
      this.#form = /\b(?:u?diff|patch)\b/i.test(info) ? "unified-diff" : "code";
    else [this.#path, this.#pathAt] = [path, this.#lines.length];
  }

  /** @param next lines that come after */
  #close(next: readonly string[], isClosed: boolean): readonly string[] {
    // Blank lines behind what has no fence are none of it.
    const size = this.fence === undefined ? this.#lines.findLastIndex(isSolid) + 1 : Infinity;
    const behind = this.#raws.slice(size);
    const edits = this.#read(this.#lines.slice(0, size));
    this.isDropped = edits.length > 0;
    if (this.isDropped) {
      this.#around.text.decide();
      this.#around.edits.take(edits, this.path);
      return [...behind, ...next];
    }
    const isKept = isClosed || (this.#form === "code" && this.#around.text.holdsBlocks);
    if (this.fence !== undefined && isKept) this.#keep(this.fence, isClosed);
    else this.#passRaws();
    return next;
  }

  #read(lines: readonly string[]): FileEdit[] {
    if (this.#form === undefined || this.#form === "code") return [];
    const own = lines.filter((_, at) => at !== this.#pathAt);
    return readForm(this.#form, withoutIndent(own, this.fence?.cover.indent ?? 0), this.#line);
  }

  #keep(fence: Fence, isClosed: boolean): void {
    // What is empty behind the last line of a block that nothing closes is none of it.
    const size = isClosed ? this.#lines.length : this.#lines.findLastIndex(isSolid) + 1;
    const lines = withoutIndent(this.#lines.slice(0, size), fence.cover.indent);
    // A line that is all of the code is no path of it.
    if (this.#pathAt !== -1 && lines.filter(isSolid).length === 1) this.#path = undefined;
    const block: CodeBlock = {
      info: fence.info,
      code: joinLines(lines),
      raw: this.#raws.slice(this.#passed).join(""),
      above: this.#lead.above,
      filePath: this.path,
      option: this.#around.edits.heading,
      line: this.#line - 1,
      isClosed,
    };
    this.#around.text.addBlock(block);
  }

  #passRaws(): void {
    this.#around.text.pass(this.#raws.slice(this.#passed));
    this.#passed = this.#raws.length;
  }

  // Where a form ends that no fence is around.

  /** Whether a line belongs no more to what has begun. */
  #endsBefore(line: string): boolean {
    const [first, last = ""] = [this.#lines[0], this.#lines.at(-1)];
    if (first === undefined || this.#form === "tool-call") return false;
    if (this.#form === "patch" && beginsPatchItself(first)) return false;
    if (this.#form === "search-tags" && endsSearchTag(last)) return !isEverywhereTag(line);
    // A fence behind the sign of a diff's line is text of the file.
    if (isFence(line)) return !this.#isDiff || !/^[-+ ]/.test(line);
    if (readRule(line, fullRule)?.kind === "search" || readOpeningTag(line) !== undefined)
      return true;
    return this.#form === "unified-diff" && endsDiff(this.#lines.length, last, line);
  }

  #endsWith(line: string): boolean {
    if (this.#form === "patch") return endsPatch(line);
    if (this.#form === "json") return !this.#json.opens(line);
    if (this.#form === "search-tags") return isEverywhereTag(line);
    return this.#form === "tool-call" && this.#endsCall(line);
  }

  /** Its brackets close after a string, or on a line of their own; lines of code end so, too. */
  #endsCall(line: string): boolean {
    if (!/^(?:.*["'`],?)?\}?\){1,2};?$/.test(line.replaceAll(/[ \t]/g, ""))) return false;
    const text = this.#raws.join("");
    this.#looked += text.length;
    return this.#looked > maxLooked || argumentsOf(text) !== undefined;
  }
}

/** In characters: so far the end of a call is looked for. */
const maxLooked = 10_000_000;
