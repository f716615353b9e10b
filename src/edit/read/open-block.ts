// One unit that is being read, line by line.
import { joinLines, trimEndSigns } from "../../base/text/lines.ts";
import { describeDiff } from "../describe-error.ts";
import type { EditError, EditUnit, ParsedUnit } from "../edit-unit.ts";
import { fullRule, readRule, type Rule, shortestRule } from "./rule-line.ts";

/** What came of a block. */
export type ClosedBlock = { unit: ParsedUnit; error?: never } | { unit?: never; error: EditError };

interface Mark {
  at: number;
  rule: Rule;
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

const noSeparator = "has no ======= between SEARCH and REPLACE";

/**
 * Reads the lines of one unit. A REPLACE rule ends it if only blank lines are between the rule and the
 * next unit or the end. So a document about edits can be edited: the rules in its text are followed by
 * text, or are shorter than the rules around them and come in pairs.
 */
export class OpenBlock {
  readonly #opening: Rule;
  readonly #line: number;
  readonly #least: number;
  readonly #lines: string[] = [];
  #hasSeparator = false;
  #ending: Mark | undefined;
  /** Units inside the text that have begun and not ended. */
  #nested = 0;
  /** The first line of text that came after what could have been the end. */
  #stray: string | undefined;
  /** Where a REPLACE rule stands that only repeats the one that could be the end. */
  #repeatedAt: number | undefined;

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
   * Takes the next line, without its line end. Returns what came of the block once that is decided; the
   * line is then none of the block's and has yet to be read.
   *
   * @param isEnd the line would end the diff if the block were closed: a tag, a code fence, text of the answer
   */
  push(line: string, isEnd: boolean): ClosedBlock | undefined {
    const rule = readRule(line, this.#least);
    if (this.#ending !== undefined && line.trim() !== "") {
      if (rule?.kind === "replace" && this.#isRepeated(this.#ending, rule)) {
        this.#repeatedAt = this.#lines.push(line) - 1;
        return undefined;
      }
      if ((isEnd || rule?.kind === "search") && this.#isOurs(this.#ending)) {
        return this.#close(this.#ending);
      }
      if (this.#isOurs(this.#ending)) this.#stray ??= line;
      this.#nested = Math.max(0, this.#nested - 1);
      this.#ending = undefined;
      this.#repeatedAt = undefined;
    }
    if (rule?.kind === "search") {
      if (rule.length >= this.#opening.length)
        return this.#closeOdd("malformed", "has no REPLACE rule before the next SEARCH rule");
      this.#nested += 1;
    }
    const at = this.#lines.push(line) - 1;
    this.#hasSeparator ||= readRule(line, shortestRule)?.kind === "separator";
    if (rule?.kind !== "replace") return undefined;
    const isText = this.#opening.length >= equalRule && rule.length !== this.#opening.length;
    if (isText) this.#nested = Math.max(0, this.#nested - 1);
    else if (this.#hasSeparator) this.#ending = { at, rule };
    else return this.#fail("malformed", noSeparator);
    return undefined;
  }

  /** The text ends here. */
  end(): ClosedBlock {
    return this.#ending !== undefined && this.#isOurs(this.#ending)
      ? this.#close(this.#ending)
      : this.#closeOdd("truncated", "is cut off: its REPLACE rule is missing");
  }

  /**
   * Closes a unit without a REPLACE rule at its end: signs without the word, or with another one, count if they are alone
   * and the unit has one separator. What comes after them belongs to no unit.
   */
  #closeOdd(code: "malformed" | "truncated", what: string): ClosedBlock {
    if (this.#stray !== undefined) {
      const quoted = JSON.stringify(this.#stray.trim().slice(0, 60));
      return this.#fail("malformed", `is followed by text that belongs to no unit: ${quoted}`);
    }
    const [full, other] = this.#separators(this.#least);
    const ends = this.#lines.flatMap((line, at): Mark[] => {
      const [, run = ""] = /^(>{5,})(?: \w+)?$/.exec(trimEndSigns(line, " \t")) ?? [];
      const rule = { kind: "replace", length: run.length, strict: false } as const;
      return run.length >= this.#opening.length ? [{ at, rule }] : [];
    });
    const isClear = !this.#opening.strict && full !== undefined && other === undefined;
    const [only, second] = isClear && this.#nested === 0 ? ends : [];
    return only === undefined || second !== undefined ? this.#fail(code, what) : this.#close(only);
  }

  #separators(least: number): Mark[] {
    return this.#lines.flatMap((line, at) => {
      const rule = readRule(line, least);
      return rule?.kind === "separator" ? [{ at, rule }] : [];
    });
  }

  /** A rule of the opening's length is ours; another one is, unless it ends a unit inside the text. */
  #isOurs(ending: Mark): boolean {
    return (
      ending.rule.length === this.#opening.length ||
      (this.#opening.length < equalRule && this.#nested === 0)
    );
  }

  /** A second end, unless the first is text: shorter than the rules of a unit that the second ends. */
  #isRepeated(ending: Mark, rule: Rule): boolean {
    const own = this.#opening.length;
    const isShort = ending.rule.length !== own && rule.length === own;
    return own < equalRule && !isShort && this.#isOurs(ending);
  }

  /** A separator of another length is text. */
  #looksOwn(rule: Rule, at: number): boolean {
    if (rule.kind !== "separator") return rule.length >= this.#opening.length;
    return rule.length === this.#opening.length && !this.#isUnderline(rule, at);
  }

  /** It is as long as the line above it: a heading. */
  #isUnderline(rule: Rule, at: number): boolean {
    const above = this.#lines[at - 1] ?? "";
    const isText = /^\S/.test(above) && readRule(above, 0) === undefined;
    return rule.kind === "separator" && isText && above.length === rule.length;
  }

  #close(ending: Mark): ClosedBlock {
    const before = (mark: Mark) => mark.at < ending.at;
    const full = this.#separators(this.#least).filter(before);
    // One that is too short counts where there is no other.
    const separators = full.length > 0 ? full : this.#separators(shortestRule).filter(before);
    const asText = this.#read(separators, this.#repeatedAt ?? ending.at, ending.rule);
    if (asText === undefined) {
      const tooMany = "holds too many lines that could be its separator";
      const what = separators.length === 0 ? noSeparator : tooMany;
      return this.#fail("malformed", what);
    }
    if (this.#opening.length >= equalRule) return { unit: asText };
    const own = separators.filter(this.#isAlike);
    const isHeading = own.some((mark, nth) => nth > 0 && this.#isUnderline(mark.rule, mark.at));
    // Rules exactly as specified are written with care: what stands late among them may be meant.
    const mayBeLate = !own.every(({ rule }) => rule.strict) || !this.#opening.strict;
    const { at, spare } = isHeading ? {} : withoutSpare(this.#lines, own, ending.at, mayBeLate);
    const isRepeated = this.#repeatedAt !== undefined;
    if (at === undefined && !isRepeated) return { unit: this.#withMarkers(asText, separators) };
    const unit =
      at === undefined
        ? this.#read(separators, ending.at, ending.rule)
        : { ...this.#unitOf(joinLines(this.#lines.slice(0, at.search)), at), strict: false };
    if (unit === undefined) return { unit: asText };
    const dropped = [
      ...(spare === undefined ? [] : [spare.at]),
      ...(isRepeated ? [ending.at] : []),
    ];
    const { search, replace, readings } = asText;
    const text = { search, replace, ...(readings === undefined ? {} : { readings }) };
    const markers = dropped.map((line) => this.#lines[line] ?? "");
    return { unit: { ...unit, strict: false, markers, asText: text } };
  }

  readonly #isAlike = (mark: Mark): boolean => mark.rule.length === this.#opening.length;

  #unitOf(search: string, at: { from: number; to: number }): ParsedUnit {
    return {
      search,
      replace: joinLines(this.#lines.slice(at.from, at.to)),
      line: this.#line,
      strict: false,
    };
  }

  /** The unit with all its readings; undefined if none or too many lines could be its separator. */
  #read(separators: readonly Mark[], end: number, ending: Rule): ParsedUnit | undefined {
    const alike = separators.filter(this.#isAlike);
    const size = this.#lines.reduce((sum, line) => sum + line.length + 1, 1);
    const most = Math.max(1, Math.min(maxReadings, Math.floor(maxRead / size)));
    if (alike.length > most || (alike.length === 0 && separators.length > most)) return undefined;
    const others = separators.filter((mark) => !this.#isAlike(mark));
    const ordered = [...alike, ...others].slice(0, most);
    const [first, ...readings] = ordered.map((mark) => this.#readAt(mark, end));
    if (first === undefined) return undefined;
    const isStrict = this.#opening.strict && ordered[0]?.rule.strict === true && ending.strict;
    const isClear = alike.length === 1 || separators.length === 1;
    const { length } = this.#opening;
    const longer = length > fullRule ? { ruleLength: length } : {};
    const unit = { ...first, line: this.#line, strict: isStrict && isClear, ...longer };
    return readings.length === 0 ? unit : { ...unit, readings };
  }

  /** Names the unit's own rules in REPLACE: text only where the file holds such lines. */
  #withMarkers(unit: ParsedUnit, separators: readonly Mark[]): ParsedUnit {
    const first = separators.find(this.#isAlike)?.at ?? separators[0]?.at ?? 0;
    const end = first + 1 + unit.replace.split("\n").length - 1;
    const inside = this.#lines.slice(first + 1, Math.max(first + 1, end)).filter((line, nth) => {
      const rule = readRule(line, this.#least);
      return rule !== undefined && this.#looksOwn(rule, first + 1 + nth);
    });
    const markers = [...new Set(inside)];
    return markers.length === 0 ? unit : { ...unit, markers };
  }

  #readAt(separator: Mark, end: number): EditUnit {
    return {
      search: joinLines(this.#lines.slice(0, separator.at)),
      replace: joinLines(this.#lines.slice(separator.at + 1, end)),
    };
  }

  #fail(code: "malformed" | "truncated", what: string): ClosedBlock {
    return { error: describeDiff(code, `The unit that begins on line ${this.#line} ${what}.`) };
  }
}

/**
 * Of two separators the one that is too many: it follows the other at once, or, late, it is right above
 * the end.
 * `at` is where SEARCH ends, and where REPLACE begins and ends, without it.
 */
function withoutSpare(
  lines: readonly string[],
  separators: readonly Mark[],
  end: number,
  mayBeLate: boolean,
): { at?: { search: number; from: number; to: number }; spare?: Mark } {
  const [first, second, third] = separators;
  if (first === undefined || second === undefined || third !== undefined) return {};
  const isBlank = (from: number, to: number) =>
    lines.slice(from, to).every((line) => line.trim() === "");
  const isDoubled = isBlank(first.at + 1, second.at);
  if (isDoubled) return { at: { search: first.at, from: second.at + 1, to: end }, spare: second };
  if (!mayBeLate || !isBlank(second.at + 1, end)) return {};
  return { at: { search: first.at, from: first.at + 1, to: second.at }, spare: second };
}
