// The text of an answer in, without its reasoning, line by line; each line goes where it belongs.
import { describeDiff } from "../describe-error.ts";
import { isSolid, linesWithEnds, trimEndSigns, withoutLineEnd } from "../../base/text/lines.ts";
import { PieceLoop } from "../../base/text/progress.ts";
import type { AnswerText } from "./answer-text.ts";
import type { CollectedEdits } from "./collected-edits.ts";
import { coverOf, readDressedRule } from "./dress/dressed-rule.ts";
import {
  decodeEntities,
  isUnfinishedTag,
  isWrapperName,
  maxTag,
  readClosingTag,
  readOpeningTag,
  readWrapper,
} from "./dress/tags.ts";
import { beginsJson } from "./forms/json-edits.ts";
import { formThatBegins, mayBecomeCall } from "./forms/read-form.ts";
import { LeadLines } from "./lead-lines.ts";
import { BlockPart, type Fence, closesCoveredFence, readCoveredFence } from "./parts/block-part.ts";
import type { Around, Part } from "./parts/part.ts";
import { TagPart } from "./parts/tag-part.ts";
import { fullRule, readRule } from "./rule-line.ts";
import { sideOfName } from "./side-words.ts";
import { UnitReader } from "./unit-reader.ts";

export class AnswerScanner implements Around {
  readonly edits: CollectedEdits;
  readonly text: AnswerText;
  readonly hasCode: boolean;
  least: number | undefined;
  readonly lead: LeadLines;
  /** The beginning of a line that is not complete. */
  #held = "";
  readonly #lines = new PieceLoop((raw) => this.#takeLine(raw));
  /** The line that has begun is held to its end, however long it is. */
  #isHeldLine = false;
  /** The beginning of this line went out as text: so it began. */
  #midLine: string | undefined;
  #part: Part | undefined;
  /** A code fence that goes on around units; it is dropped with them, or it is text. */
  #outer: { fence: Fence; isText: boolean } | undefined;
  /** Nothing but blank lines and covers came since the last edit. */
  #isAfterEdit = false;
  #line = 0;

  constructor(edits: CollectedEdits, text: AnswerText, hasCode: boolean, file: string) {
    this.edits = edits;
    this.text = text;
    this.hasCode = hasCode;
    this.lead = new LeadLines(edits, file);
  }

  get isEdit(): boolean {
    return this.#part?.isEdit === true;
  }

  push(text: string): void {
    for (const piece of linesWithEnds(text)) {
      this.#held += piece;
      if (piece.endsWith("\n")) this.#takeHeld();
      else this.#passStart();
    }
  }

  /** The answer ends here. */
  end(isStopped: boolean): void {
    if (this.#held.length > 0 || this.#midLine !== undefined) this.#takeHeld(true);
    this.#lines.end(() => {
      const part = this.#part;
      return part && this.#endPart(part, part.end(isStopped));
    });
    this.text.pass([]);
  }

  #takeHeld(isLast = false): void {
    const raw = this.#held;
    this.#held = "";
    this.#isHeldLine = false;
    this.#line += 1;
    const isText = this.#part === undefined || this.#part instanceof BlockPart;
    if (isText && this.#midLine === undefined && !isLast && isUnfinishedTag(raw)) this.#held = raw;
    else this.#lines.read(raw);
  }

  /** Returns what is to be read anew; undefined where a part holds the line. */
  #takeLine(raw: string): readonly string[] | undefined {
    const part = this.#part;
    if (this.#midLine === undefined)
      return part === undefined ? this.#takeText(raw) : this.#takePart(part, raw);
    this.#passMore(raw);
    const line = this.#midLine;
    this.#midLine = undefined;
    if (part instanceof BlockPart) part.endStart(line);
    else this.#takeLead(line);
    return part === undefined ? [] : undefined;
  }

  #takePart(part: Part, raw: string): readonly string[] | undefined {
    this.#part = part;
    const left = part.take(raw, this.#line);
    return left && this.#endPart(part, left);
  }

  /** Returns what is left of a part. */
  #endPart(part: Part, lines: readonly string[]): readonly string[] {
    this.#part = undefined;
    this.#isAfterEdit = part.isDropped;
    if (part instanceof BlockPart && part.fence !== undefined && lines.length > 0) {
      // Units have begun in the block.
      this.#outer = { fence: part.fence, isText: !part.isDropped };
      this.lead.name(part.path);
    }
    return lines;
  }

  /** The line is not complete: what can be nothing but text goes out now. */
  #passStart(): void {
    const block = this.#part instanceof BlockPart ? this.#part : undefined;
    if (this.#isHeldLine || (this.#part !== undefined && block?.passesStarts !== true)) return;
    const start = this.#held;
    if (this.#midLine !== undefined) {
      this.#held = "";
      this.#passMore(start);
      return;
    }
    if (start.length < maxTag) {
      if (mayBecomeMark(start)) return;
      if (block === undefined && mayBecomeHeader(start.trimStart())) return;
    } else if (!isTooLong(start)) return;
    if (block === undefined && mayBeLong(start)) {
      this.#isHeldLine = true;
      return;
    }
    this.#held = "";
    this.#midLine = start;
    if (block === undefined) this.#beginText(start);
    else this.text.open(start);
  }

  #passMore(text: string): void {
    this.#midLine += text;
    this.text.add(text);
  }

  #takeText(raw: string): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    if (isProse(line) || (isTooLong(raw.replace(/\n$/, "")) && !mayBeLong(line)))
      return this.#passLine(raw);
    const tag = readOpeningTag(line);
    if (tag !== undefined) {
      const [after] = afterTag(tag.after, raw);
      this.#part = new TagPart(this, tag.filePath);
      return after === undefined ? undefined : this.#takePart(this.#part, after);
    }
    // The line closes a tag that has opened behind text.
    const closing = this.#isAfterEdit ? readClosingTag(line) : undefined;
    if (closing?.before.trim() === "") return afterTag(closing.after, raw);
    const unit = this.#unitOf(line);
    if (unit !== undefined) return this.#takePart(unit, raw);
    if (this.#isCover(line, raw)) return [];
    const fence = readCoveredFence(line);
    if (fence !== undefined) return this.#openFence(fence, raw);
    const form = formThatBegins(line.trimStart());
    const isList = /^[ \t]/.test(line) && (form === "unified-diff" || form === "patch");
    if (form === undefined || form === "labels" || isList) return this.#passLine(raw);
    return this.#takePart(new BlockPart(form, [], this.#line, this), raw);
  }

  /** The unit that begins with the line. */
  #unitOf(line: string): Part | undefined {
    const rule = readRule(line, this.least ?? 0);
    const { path } = this.lead.lead;
    if (rule?.kind === "search") return new UnitPart(this, path, true);
    const dressed = rule === undefined ? readDressedRule(line) : undefined;
    if (dressed !== undefined) return new UnitPart(this, dressed.filePath ?? path, dressed.isSure);
    const { unnamed } = this.edits;
    if (rule?.kind === "replace" && !this.#isAfterEdit && unnamed !== undefined) {
      const message = `Line ${this.#line} is a REPLACE rule that ends no unit.`;
      this.edits.fail(unnamed, describeDiff("malformed", message));
    }
    return undefined;
  }

  #openFence(fence: Fence, raw: string): readonly string[] | undefined {
    const outer = this.#outer;
    this.#outer = undefined;
    if (outer !== undefined && closesCoveredFence(withoutLineEnd(raw), outer.fence))
      return outer.isText || !this.#isAfterEdit ? this.#passLine(raw) : [];
    const raws = [...this.text.covers.splice(0), raw];
    this.#part = new BlockPart(fence, raws, this.#line + 1, this);
    return undefined;
  }

  /** Whether the line is around edits; it waits, or is dropped after one. */
  #isCover(line: string, raw: string): boolean {
    const tag = readWrapper(line);
    if (tag === undefined && (this.text.covers.length === 0 || line.trim() !== "")) return false;
    if (tag?.isClosing === true) this.lead.enclose(undefined);
    else if (tag?.path !== undefined) this.lead.enclose(tag.path);
    if (tag?.isClosing !== true || !this.#isAfterEdit) this.text.covers.push(raw);
    return true;
  }

  /** The line is nothing but text. */
  #passLine(raw: string): readonly string[] {
    this.#beginText(raw);
    this.#takeLead(raw);
    return [];
  }

  #takeLead(raw: string): void {
    const line = withoutLineEnd(raw);
    this.lead.take(line, this.#line);
    const block = this.text.blocks.at(-1);
    if (block !== undefined && isSolid(line)) block.below ??= this.lead.plain(line).slice(0, 1_000);
  }

  #beginText(start: string): void {
    if (start.trim() !== "") this.#isAfterEdit = false;
    this.text.pass([start]);
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
  const [, name = "", after] =
    /^<[/?!]?\[?([A-Za-z][\w-]{0,40})(.?)/.exec(content.trimStart()) ?? [];
  const mayBeTag = after === "" || isWrapperName(name) || sideOfName(name) === "old";
  return run !== undefined || (name !== "" && mayBeTag);
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

/** A unit outside of tags. */
class UnitPart implements Part {
  readonly isEdit = true;
  isDropped = true;
  readonly #around: Around;
  readonly #path: string | undefined;
  readonly #isSure: boolean;
  readonly #reader: UnitReader;
  readonly #raws: string[] = [];

  /** @param isSure its words are those of the format: that it cannot be read is a fault; else it is text then */
  constructor(around: Around, path: string | undefined, isSure: boolean) {
    this.#around = around;
    this.#path = path;
    this.#isSure = isSure;
    this.#reader = new UnitReader(isSure ? around.least : undefined);
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

  #close(next: readonly string[]): readonly string[] {
    const { edits } = this.#around;
    const { error, units } = this.#reader;
    const [unit] = units;
    this.isDropped = this.#isSure || unit !== undefined;
    if (!this.isDropped) {
      this.#around.text.pass(this.#raws);
      return next;
    }
    this.#around.text.decide();
    const edit = edits.open(this.#path, "units");
    if (unit === undefined) {
      if (error !== undefined) edits.fail(edit, { ...error, unit: edit.units.length + 1 });
      return next;
    }
    if (unit.strict) this.#around.least = fullRule;
    const openingLine = (this.#raws[0] ?? "").trim();
    edits.add(edit, this.#isSure ? unit : { ...unit, openingLine }, "units");
    return next;
  }
}
