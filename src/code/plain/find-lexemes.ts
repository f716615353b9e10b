import type { Stretch } from "../directives.ts";
import type { LexicalRules, StringRule } from "./lexical-rules.ts";

/** What a lexer finds; in the order of the text. */
export interface Lexemes {
  /** Also those inside of code that a string holds. */
  comments: Stretch[];
  /** The outermost ones. */
  strings: Stretch[];
}

/**
 * Finds comments and strings without a grammar.
 *
 * @returns undefined if the text cannot be read for certain: doubtful signs, strings that never end
 */
export function findLexemes(text: string, rules: LexicalRules): Lexemes | undefined {
  const lexer = new Lexer(text, rules);
  return lexer.run() ? lexer : undefined;
}

interface Frame {
  rule: StringRule;
  start: number;
  end: RegExp | string;
  /** Brackets that are open in the code inside of the string; undefined while the string itself is read. */
  depth: number | undefined;
}

class Lexer implements Lexemes {
  readonly comments: Stretch[] = [];
  readonly strings: Stretch[] = [];
  readonly #text: string;
  readonly #rules: LexicalRules;
  /** Strings around the place, the outermost first. */
  readonly #frames: Frame[] = [];
  #at = 0;

  constructor(text: string, rules: LexicalRules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Whether all could be read. */
  run(): boolean {
    while (this.#at < this.#text.length) {
      const frame = this.#frames.at(-1);
      const isRead =
        frame !== undefined && frame.depth === undefined
          ? this.#readString(frame)
          : this.#readCode(frame);
      if (!isRead) return false;
    }
    return this.#frames.length === 0;
  }

  #readString(frame: Frame): boolean {
    const { rule, end } = frame;
    if (this.#take(rule.doubtful) !== undefined) return false;
    if (this.#take(rule.insertion?.open) !== undefined) frame.depth = 0;
    else if (this.#take(rule.escape) === undefined) {
      if (this.#take(end) !== undefined) this.#close(frame);
      else if (rule.isOneLine === true && this.#text[this.#at] === "\n") return false;
      else this.#skip();
    }
    return true;
  }

  #close({ start }: Frame): void {
    this.#frames.pop();
    if (this.#frames.length === 0) this.strings.push([start, this.#at]);
  }

  #readCode(frame: Frame | undefined): boolean {
    const { doubtful, lineComment } = this.#rules;
    const start = this.#at;
    if (this.#take(doubtful) !== undefined) return false;
    if (this.#take(lineComment) !== undefined) {
      this.#take(/[^\n]*/y);
      if (this.#text[this.#at - 1] === "\r") this.#at--;
      this.comments.push([start, this.#at]);
      return true;
    }
    if (this.#openString(start)) return true;
    const isBlock = this.#readBlock(start);
    if (isBlock !== undefined) return isBlock;
    if (frame !== undefined) this.#countBracket(frame);
    this.#skip();
    return true;
  }

  #openString(start: number): boolean {
    for (const rule of this.#rules.strings) {
      const opened = this.#take(rule.open);
      if (opened === undefined) continue;
      if (rule.close !== undefined)
        this.#frames.push({ rule, start, end: rule.close(opened), depth: undefined });
      else if (this.#frames.length === 0) this.strings.push([start, this.#at]);
      return true;
    }
    return false;
  }

  /** False if it does not end, undefined if there is none. */
  #readBlock(start: number): boolean | undefined {
    for (const { open, close, nested } of this.#rules.blockComments ?? []) {
      const opened = this.#take(open);
      if (opened === undefined) continue;
      const end = nested === undefined ? this.#find(close(opened)) : this.#findPair(nested, opened);
      if (end === undefined) return false;
      this.#at = end;
      this.comments.push([start, end]);
      return true;
    }
    return undefined;
  }

  /** Where the text goes on behind some words. */
  #find(words: string): number | undefined {
    const at = this.#text.indexOf(words, this.#at);
    return at === -1 ? undefined : at + words.length;
  }

  #findPair(signs: RegExp, open: string): number | undefined {
    let depth = 1;
    signs.lastIndex = this.#at;
    for (let sign = signs.exec(this.#text); sign !== null; sign = signs.exec(this.#text)) {
      depth += sign[0] === open ? 1 : -1;
      if (depth === 0) return signs.lastIndex;
    }
    return undefined;
  }

  #countBracket(frame: Frame): void {
    const [open, close] = frame.rule.insertion?.brackets ?? "";
    const sign = this.#text[this.#at];
    if (sign === open) frame.depth = (frame.depth ?? 0) + 1;
    // The bracket that belongs to the string leads back into it.
    else if (sign === close) frame.depth = frame.depth === 0 ? undefined : (frame.depth ?? 0) - 1;
  }

  /** Goes on behind a pattern, or behind words, if they fit here. */
  #take(pattern: RegExp | string | undefined): string | undefined {
    if (pattern === undefined) return undefined;
    if (typeof pattern === "string") {
      if (!this.#text.startsWith(pattern, this.#at)) return undefined;
      this.#at += pattern.length;
      return pattern;
    }
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** A word, or one character. */
  #skip(): void {
    this.#take(/[\p{L}\p{N}_]+|[^]/uy);
  }
}
