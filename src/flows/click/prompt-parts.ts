// What a click sends: a sentence, and for what does not fit in words one fenced block after an empty line.
import { fence } from "../../context/fence.ts";
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
  const block = readBlock(text);
  return { sentence, line: line.trim(), block, rest: block === undefined ? text : "" };
}

/** The text of a fenced block, which is all that there is. */
function readBlock(text: string): string | undefined {
  const [rule] = /^`{3,}/.exec(text) ?? [];
  const start = text.indexOf("\n") + 1;
  if (rule === undefined || start === 0 || !text.endsWith(`\n${rule}`)) return undefined;
  const inner = text.slice(start, text.length - rule.length);
  // A block that ended earlier is followed by something else.
  return `\n${inner}`.includes(`\n${rule}`) ? undefined : inner;
}
