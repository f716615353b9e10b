// One unit that is being read, line by line.
import { describeDiff } from "../describe/describe-error.ts";
import type { EditError, EditUnit, ParsedUnit } from "../edit-unit.ts";
import { readRule, type Rule } from "./rule-line.ts";

/** What came of a block. */
export type ClosedBlock = { unit: ParsedUnit; error?: never } | { unit?: never; error: EditError };

interface Mark {
  at: number;
  rule: Rule;
}

/** Lines that could be the separator; with more it is no unit that anyone can read. */
const maxReadings = 32;
/**
 * Whoever writes rules of this length does so on purpose, around text that holds rules itself: such a unit
 * ends with a rule of exactly its length. With shorter rules models are careless.
 */
export const equalRule = 20;

/**
 * Reads the lines of one unit. A REPLACE rule ends it if only blank lines stand between the rule and the
 * next unit or the end. So a document about edits can be edited: the rules in its text are followed by
 * text, or are shorter than the rules around them and come in pairs.
 */
export class OpenBlock {
  readonly #opening: Rule;
  readonly #line: number;
  readonly #least: number;
  readonly #lines: string[] = [];
  readonly #separators: Mark[] = [];
  #ending: Mark | undefined;
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
   * Takes the next line, without its line end. Returns what came of the block once that is decided; the
   * line is then none of the block's and has yet to be read.
   *
   * @param isEnd the line would end the diff if the block were closed: a tag, a code fence, text of the answer
   */
  push(line: string, isEnd: boolean): ClosedBlock | undefined {
    const rule = readRule(line, this.#least);
    if (this.#ending !== undefined && line.trim() !== "") {
      if ((isEnd || rule?.kind === "search") && this.#isOurs(this.#ending)) {
        return this.#close(this.#ending);
      }
      if (this.#isOurs(this.#ending)) this.#stray ??= line;
      this.#nested = Math.max(0, this.#nested - 1);
      this.#ending = undefined;
    }
    if (rule?.kind === "search") {
      if (rule.length >= this.#opening.length) {
        return this.#stray === undefined
          ? this.#fail("malformed", "has no REPLACE rule before the next SEARCH rule")
          : this.#failStray(this.#stray);
      }
      this.#nested += 1;
    }
    const at = this.#lines.push(line) - 1;
    if (rule?.kind === "separator") this.#separators.push({ at, rule });
    if (rule?.kind !== "replace") return undefined;
    const isText = this.#opening.length >= equalRule && rule.length !== this.#opening.length;
    if (isText) this.#nested = Math.max(0, this.#nested - 1);
    else if (this.#separators.length > 0) this.#ending = { at, rule };
    else return this.#fail("malformed", "has no ======= between SEARCH and REPLACE");
    return undefined;
  }

  /** The text ends here. */
  end(): ClosedBlock {
    if (this.#ending !== undefined && this.#isOurs(this.#ending)) {
      return this.#close(this.#ending);
    }
    if (this.#stray !== undefined) return this.#failStray(this.#stray);
    return this.#fail("truncated", "is cut off: its REPLACE rule is missing");
  }

  #failStray(stray: string): ClosedBlock {
    const quoted = JSON.stringify(stray.trim().slice(0, 60));
    return this.#fail("malformed", `is followed by text that belongs to no unit: ${quoted}`);
  }

  /** A rule of the opening's length is ours; another one is, unless it ends a unit inside the text. */
  #isOurs(ending: Mark): boolean {
    return (
      ending.rule.length === this.#opening.length ||
      (this.#opening.length < equalRule && this.#nested === 0)
    );
  }

  #close(ending: Mark): ClosedBlock {
    const separators = this.#separators.filter((mark) => mark.at < ending.at);
    const isAlike = (mark: Mark) => mark.rule.length === this.#opening.length;
    const alike = separators.filter(isAlike);
    if (alike.length > maxReadings || (alike.length === 0 && separators.length > maxReadings)) {
      return this.#fail("malformed", "holds too many lines that could be its separator");
    }
    const ordered = [...alike, ...separators.filter((mark) => !isAlike(mark))].slice(
      0,
      maxReadings,
    );
    const [first, ...readings] = ordered.map((mark) => this.#readAt(mark, ending));
    if (first === undefined) {
      return this.#fail("malformed", "has no ======= between SEARCH and REPLACE");
    }
    const isStrict = this.#opening.strict && ordered[0]?.rule.strict === true && ending.rule.strict;
    const isClear = alike.length === 1 || separators.length === 1;
    const unit = { ...first, line: this.#line, strict: isStrict && isClear };
    return { unit: readings.length === 0 ? unit : { ...unit, readings } };
  }

  #readAt(separator: Mark, ending: Mark): EditUnit {
    return {
      search: joinLines(this.#lines, 0, separator.at),
      replace: joinLines(this.#lines, separator.at + 1, ending.at),
    };
  }

  #fail(code: "malformed" | "truncated", what: string): ClosedBlock {
    return { error: describeDiff(code, `The unit that begins on line ${this.#line} ${what}.`) };
  }
}

function joinLines(lines: readonly string[], from: number, to: number): string {
  return from < to ? `${lines.slice(from, to).join("\n")}\n` : "";
}
