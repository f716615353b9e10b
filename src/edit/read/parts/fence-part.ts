import { type FenceLine, closesFence, readFence } from "../../../base/text/fence.ts";
import { indentOf, isSolid, joinLines, withoutLineEnd } from "../../../base/text/lines.ts";
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
import { formThatBegins, type HeldForm, readForm } from "../forms/read-form.ts";
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
  return closesFence(withoutQuotes(line, cover).trim(), { indent: "", run });
}

/** Signs of the model's own right behind the closing fence, such as `</s>`. */
const tokens = /^(`{3,}|~{3,})(?:<[^<>\s]{1,40}>)+$/;

/** What the answer has told of a block before it begins. */
export interface Lead {
  above: string;
  path: string | undefined;
}

/**
 * A code block. Its first line that is not blank decides: units (then it is over, and so is the block for the
 * text), another form that is held to the end of the block, or code, which goes on as it comes or is held.
 */
export class FencePart implements Part {
  readonly fence: Fence;
  /** After units have begun in it: nothing of the block was text. */
  isDropped = false;
  readonly #around: Around;
  readonly #lead: Lead;
  readonly #line: number;
  /** Wrappers before the fence, the fence, and lines after it. */
  readonly #raws: string[];
  /** Those after it, without marks of quotations. */
  readonly #lines: string[] = [];
  #mode: "pending" | "code" | HeldForm = "pending";
  #path: string | undefined;
  /** The line below the fence that names it. */
  #pathAt = -1;
  /** Lines that went out as text. */
  #passed = 0;

  /** @param raws what waits before the block, and its opening fence */
  constructor(fence: Fence, raws: readonly string[], line: number, lead: Lead, around: Around) {
    this.fence = fence;
    this.#raws = [...raws];
    this.#line = line;
    this.#lead = lead;
    this.#around = around;
    this.#path = pathOfInfo(fence.info);
  }

  get isEdit(): boolean {
    return this.#mode === "patch";
  }

  /** Nothing but the opening has come: the next line has to be whole to tell what the block is. */
  get isPending(): boolean {
    return this.#mode === "pending";
  }

  /** The file that the block is for. */
  get path(): string | undefined {
    return this.#path ?? this.#lead.path;
  }

  /** Whether the beginning of a line can go out before the line is complete. */
  get passesStarts(): boolean {
    return (this.#mode === "pending" || this.#mode === "code") && !this.#around.text.holdsBlocks;
  }

  /** The beginning of a line goes out as text: the block is code. */
  passStart(start: string): void {
    this.#mode = "code";
    this.#passRaws();
    this.#around.text.open(start);
  }

  /** The line whose beginnings went out is complete. */
  endStart(raw: string): void {
    this.#add(raw);
    this.#passed = this.#raws.length;
  }

  take(raw: string): readonly string[] | undefined {
    const line = this.#lineOf(raw);
    // In a diff, a fence with a space before it is a line of the file.
    const isDiff = this.#mode === "patch" || this.#mode === "unified-diff";
    const isInside = isDiff && indentOf(line).length > this.fence.cover.indent;
    const bare = line.trim().replace(tokens, "$1");
    if (!isInside && closesFence(bare, { indent: "", run: this.fence.run }))
      return this.#close(raw);
    if (this.#mode !== "tool-call" && this.#beginsUnits(line)) return this.#leave(raw);
    if (this.#mode === "pending" && isSolid(line)) this.#choose(line);
    this.#add(raw);
    if (this.#mode === "code" && !this.#around.text.holdsBlocks) this.#passRaws();
    return undefined;
  }

  end(isStopped: boolean): readonly string[] {
    const edits = isStopped ? this.#readHeld() : undefined;
    if (edits !== undefined) this.#takeEdits(edits);
    else if (this.#around.text.holdsBlocks && this.#mode === "code") this.#keep(false);
    else this.#passRaws();
    return [];
  }

  #lineOf(raw: string): string {
    return withoutQuotes(withoutLineEnd(raw), this.fence.cover);
  }

  #add(raw: string): void {
    this.#raws.push(raw);
    this.#lines.push(this.#lineOf(raw));
  }

  /** Units in a block that has begun otherwise make a block of text of what came before. */
  #leave(raw: string): readonly string[] {
    this.isDropped = this.#mode === "pending";
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
  #choose(line: string): void {
    const form = formThatBegins(line.trimStart());
    const isDiff = form === "patch" || form === "unified-diff";
    const path = this.#lines.some(isSolid) ? undefined : pathOfLine(line);
    if (form !== undefined) this.#mode = form;
    else if (isWrapper(line)) this.#path = pathOfWrapper(line) ?? this.#path;
    else if (path === undefined) this.#mode = "code";
    else [this.#path, this.#pathAt] = [path, this.#lines.length];
    if (!isDiff && this.#mode === "code" && /\b(?:u?diff|patch)\b/i.test(this.fence.info))
      this.#mode = "unified-diff";
  }

  #close(raw: string): readonly string[] {
    this.#raws.push(raw);
    const edits = this.#readHeld();
    if (edits !== undefined) this.#takeEdits(edits);
    else this.#keep(true);
    return [];
  }

  #takeEdits(edits: readonly FileEdit[]): void {
    this.#around.text.decide();
    this.#around.edits.take(edits, this.path);
    this.isDropped = true;
  }

  #readHeld(): FileEdit[] | undefined {
    if (this.#mode === "pending" || this.#mode === "code") return undefined;
    const own = this.#lines.filter((_, at) => at !== this.#pathAt);
    const lines = withoutIndent(own, this.fence.cover.indent);
    return readForm(this.#mode, lines, this.#line + 1);
  }

  #keep(isClosed: boolean): void {
    // What is empty behind the last line of a block that nothing closes is none of it.
    const size = isClosed ? this.#lines.length : this.#lines.findLastIndex(isSolid) + 1;
    const lines = withoutIndent(this.#lines.slice(0, size), this.fence.cover.indent);
    const given = heredocOf(lines);
    const block: CodeBlock = {
      info: given === undefined ? this.fence.info : "",
      code: joinLines(given?.lines ?? lines),
      raw: this.#raws.slice(this.#passed).join(""),
      above: this.#lead.above,
      filePath: given?.filePath ?? this.path,
      option: this.#around.edits.heading,
      line: this.#line,
      isClosed,
    };
    this.#around.keep(block);
    this.#around.text.addBlock(block);
  }

  #passRaws(): void {
    for (const raw of this.#raws.slice(this.#passed)) this.#around.text.open(raw);
    this.#passed = this.#raws.length;
  }
}
