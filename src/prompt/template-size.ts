// How large the templates of a command may be: what bounds the work of parsing them.
import { TemplateProblem } from "./template-problem.ts";

/** What a template costs to parse. */
export interface TemplateSize {
  readonly characters: number;
  /** Tags and outputs, also those in comments; each line of a tag `liquid` is one. */
  readonly tags: number;
  /** Names, values, operators and signs in tags and outputs. */
  readonly words: number;
}

/** Templates of one command. */
export const maxTemplates = 200;
/** Tags and outputs of all templates of a command together. */
const maxTags = 2_000;
/** Names, values, operators and signs in the tags and outputs of all templates of a command together. */
const maxWords = 20_000;
/** So many times the longest template is what all of a command may be together. */
const lengthShare = 4;
/** Blocks in blocks. */
export const maxNesting = 50;
/** Brackets in brackets. */
const maxBrackets = 20;

/** @throws TemplateProblem when a template, or all of a command together, hold too much */
export function checkSize({ tags, words }: Pick<TemplateSize, "tags" | "words">): void {
  const most = "the templates of a command may hold";
  if (tags > maxTags) throw new TemplateProblem(`${most} ${maxTags} tags and outputs together`);
  if (words > maxWords) {
    const what = "names, values and operators in tags together";
    throw new TemplateProblem(`${most} ${maxWords} ${what}`);
  }
}

/**
 * Counts what a tag holds before it is parsed: words, and every other sign but blanks. Of a quoted text, the
 * words count as well.
 *
 * @throws TemplateProblem when brackets are nested too deep
 */
export function countWords(code: string): number {
  let words = 0;
  let depth = 0;
  let isInWord = false;
  for (let at = 0; at < code.length; at += 1) {
    const sign = code.charCodeAt(at);
    const isWord = isWordSign(sign);
    if (isWord ? !isInWord : sign > 32) words += 1;
    isInWord = isWord;
    if (sign === 0x28 || sign === 0x5b) depth += 1;
    else if (sign === 0x29 || sign === 0x5d) depth = Math.max(0, depth - 1);
    if (depth > maxBrackets)
      throw new TemplateProblem(`brackets may be nested ${maxBrackets} deep`);
  }
  return words;
}

function isWordSign(sign: number): boolean {
  return (
    (sign >= 0x30 && sign <= 0x39) ||
    (sign >= 0x41 && sign <= 0x5a) ||
    (sign >= 0x61 && sign <= 0x7a) ||
    sign === 0x5f ||
    sign > 0x7f
  );
}

/**
 * Counts the templates of a command together.
 *
 * @param maxLength of one template, in characters
 * @returns takes the text of each, before it is parsed, and what parsing it told
 */
export class TemplateSum {
  readonly #maxLength: number;
  #characters = 0;
  #tags = 0;
  #words = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** @throws TemplateProblem */
  addText(text: string): void {
    this.#characters += text.length;
    const most = this.#maxLength * lengthShare;
    if (this.#characters > most) {
      const rule = `${lengthShare} times templateLength`;
      throw new TemplateProblem(
        `the templates of a command may be ${most} characters long together, ${rule}`,
      );
    }
  }

  /** @throws TemplateProblem */
  add({ tags, words }: TemplateSize): void {
    this.#tags += tags;
    this.#words += words;
    checkSize({ tags: this.#tags, words: this.#words });
  }
}
