import { readClosingTag, readOpeningTag } from "../../edit/read/file-edit-tag.ts";
import { endsPatch } from "../../edit/read/forms/unified-diff.ts";
import { readRule, shortestRule } from "../../edit/read/rule-line.ts";

/** Results that are repeated, texts of files, examples, and what a model thinks aloud. */
const quoteTag =
  /^ {0,3}<((?:antml:)?(?:tool_result|tool_results|tool_response|tool_output|function_results|function_result|function_response|observation|file_content|file_contents|document|documents|example|examples|scratchpad|analysis|reflection|thinking))(?=[\s>])[^<>]{0,400}>/i;

/**
 * Follows what a line is inside of: a tag of a file, a unit, a patch, words to the person, or something quoted.
 * A call cannot begin in any of these.
 */
export class AnswerStructure {
  #isTagged = false;
  /** Of the open unit: how long its rules are. */
  #rule: number | undefined;
  #isPatch = false;
  #isChat = false;
  #quote: string | undefined;

  get isInside(): boolean {
    return this.#isTagged || this.#rule !== undefined || this.#isPatch || this.#isChat;
  }

  get isQuoted(): boolean {
    return this.#quote !== undefined;
  }

  /** What the answer repeats begins with the line. */
  opensQuote(line: string): boolean {
    const [, name] = quoteTag.exec(line) ?? [];
    const isComment = /^ {0,3}<!--/.test(line);
    if (name === undefined && !isComment) return false;
    this.#quote = isComment ? "-->" : `</${name}>`;
    return true;
  }

  /** Takes a line of what is quoted, or the rest of its first. */
  takeQuoted(line: string): void {
    if (line.includes(this.#quote ?? "")) this.#quote = undefined;
  }

  /** Takes a line that is not quoted. */
  take(line: string): void {
    const rule = readRule(line, shortestRule);
    if (this.#rule !== undefined) {
      if (rule?.kind === "replace" && rule.length >= this.#rule) this.#rule = undefined;
    } else if (rule?.kind === "search") this.#rule = rule.length;
    else if (this.#isPatch) this.#isPatch = !endsPatch(line);
    else this.#takeTags(line);
  }

  #takeTags(line: string): void {
    if (line.startsWith("*** Begin Patch")) this.#isPatch = true;
    const opening = readOpeningTag(line);
    if (opening !== undefined) this.#isTagged = true;
    if (readClosingTag(line) !== undefined) this.#isTagged = false;
    if (/^[ \t]*<chat>/.test(line)) this.#isChat = true;
    if (line.includes("</chat>")) this.#isChat = false;
  }
}
