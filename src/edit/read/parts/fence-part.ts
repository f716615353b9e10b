import { type FenceLine, closesFence, readFence } from "../../../base/text/fence.ts";
import type { AnswerText } from "../answer-text.ts";
import type { CollectedEdits } from "../collected-edits.ts";
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
import type { CodeBlock } from "../file-edit.ts";
import { formThatBegins, type HeldForm, isWhole, readForm } from "../forms/read-form.ts";
import { fullRule, readRule, shortestRule } from "../rule-line.ts";
import { type Left, nothingLeft, type Part } from "./part.ts";
import { indentOf, joinLines, withoutLineEnd } from "../../../base/text/lines.ts";

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

/** What the answer has told of a block before it begins. */
export interface Lead {
  above: string;
  path: string | undefined;
}

interface FenceUse {
  edits: CollectedEdits;
  text: AnswerText;
  /** Takes each block that was read to its end and is no explicit edit. */
  keep: (block: CodeBlock) => void;
}

/**
 * A code block. Its first line that is not blank decides: units (then it is over, and so is the block for the
 * text), another form that is held to the end of the block, or code, which goes on as it comes or is held.
 */
export class FencePart implements Part {
  readonly fence: Fence;
  readonly #use: FenceUse;
  readonly #lead: Lead;
  readonly #line: number;
  /** Wrappers before the fence, the fence, and lines after it. */
  readonly #raws: string[];
  readonly #headLength: number;
  #mode: "pending" | "code" | HeldForm = "pending";
  #path: string | undefined;
  /** The line below the fence that names it. */
  #pathAt: number | undefined;
  /** Lines that went out as text. */
  #passed = 0;
  #isDropped = false;

  /** @param raws what waits before the block, and its opening fence */
  constructor(fenceOf: Fence, raws: readonly string[], line: number, lead: Lead, use: FenceUse) {
    this.fence = fenceOf;
    this.#raws = [...raws];
    this.#headLength = raws.length;
    this.#line = line;
    this.#lead = lead;
    this.#use = use;
    this.#path = pathOfInfo(fenceOf.info);
  }

  /** After units have begun in it: nothing of the block was text. */
  get isDropped(): boolean {
    return this.#isDropped;
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
    return (this.#mode === "pending" || this.#mode === "code") && !this.#use.text.holdsBlocks;
  }

  /** The beginning of a line goes out as text: the block is code. */
  passStart(start: string): void {
    this.#mode = "code";
    this.#passRaws();
    this.#use.text.open(start);
  }

  /** The line whose beginnings went out is complete. */
  endStart(raw: string): void {
    this.#raws.push(raw);
    this.#passed = this.#raws.length;
  }

  take(raw: string): Left | undefined {
    const line = withoutLineEnd(raw);
    // In a diff, a fence with a space before it is a line of the file.
    const isDiff = this.#mode === "patch" || this.#mode === "unified-diff";
    const indent = isDiff ? indentOf(withoutQuotes(line, this.fence.cover)).length : 0;
    if (closesCoveredFence(line, this.fence) && indent <= this.fence.cover.indent)
      return this.#close(raw);
    if (this.#mode !== "tool-call" && this.#beginsUnits(line)) return this.#leave(raw);
    if (this.#mode === "pending" && line.trim() !== "")
      this.#choose(withoutQuotes(line, this.fence.cover));
    this.#raws.push(raw);
    if (this.#mode === "code" && !this.#use.text.holdsBlocks) this.#passRaws();
    return undefined;
  }

  end(isStopped: boolean): Left {
    const edits = this.#readHeld();
    if (edits !== undefined && isStopped) return this.#takeEdits(edits);
    if (this.#use.text.holdsBlocks && this.#mode === "code") this.#keep(false);
    else this.#passRaws();
    return nothingLeft;
  }

  /** Units in a block that has begun otherwise make a block of text of what came before. */
  #leave(raw: string): Left {
    this.#isDropped = this.#mode === "pending";
    if (!this.#isDropped) {
      this.#use.text.decide();
      this.#passRaws();
    }
    return { texts: [], lines: [raw] };
  }

  #beginsUnits(line: string): boolean {
    const content = withoutQuotes(line, this.fence.cover);
    if (readOpeningTag(content) !== undefined) return true;
    const least = this.#mode === "pending" ? shortestRule : fullRule;
    if (readRule(content, least)?.kind === "search") return true;
    const dressed = readDressedRule(line);
    return dressed !== undefined && (this.#mode === "pending" || dressed.isSure);
  }

  /** The first line that is not blank. */
  #choose(line: string): void {
    const form = formThatBegins(line.trimStart());
    const isPatch = form === "patch" || form === "unified-diff";
    if (form !== undefined) this.#mode = form;
    else if (isWrapper(line)) this.#path = pathOfWrapper(line) ?? this.#path;
    else if (this.#mayBePath(line)) {
      this.#path = pathOfLine(line);
      this.#pathAt = this.#raws.length - this.#headLength;
    } else this.#mode = "code";
    const isDiff = /\b(?:u?diff|patch)\b/i.test(this.fence.info);
    if (isDiff && !isPatch && form !== "search-tags" && this.#mode === "code")
      this.#mode = "unified-diff";
  }

  /** Units may follow a path, once. */
  #mayBePath(line: string): boolean {
    const isFirst = this.#raws.slice(this.#headLength).every((raw) => raw.trim() === "");
    return isFirst && pathOfLine(line) !== undefined;
  }

  #close(raw: string): Left {
    this.#raws.push(raw);
    const edits = this.#readHeld();
    if (edits !== undefined) return this.#takeEdits(edits);
    this.#keep(true);
    return nothingLeft;
  }

  #takeEdits(edits: NonNullable<ReturnType<typeof readForm>>): Left {
    this.#use.text.decide();
    this.#use.edits.take(edits, this.path);
    this.#isDropped = true;
    return nothingLeft;
  }

  #readHeld(): ReturnType<typeof readForm> {
    if (this.#mode === "pending" || this.#mode === "code") return undefined;
    const lines = this.#codeLines().map((line, at) => (at === this.#pathAt ? "" : line));
    return isWhole(this.#mode, lines) ? readForm(this.#mode, lines, this.#line + 1) : undefined;
  }

  #codeLines(): readonly string[] {
    const { cover } = this.fence;
    const all = this.#raws
      .slice(this.#headLength)
      .map((raw) => withoutQuotes(withoutLineEnd(raw), cover));
    const isClosed = all.length > 0 && closesCoveredFence(all.at(-1) ?? "", this.fence);
    return withoutIndent(isClosed ? all.slice(0, -1) : all, cover.indent);
  }

  #keep(isClosed: boolean): void {
    const lines = this.#codeLines();
    const given = heredocOf(lines);
    const block: CodeBlock = {
      info: given === undefined ? this.fence.info : "",
      code: joinLines(given?.lines ?? lines),
      raw: this.#raws.slice(this.#passed).join(""),
      above: this.#lead.above,
      filePath: given?.filePath ?? this.path,
      option: this.#use.edits.heading,
      line: this.#line,
      isClosed,
    };
    this.#use.keep(block);
    this.#use.text.addBlock(block);
  }

  #passRaws(): void {
    for (const raw of this.#raws.slice(this.#passed)) this.#use.text.open(raw);
    this.#passed = this.#raws.length;
  }
}
