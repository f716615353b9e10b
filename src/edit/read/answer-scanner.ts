// The text of an answer in, without its reasoning, line by line; each line goes where it belongs.
import type { AnswerText } from "./answer-text.ts";
import { describeDiff } from "../describe-error.ts";
import { type QuotingLine, maxQuoting, quotesCode } from "./blocks/quoted-change.ts";
import type { CollectedEdits } from "./collected-edits.ts";
import { coverOf, isDressedClosing, readDressedRule } from "./dress/dressed-rule.ts";
import { isClosingWrapper, isWrapper, isWrapperName, pathOfWrapper } from "./dress/wrapper.ts";
import {
  decodeEntities,
  isUnfinishedTag,
  maxTag,
  readClosingTag,
  readOpeningTag,
} from "./file-edit-tag.ts";
import type { CodeBlock, FileEdit } from "./file-edit.ts";
import { formThatBegins, mayBecomeCall } from "./forms/read-form.ts";
import {
  type Fence,
  FencePart,
  type Lead,
  closesCoveredFence,
  readCoveredFence,
} from "./parts/fence-part.ts";
import { FormPart } from "./parts/form-part.ts";
import { PieceLoop } from "../../base/text/progress.ts";
import { HeldPieces, trimEndSigns, withoutLineEnd } from "../../base/text/lines.ts";
import type { Left, Part } from "./parts/part.ts";
import { type AnswerHabit, UnitsPart } from "./parts/units-part.ts";
import { readRule } from "./rule-line.ts";
import { beginsJson } from "./forms/json-edits.ts";
import { sideOfName } from "./side-words.ts";
import { UnitReader } from "./unit-reader.ts";
import { headingLevel, labelOf, optionOf } from "./blocks/block-label.ts";
import { pathInSentence, pathOfLine } from "./dress/path-in-text.ts";

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
  /** Lines that are around edits, until it is clear whether one follows. */
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

  get isEdit(): boolean {
    return this.#part?.isEdit === true;
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
    if (this.#held.length < maxTag) {
      if (mayBecomeMark(start)) return;
      if (fence === undefined && mayBecomeHeader(start.trimStart())) return;
    }
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
    const fence = readCoveredFence(line);
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
    if (around !== undefined && closesCoveredFence(withoutLineEnd(raw), around.fence)) {
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

  /** Whether the line is around edits; it waits, or is dropped after one. */
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

// The beginning of a line, of which more may come: whether it may yet be anything but text.

/** So many signs without a letter or a digit are text. */
const maxSigns = 200;
const signs = /^[^\p{L}\p{N}]*/u;
const headers = ["diff --git ", "Index: ", "apply_patch"];

/** It may become a tag, a rule or a code fence, in any dress: signs decide, and the name of a tag. */
export function mayBecomeMark(start: string): boolean {
  if (/^\p{L}/u.test(start)) return false;
  if (/^[ \t>]*\d{1,3}[.)]?$/.test(start) || isUnfinishedTag(start)) return true;
  const line = start.includes("&") ? decodeEntities(start).replace(/&\w{0,4}$/, "") : start;
  const { content } = coverOf(line);
  const leadOf = (text: string): string => signs.exec(text.slice(0, maxSigns))?.[0] ?? "";
  const lead = leadOf(content);
  if (lead.length === maxSigns || lead.length === content.length) return lead.length < maxSigns;
  // A rule of ">" looks like marks of quotations.
  const [, run] = /([-+<>=@*~`])\1\1/.exec(leadOf(line) + lead) ?? [];
  if (run === "`" && content.includes("`", lead.length)) return false;
  return run !== undefined || mayBecomeTag(content);
}

function mayBecomeTag(start: string): boolean {
  const [, name = "", after] = /^<[/?!]?\[?([A-Za-z][\w-]{0,40})(.?)/.exec(start) ?? [];
  return (
    name !== "" &&
    (after === "" || isWrapperName(name) || name === "file-edit" || sideOfName(name) === "old")
  );
}

/** A line that begins with a letter, as most text does, and not as one of the few forms that do. */
function isProse(start: string): boolean {
  return /^\p{L}/u.test(start) && !mayBecomeHeader(start);
}

function mayBecomeHeader(start: string): boolean {
  const begins = (header: string) => header.startsWith(start) || start.startsWith(header);
  return headers.some(begins) || mayBecomeCall(start);
}

/** The beginning of a form that may be on one line, however long. */
export function mayBeLong(start: string): boolean {
  const line = start.trimStart();
  const isBracket = /^[{[]$/.test(trimEndSigns(line.slice(0, maxSigns), " \t"));
  return isBracket || beginsJson(line) || mayBecomeCall(line);
}

/** The line has no end where a mark would have to end, so however it is cut, it is text. */
function isTooLong(line: string): boolean {
  return line.length >= maxTag && readOpeningTag(line.slice(0, maxTag)) === undefined;
}

/** A unit whose words are not those of the format: if it cannot be read it is text, and no fault. */
class GuessPart implements Part {
  readonly isEdit = true;
  readonly #edits: CollectedEdits;
  readonly #open: () => FileEdit;
  readonly #reader = new UnitReader();
  readonly #raws: string[] = [];

  /** @param open opens the file of the unit; called once it is sure that it is one */
  constructor(edits: CollectedEdits, open: () => FileEdit) {
    this.#edits = edits;
    this.#open = open;
  }

  take(raw: string, number: number): Left | undefined {
    const line = withoutLineEnd(raw);
    this.#reader.push(line, number, true);
    if (this.#reader.error !== undefined) return this.#toText(raw);
    if (this.#reader.isInside) {
      // The next unit has begun: the one before is read.
      if (this.#reader.units.length > 0) return this.#close([raw]);
      this.#raws.push(raw);
      return undefined;
    }
    return this.#reader.units.length > 0 ? this.#close([raw]) : this.#toText(raw);
  }

  end(): Left {
    this.#reader.end();
    return this.#reader.error === undefined ? this.#close([]) : this.#toText();
  }

  #close(lines: readonly string[]): Left {
    const edit = this.#open();
    const [openingLine = ""] = this.#raws.map(withoutLineEnd);
    for (const unit of this.#reader.units)
      this.#edits.add(edit, { ...unit, openingLine: openingLine.trim() }, "units");
    return { texts: [], lines };
  }

  #toText(next?: string): Left {
    const rest = next === undefined ? [] : [next];
    return { texts: this.#raws, lines: rest };
  }
}

// What the text above an edit says of it: which file, and whether it is one of several options.

/** Below every heading of Markdown. */
const lowest = 7;

/** Follows the lines of text of an answer. */
class LeadLines {
  readonly #edits: CollectedEdits;
  #above = "";
  /** Named by the last line of text, unless something else was named since. */
  #near: { path: string | undefined } | undefined;
  /** Named by the last heading. */
  #section: string | undefined;
  #optionLevel = lowest;
  readonly #quoting: QuotingLine[];

  /** @param quoting takes the lines of text that quote code */
  constructor(edits: CollectedEdits, quoting: QuotingLine[]) {
    this.#edits = edits;
    this.#quoting = quoting;
  }

  get lead(): Lead {
    this.#near ??= { path: pathOf(this.#above) };
    return { above: this.#above, path: this.#near.path ?? this.#section };
  }

  /** The next path is that of the line, which is no text. */
  name(path: string | undefined): void {
    if (path !== undefined) this.#near = { path };
  }

  /**
   * Takes a line of text outside of code.
   *
   * @param number of the line, 1-based
   */
  take(line: string, number: number): void {
    if (line.trim() === "") return;
    if (this.#quoting.length <= maxQuoting && quotesCode(line))
      this.#quoting.push({ text: line, line: number });
    this.#above = line.slice(0, 1_000);
    this.#near = undefined;
    const level = headingLevel(line);
    if (level !== undefined || isBold(line)) this.#section = pathOf(line);
    const title = optionOf(line);
    if (title !== undefined) {
      this.#edits.enter({ title, line: number });
      this.#optionLevel = level ?? lowest;
    } else if (level !== undefined && level <= this.#optionLevel && labelOf(line) === undefined)
      this.#edits.enter(undefined);
  }
}

/** The path of an opening tag that a line of text ends with. */
function pathOfTag(line: string): string | undefined {
  const at = line.length < maxTag ? line.lastIndexOf("<file-edit") : -1;
  const tag = at === -1 ? undefined : readOpeningTag(line.slice(at));
  return tag?.after.trim() === "" ? tag.filePath : undefined;
}

/** The path that the line names for what follows it. */
function pathOf(line: string): string | undefined {
  const isLead = headingLevel(line) !== undefined || /[:：][*_`]*$/.test(trimEndSigns(line, " \t"));
  return pathOfTag(line) ?? (isLead ? pathInSentence(line) : pathOfLine(line));
}

function isBold(line: string): boolean {
  return /^[ \t]*(?:\*\*|__)[^*_]+(?:\*\*|__):?$/.test(trimEndSigns(line, " \t"));
}
