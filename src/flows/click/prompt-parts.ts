// What a click sends: a sentence, and for what does not fit in words one fenced block after an empty line.
import { fence } from "../../base/text/fence.ts";
import { readSentence, type Sentence } from "./sentences.ts";

export interface PromptParts {
  sentence: Sentence;
  /** The first line as it was written. */
  line: string;
  /** The text of the one block, where that is all that follows the sentence. */
  block: string | undefined;
  /** What follows the sentence, if that is not just one block; without space around it. */
  rest: string;
}

/** Of the block of a click, in UTF-16 code units: to read a longer one would keep everybody else waiting. */
export const maxClick = 1_000_000;

/** @param block "" for a click of which the sentence says all */
export function printPrompt(sentence: string, block = "", info = "text"): string {
  return block === "" ? sentence : `${sentence}\n\n${fence(block, info)}`;
}

/** Undefined where the first line is none of the sentences that clicks send. */
export function readPrompt(prompt: string | undefined): PromptParts | undefined {
  if (prompt === undefined) return undefined;
  const end = prompt.indexOf("\n");
  const line = end === -1 ? prompt : prompt.slice(0, end);
  const sentence = readSentence(line);
  if (sentence === undefined) return undefined;
  const after = end === -1 ? "" : prompt.slice(end + 1);
  // Some clients send the line ends of their system.
  const text = (line.endsWith("\r") ? after.replaceAll("\r\n", "\n") : after).trim();
  const block = text.length > maxClick ? undefined : readBlock(text);
  return { sentence, line: line.trim(), block, rest: block === undefined ? text : "" };
}

/**
 * The blocks of several clicks with the same sentence, which a client has put below each other, as one text;
 * below them what the person has added, as it was written.
 *
 * @param text what follows the first sentence
 * @param line the sentence
 */
export function joinClicks(text: string, line: string): string {
  const blocks: string[] = [];
  let left = text;
  for (;;) {
    const first = takeBlock(left);
    if (first === undefined) break;
    blocks.push(first.inner);
    left = first.after;
    const [next = ""] = left.split("\n", 1);
    const below = left.slice(next.length).trimStart();
    if (next.trim() !== line || takeBlock(below) === undefined) break;
    left = below;
  }
  return blocks.length === 0 ? left : `${blocks.join("")}\n${left}`.trimEnd();
}

/** The text of a fenced block, which is all that there is. */
function readBlock(text: string): string | undefined {
  const block = takeBlock(text);
  return block?.after === "" ? block.inner : undefined;
}

/** The text of the fenced block that a text begins with, and what follows it. */
function takeBlock(text: string): { inner: string; after: string } | undefined {
  const [rule] = /^`{3,}/.exec(text) ?? [];
  const start = text.indexOf("\n") + 1;
  if (rule === undefined || start === 0) return undefined;
  // The line before its text ends with a line break, too.
  const end = findRule(text, rule.length, start - 1);
  if (end === -1) return undefined;
  const [closing = ""] = text.slice(end + 1).split("\n", 1);
  if (closing.trimEnd() !== rule) return undefined;
  const after = text.slice(end + 1 + closing.length).trim();
  return { inner: text.slice(start, end + 1), after };
}

/**
 * The line break before the next line that begins with so many backticks, or -1. Each backtick is looked at once:
 * to look for the rule as a text would take the square of its length where shorter ones are many.
 */
function findRule(text: string, length: number, from: number): number {
  for (let at = text.indexOf("\n`", from); at !== -1;) {
    let end = at + 1;
    while (text[end] === "`") end += 1;
    if (end - at > length) return at;
    at = text.indexOf("\n`", end);
  }
  return -1;
}
