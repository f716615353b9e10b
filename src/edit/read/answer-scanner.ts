// The text of an answer in, without its reasoning, line by line; each line goes where it belongs.
import type { AnswerText } from "./answer-text.ts";
import { describeDiff } from "../describe/describe-error.ts";
import type { QuotingLine } from "./blocks/quoted-change.ts";
import type { CollectedEdits } from "./collected-edits.ts";
import { isDressedClosing, readDressedRule } from "./dress/dressed-rule.ts";
import { isClosingWrapper, isWrapper, pathOfWrapper } from "./dress/wrapper.ts";
import { isUnfinishedTag, maxTag, readClosingTag, readOpeningTag } from "./file-edit-tag.ts";
import type { CodeBlock, FileEdit } from "./file-edit.ts";
import { formThatBegins } from "./forms/read-form.ts";
import { closesFence, type Fence, FencePart, readFence } from "./parts/fence-part.ts";
import { FormPart } from "./parts/form-part.ts";
import { GuessPart } from "./parts/guess-part.ts";
import { PieceLoop } from "../../base/wire/progress.ts";
import { HeldPieces } from "../../base/text/held-pieces.ts";
import { isProse, isTooLong, mayBecomeForm, mayBecomeMark, mayBeLong } from "./held-line.ts";
import { LeadLines } from "./parts/lead-lines.ts";
import { type Left, type Part } from "./parts/part.ts";
import { type AnswerHabit, UnitsPart } from "./parts/units-part.ts";
import { readRule } from "./rule-line.ts";
import { withoutLineEnd } from "../../base/text/lines.ts";

/** A code fence that goes on around units; it is dropped with them, or it is text. */
interface Around {
  fence: Fence;
  isText: boolean;
}

export class AnswerScanner {
  /** Code blocks that are no explicit edits. */
  readonly blocks: CodeBlock[] = [];
  /** Lines of text that quote code. */
  readonly quoting: QuotingLine[] = [];
  readonly #edits: CollectedEdits;
  readonly #text: AnswerText;
  readonly #lead: LeadLines;
  readonly #habit: AnswerHabit;
  readonly #held = new HeldPieces();
  readonly #lines = new PieceLoop((raw) => this.#takeLine(raw));
  /** The line that has begun is held to its end, however long it is. */
  #isHeldLine = false;
  /** The beginning of this line went out as text: so it began. */
  #midLine: string | undefined;
  #part: Part | undefined;
  /** Lines that stand around edits, until it is clear whether one follows. */
  #covers: string[] = [];
  #around: Around | undefined;
  /** Nothing but blank lines and covers came since the last edit. */
  #isAfterEdit = false;
  #line = 0;

  constructor(edits: CollectedEdits, text: AnswerText, hasCode: boolean) {
    this.#habit = { least: undefined, hasCode };
    this.#edits = edits;
    this.#text = text;
    this.#lead = new LeadLines(edits, this.quoting);
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#held.add(text.slice(from, at + 1));
      from = at + 1;
      this.#takeHeld();
    }
    if (from < text.length) {
      this.#held.add(text.slice(from));
      this.#passStart();
    }
  }

  /** The answer ends here. */
  end(isStopped: boolean): void {
    if (this.#held.length > 0 || this.#midLine !== undefined) this.#takeHeld(true);
    const release = (): readonly string[] | undefined => {
      const part = this.#part;
      this.#part = undefined;
      return part && this.#endPart(part, part.end(isStopped));
    };
    this.#lines.end(release);
    this.#releaseCovers();
  }

  #takeHeld(isLast = false): void {
    const raw = this.#held.release();
    this.#isHeldLine = false;
    this.#line += 1;
    const isOpen = this.#part !== undefined && !(this.#part instanceof FencePart);
    if (!isOpen && this.#midLine === undefined && !isLast && isUnfinishedTag(raw)) {
      this.#held.add(raw);
      return;
    }
    this.#lines.read(raw);
  }

  /** Returns what is to be read anew; undefined where a part holds the line. */
  #takeLine(raw: string): readonly string[] | undefined {
    const part = this.#part;
    if (this.#midLine !== undefined) {
      this.#endMidLine(raw);
      return part === undefined ? [] : undefined;
    }
    return part === undefined ? this.#takeText(raw) : this.#takePart(part, raw);
  }

  #takePart(part: Part, raw: string): readonly string[] | undefined {
    const left = part.take(raw, this.#line);
    if (left === undefined) return undefined;
    this.#part = undefined;
    return this.#endPart(part, left);
  }

  /** Returns what is left of a part. */
  #endPart(part: Part, { texts, lines }: Left): readonly string[] {
    this.#isAfterEdit = texts.length === 0 && !(part instanceof FencePart && !part.isDropped);
    if (part instanceof FencePart) this.#endFence(part, lines);
    if (texts.length > 0) this.#releaseCovers();
    for (const raw of texts) this.#text.open(raw);
    return lines;
  }

  /** Units have begun in the block, unless no line is left. */
  #endFence(part: FencePart, lines: readonly string[]): void {
    if (part.isDropped) this.#covers = [];
    if (lines.length === 0) return;
    this.#around = { fence: part.fence, isText: !part.isDropped };
    this.#lead.name(part.path);
  }

  /** The line is not complete: what can be nothing but text goes out now. */
  #passStart(): void {
    if (this.#isHeldLine) return;
    const fence = this.#part instanceof FencePart ? this.#part : undefined;
    if (this.#part !== undefined && fence?.passesStarts !== true) return;
    if (this.#midLine !== undefined) {
      this.#passMore(this.#held.release());
      return;
    }
    const start = this.#held.text;
    const tag = isTooLong(start) ? undefined : readOpeningTag(start);
    if (tag !== undefined && fence === undefined) {
      this.#held.release();
      this.#held.add(tag.after);
      this.#lines.read(start.slice(0, start.length - tag.after.length));
      return;
    }
    if (tag !== undefined || fence?.isPending === true) return;
    if (this.#held.length < maxTag && mayBecomeMark(start)) return;
    if (fence === undefined && this.#held.length < maxTag && mayBecomeForm(start)) return;
    if (fence === undefined && mayBeLong(start)) {
      this.#isHeldLine = true;
      return;
    }
    this.#held.release();
    this.#midLine = start;
    if (fence === undefined) this.#beginText(start);
    else fence.passStart(start);
  }

  #passMore(text: string): void {
    this.#midLine += text;
    this.#text.add(text);
  }

  #endMidLine(raw: string): void {
    this.#passMore(raw);
    const line = this.#midLine ?? "";
    this.#midLine = undefined;
    if (this.#part instanceof FencePart) this.#part.endStart(line);
    else this.#lead.take(withoutLineEnd(line), this.#line);
  }

  #takeText(raw: string): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    if (isProse(line) || (isTooLong(raw.replace(/\n$/, "")) && !mayBeLong(line)))
      return this.#passLine(raw);
    const tag = readOpeningTag(line);
    if (tag !== undefined) {
      const [after] = afterTag(tag.after, raw);
      this.#part = this.#unitsPart(tag.filePath, true);
      return after === undefined ? undefined : this.#takePart(this.#part, after);
    }
    // The line closes a tag that has opened behind text.
    const closing = this.#isAfterEdit ? readClosingTag(line) : undefined;
    if (closing?.before.trim() === "") return afterTag(closing.after, raw);
    const units = this.#unitsOf(line);
    if (units !== undefined) return units === "none" ? [] : this.#open(units, raw);
    if (this.#isCover(line, raw)) return [];
    const fence = readFence(line);
    if (fence !== undefined) return this.#openFence(fence, raw);
    const form = formThatBegins(line.trimStart());
    const isList = /^[ \t]/.test(line) && (form === "unified-diff" || form === "patch");
    if (form === undefined || form === "labels" || isList) return this.#passLine(raw);
    const { path } = this.#lead.lead;
    return this.#open(new FormPart(form, this.#edits, path, this.#line, () => this.#drop()), raw);
  }

  /** The units that begin with the line; `none` if it ends none. */
  #unitsOf(line: string): Part | "none" | undefined {
    const rule = readRule(line, this.#habit.least ?? 0);
    const dressed = rule === undefined ? readDressedRule(line) : undefined;
    if (rule?.kind === "search" || dressed?.isSure === true)
      return this.#unitsPart(dressed?.filePath ?? this.#lead.lead.path, false);
    if (dressed !== undefined) {
      const path = dressed.filePath ?? this.#lead.lead.path;
      return new GuessPart(this.#edits, () => this.#openEdit(path));
    }
    if (this.#isAfterEdit && isDressedClosing(line)) return "none";
    const { unnamed } = this.#edits;
    if (rule?.kind === "replace" && unnamed !== undefined) {
      const message = `Line ${this.#line} is a REPLACE rule that ends no unit.`;
      this.#edits.fail(unnamed, describeDiff("malformed", message));
    }
    return undefined;
  }

  #unitsPart(path: string | undefined, isTagged: boolean): UnitsPart {
    return new UnitsPart(this.#edits, this.#openEdit(path), this.#habit, isTagged);
  }

  /** An explicit edit begins: what stood around it is no text. */
  #openEdit(path: string | undefined): FileEdit {
    this.#drop();
    return this.#edits.open(path, "units");
  }

  #drop(): void {
    this.#text.settle();
    this.#text.decide();
    this.#covers = [];
  }

  #open(part: Part, raw: string): readonly string[] | undefined {
    this.#part = part;
    return this.#takePart(part, raw);
  }

  #openFence(fence: Fence, raw: string): readonly string[] | undefined {
    const around = this.#around;
    if (around !== undefined && closesFence(withoutLineEnd(raw), around.fence)) {
      this.#around = undefined;
      return around.isText || !this.#isAfterEdit ? this.#passLine(raw) : [];
    }
    const raws = [...this.#covers, raw];
    this.#covers = [];
    this.#around = undefined;
    const keep = (block: CodeBlock) => this.blocks.push(block);
    const use = { edits: this.#edits, text: this.#text, keep };
    this.#part = new FencePart(fence, raws, this.#line, this.#lead.lead, use);
    return undefined;
  }

  /** Whether the line stands around edits; it waits, or is dropped after one. */
  #isCover(line: string, raw: string): boolean {
    if (isWrapper(line)) {
      if (this.#isAfterEdit && isClosingWrapper(line)) return true;
      this.#covers.push(raw);
      this.#lead.name(pathOfWrapper(line));
      return true;
    }
    if (this.#covers.length === 0 || line.trim() !== "") return false;
    this.#covers.push(raw);
    return true;
  }

  /** The line is nothing but text. */
  #passLine(raw: string): readonly string[] {
    this.#beginText(raw);
    this.#lead.take(withoutLineEnd(raw), this.#line);
    return [];
  }

  #beginText(start: string): void {
    if (start.trim() !== "") this.#isAfterEdit = false;
    this.#releaseCovers();
    this.#text.open(start);
  }

  #releaseCovers(): void {
    const covers = this.#covers;
    this.#covers = [];
    for (const raw of covers) this.#text.open(raw);
  }
}

/** What comes behind a tag on its line. */
function afterTag(text: string, raw: string): readonly string[] {
  return text.trim() === "" ? [] : [text + raw.slice(withoutLineEnd(raw).length)];
}
