// One unit that is being read, line by line.
import { joinLines, trimEndSigns } from "../../base/text/lines.ts";
import { describeDiff, quoteStart } from "../describe-error.ts";
import type { EditError, EditUnit, ParsedUnit } from "../edit-unit.ts";
import { fullRule, readRule, type Rule, shortestRule } from "./rule-line.ts";

/** A rule, and its line in the unit, from 0. */
interface Mark extends Rule {
  at: number;
}

/** Lines that could be the separator; with more it is no unit that anyone can read. */
const maxReadings = 32;
/** Characters of all readings of a unit: each is a text of its own, and one of megabytes takes its time. */
const maxRead = 2 * 1024 * 1024;
/**
 * Whoever writes rules of this length does so on purpose, around text that holds rules itself: such a unit
 * ends with a rule of exactly its length. With shorter rules models are careless.
 */
export const equalRule = 20;

/**
 * Reads the lines of one unit. A REPLACE rule ends it if only blank lines are between the rule and the
 * next unit or the end. So a document about edits can be edited: the rules in its text are followed by
 * text, or are shorter than the rules around them and come in pairs.
 */
export class OpenUnit {
  readonly #opening: Rule;
  readonly #line: number;
  readonly #least: number;
  readonly #lines: string[] = [];
  /** Its lines that look like rules, also those that are too short to count. */
  readonly #marks: Mark[] = [];
  #ending: Mark | undefined;
  /** A rule that only repeats the one that could be the end. */
  #repeated: Mark | undefined;
  /** Units inside the text that have begun and not ended. */
  #nested = 0;
  /** The first line of text that came after what could have been the end. */
  #stray: string | undefined;

  /**
   * @param opening the SEARCH rule
   * @param line its line in the diff, 1-based
   * @param least the shortest rule that counts
   */
  constructor(opening: Rule, line: number, least: number) {
    this.#opening = opening;
    this.#line = line;
    this.#least = least;
  }

  /**
   * Takes the next line, without its line end. Returns what came of the unit once that is decided; the
   * line is then none of the unit's and has yet to be read.
   *
   * @param isEnd the line would end the diff if the unit were closed: a tag, a code fence, text of the answer
   */
  push(line: string, isEnd: boolean): ParsedUnit | EditError | undefined {
    const any = readRule(line, shortestRule);
    const rule = any !== undefined && any.length >= this.#least ? any : undefined;
    if (this.#ending !== undefined && line.trim() !== "") {
      const isOurs = this.#isOurs(this.#ending);
      if (isOurs && rule?.kind === "replace" && this.#isRepeated(this.#ending, rule)) {
        this.#repeated = this.#add(line, rule);
        return undefined;
      }
      if (isOurs && (isEnd || rule?.kind === "search")) return this.#close(this.#ending);
      if (isOurs) this.#stray ??= line;
      this.#endNested();
      [this.#ending, this.#repeated] = [undefined, undefined];
    }
    if (rule?.kind === "search") {
      if (rule.length >= this.#opening.length)
        return this.#closeOdd("malformed", "has no REPLACE rule before the next SEARCH rule");
      this.#nested += 1;
    }
    const mark = this.#add(line, any);
    if (rule?.kind !== "replace") return undefined;
    if (this.#opening.length >= equalRule && !this.#isAlike(rule)) this.#endNested();
    else if (this.#separators().length > 0) this.#ending = mark;
    else return this.#fail("malformed", noSeparator);
    return undefined;
  }

  /** The text ends here. */
  end(): ParsedUnit | EditError {
    return this.#ending !== undefined && this.#isOurs(this.#ending)
      ? this.#close(this.#ending)
      : this.#closeOdd("truncated", "is cut off: its REPLACE rule is missing");
  }

  #add(line: string, rule: Rule | undefined): Mark | undefined {
    const at = this.#lines.push(line) - 1;
    const mark = rule && { ...rule, at };
    if (mark !== undefined) this.#marks.push(mark);
    return mark;
  }

  #endNested(): void {
    this.#nested = Math.max(0, this.#nested - 1);
  }

  /**
   * Closes a unit without a REPLACE rule at its end: signs without the word, or with another one, count if they are alone
   * and the unit has one separator. What comes after them belongs to no unit.
   */
  #closeOdd(code: "malformed" | "truncated", what: string): ParsedUnit | EditError {
    if (this.#stray !== undefined) {
      const quoted = quoteStart(this.#stray);
      return this.#fail("malformed", `is followed by text that belongs to no unit: ${quoted}`);
    }
    const isClear = !this.#opening.strict && this.#nested === 0;
    const hasOne = this.#separators().filter(({ length }) => length >= this.#least).length === 1;
    const ends = this.#lines.flatMap((line, at): Mark[] => {
      const [, { length } = ""] = /^(>{5,})(?: \w+)?$/.exec(trimEndSigns(line, " \t")) ?? [];
      return length < this.#opening.length ? [] : [{ kind: "replace", length, strict: false, at }];
    });
    const [only] = ends;
    const isEnd = only !== undefined && ends.length === 1 && isClear && hasOne;
    return isEnd ? this.#close(only) : this.#fail(code, what);
  }

  #separators(end = this.#lines.length): Mark[] {
    return this.#marks.filter(({ kind, at }) => kind === "separator" && at < end);
  }

  readonly #isAlike = ({ length }: Rule): boolean => length === this.#opening.length;

  /** A rule of the opening's length is ours; another one is, unless it ends a unit inside the text. */
  #isOurs(ending: Rule): boolean {
    return this.#isAlike(ending) || (this.#opening.length < equalRule && this.#nested === 0);
  }

  /** A second end, unless the first is text: shorter than the rules of a unit that the second ends. */
  #isRepeated(ending: Rule, rule: Rule): boolean {
    return this.#opening.length < equalRule && (this.#isAlike(ending) || !this.#isAlike(rule));
  }

  #close(ending: Mark): ParsedUnit | EditError {
    const all = this.#separators(ending.at);
    const full = all.filter(({ length }) => length >= this.#least);
    // One that is too short counts where there is no other.
    const separators = full.length > 0 ? full : all;
    const repeated = this.#repeated;
    const asText = this.#read(separators, ending, repeated?.at);
    if (asText === undefined) {
      const tooMany = "holds too many lines that could be its separator";
      return this.#fail("malformed", separators.length === 0 ? noSeparator : tooMany);
    }
    if (this.#opening.length >= equalRule) return asText;
    const [spare, unit] = this.#withoutSpare(separators, ending) ?? [];
    const plain = unit ?? (repeated === undefined ? undefined : this.#read(separators, ending));
    if (plain === undefined) return this.#withMarkers(asText, separators);
    const dropped = [spare, repeated && ending].flatMap((mark) => mark ?? []);
    const markers = dropped.map(({ at }) => this.#lines[at] ?? "");
    const { search, replace, readings } = asText;
    const text = { search, replace, ...(readings === undefined ? {} : { readings }) };
    return { ...plain, strict: false, markers, asText: text };
  }

  /**
   * Of two separators the one that is too many, and the unit without it: it follows the other at once, or, late, it is
   * right above the end.
   */
  #withoutSpare(all: readonly Mark[], end: Mark): [Mark, ParsedUnit] | undefined {
    const own = all.filter(this.#isAlike);
    const [first, second, third] = own;
    if (first === undefined || second === undefined || third !== undefined) return undefined;
    if (this.#isUnderline(second)) return undefined;
    const isBlank = (from: number, to: number): boolean =>
      this.#lines.slice(from, to).every((line) => line.trim() === "");
    // Rules exactly as specified are written with care: what stands late among them may be meant.
    const mayBeLate = !own.every(({ strict }) => strict) || !this.#opening.strict;
    const isDoubled = isBlank(first.at + 1, second.at);
    if (!isDoubled && !(mayBeLate && isBlank(second.at + 1, end.at))) return undefined;
    const [from, to] = isDoubled ? [second.at + 1, end.at] : [first.at + 1, second.at];
    return [second, { ...this.#readAt(first.at, from, to), line: this.#line, strict: false }];
  }

  /** The unit with all its readings; undefined if none or too many lines could be its separator. */
  #read(separators: readonly Mark[], ending: Mark, end = ending.at): ParsedUnit | undefined {
    const alike = separators.filter(this.#isAlike);
    const size = this.#lines.reduce((sum, line) => sum + line.length + 1, 1);
    const most = Math.max(1, Math.min(maxReadings, Math.floor(maxRead / size)));
    if (alike.length > most || (alike.length === 0 && separators.length > most)) return undefined;
    const others = separators.filter((mark) => !this.#isAlike(mark));
    const ordered = [...alike, ...others].slice(0, most);
    const [first, ...readings] = ordered.map(({ at }) => this.#readAt(at, at + 1, end));
    if (first === undefined) return undefined;
    const isStrict = this.#opening.strict && ordered[0]?.strict === true && ending.strict;
    const isClear = alike.length === 1 || separators.length === 1;
    const { length } = this.#opening;
    const longer = length > fullRule ? { ruleLength: length } : {};
    const unit = { ...first, line: this.#line, strict: isStrict && isClear, ...longer };
    return readings.length === 0 ? unit : { ...unit, readings };
  }

  #readAt(end: number, from: number, to: number): EditUnit {
    return {
      search: joinLines(this.#lines.slice(0, end)),
      replace: joinLines(this.#lines.slice(from, to)),
    };
  }

  /** Names the unit's own rules in REPLACE: text only where the file holds such lines. */
  #withMarkers(unit: ParsedUnit, separators: readonly Mark[]): ParsedUnit {
    const first = (separators.find(this.#isAlike) ?? separators[0])?.at ?? 0;
    const end = first + unit.replace.split("\n").length;
    const inside = this.#marks.filter(
      (mark) =>
        mark.at > first && mark.at < end && mark.length >= this.#least && this.#looksOwn(mark),
    );
    const markers = [...new Set(inside.map(({ at }) => this.#lines[at] ?? ""))];
    return markers.length === 0 ? unit : { ...unit, markers };
  }

  /** A separator of another length is text, as is one that is as long as the line above it: a heading. */
  #looksOwn(mark: Mark): boolean {
    if (mark.kind !== "separator") return mark.length >= this.#opening.length;
    return this.#isAlike(mark) && !this.#isUnderline(mark);
  }

  #isUnderline({ at, length }: Mark): boolean {
    const above = this.#lines[at - 1] ?? "";
    return /^\S/.test(above) && readRule(above, 0) === undefined && above.length === length;
  }

  #fail(code: "malformed" | "truncated", what: string): EditError {
    return describeDiff(code, `The unit that begins on line ${this.#line} ${what}.`);
  }
}

const noSeparator = "has no ======= between SEARCH and REPLACE";
