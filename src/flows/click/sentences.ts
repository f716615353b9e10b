// The first lines of what clicks send. They read like what a person says, and are read in both languages.
import { oneLine } from "../../base/errors/names.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { Locale } from "../../base/errors/locale.ts";
import type { ClickWords } from "../flow.ts";
import { findOwnCommand, ownCommands } from "../own-commands.ts";
import { type NamedLines, printPlace, readPlace } from "../place/find-names.ts";
import { fence } from "../../base/text/fence.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type ConfirmAction, confirmAction } from "../../turn/action.ts";
import { textsFor } from "../texts.ts";
import { cutText } from "../../base/text/lines.ts";

/** Sentences about what follows them; one whose opening does not end itself has a name or lines at its end. */
const blockSentences = {
  "whole-file": { en: "Show the whole file with this change", zh: "显示修改后的完整文件" },
  "apply-at": { en: "Apply the change at ", zh: "应用修改的位置：" },
  "apply-option": { en: "Apply this change: ", zh: "采用修改：" },
  "apply-changes": { en: "Apply the changes of ", zh: "应用以下文件的修改：" },
  "explain-change": {
    en: "Explain what this change does and why",
    zh: "解释这次修改的内容和原因",
  },
  "explain-passage": { en: "Explain this passage of ", zh: "解释这段内容，来源：" },
} satisfies Record<string, Message>;

/** What a click says: the name of its {@link ClickWords}, or of a sentence about a block; `place`: the place is all. */
interface Sentence {
  kind: string;
  place?: NamedLines;
}

const placeSentences: ReadonlyMap<string, ClickWords> = new Map([
  ...ownCommands.flatMap(({ clickWords = {} }) => Object.entries(clickWords)),
  ["place", { en: "", zh: "" }],
]);

/** A first line that is longer was never printed here. */
const maxLine = 500;
const maxName = 120;

export function clickWordsOf(kind: string): ClickWords {
  return placeSentences.get(kind) ?? { en: "", zh: "" };
}

/** What a click on a place says where it asks for a command. */
export function sentenceOf(command: string): string {
  return Object.keys(findOwnCommand(command)?.clickWords ?? {})[0] ?? "place";
}

export function printPlaceSentence(kind: string, place: NamedLines, locale: Locale): string {
  const opening = clickWordsOf(kind)[locale];
  const words = printPlace(place, locale);
  // Chinese text needs no space between its own characters.
  return `${words.startsWith("第") ? opening.trimEnd() : opening}${words}`;
}

/** @param words what its end names; what a model wrote loses its Markdown */
export function printBlockSentence(
  kind: keyof typeof blockSentences,
  locale: Locale,
  words = "",
): string {
  return `${blockSentences[kind][locale]}${toPlainWords(words)}`.trim();
}

function readSentence(line: string): Sentence | undefined {
  for (const locale of Locale.options) {
    for (const [kind, { [locale]: opening }] of Object.entries(blockSentences))
      if (opening === line || (/[ ：]$/.test(opening) && line.startsWith(opening))) return { kind };
    for (const [kind, { [locale]: opening }] of placeSentences) {
      if (opening === "" || !line.startsWith(opening.trimEnd())) continue;
      const end = line.slice(opening.trimEnd().length);
      const place = /^[\p{L}\p{N}_]/u.test(end) && locale === "en" ? undefined : readPlace(end);
      if (place !== undefined) return { kind, place };
    }
  }
  const place = readPlace(line);
  return place && { kind: "place", place };
}

/** One short line without what Markdown or a mark would be made of. */
function toPlainWords(words: string): string {
  const plain = words
    .replace(/[[\]`*#{}<>|]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return cutText(plain, maxName);
}

// What a click sends: a sentence, and for what does not fit in words one fenced block after an empty line.

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

/** Undefined where the first line is none of the sentences that clicks send. Every request with a prompt comes by here. */
export function readPrompt(prompt: string | undefined): PromptParts | undefined {
  if (prompt === undefined) return undefined;
  const end = prompt.indexOf("\n");
  const line = end === -1 ? prompt : prompt.slice(0, end);
  if (line.length > maxLine) return undefined;
  const sentence = readSentence(line.trim());
  if (sentence === undefined) return undefined;
  const after = end === -1 ? "" : prompt.slice(end + 1);
  // Some clients send the line ends of their system.
  const text = (line.endsWith("\r") ? after.replaceAll("\r\n", "\n") : after).trim();
  const first = text.length > maxClick ? undefined : takeBlock(text);
  const block = first?.after === "" ? first.inner : undefined;
  return { sentence, line: line.trim(), block, rest: block === undefined ? text : "" };
}

/**
 * The blocks of several clicks with the same sentence, which a client has put below each other, as one text;
 * below them what the person has added, as it was written.
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

/** The text of the fenced block that a text begins with, and what follows it. */
function takeBlock(text: string): { inner: string; after: string } | undefined {
  const [rule] = /^`{3,}/.exec(text) ?? [];
  if (rule === undefined) return undefined;
  for (const { 0: line, index } of text.matchAll(/(?<=\n)`{3,}[^\n]*/g)) {
    if (!line.startsWith(rule)) continue;
    if (line.trimEnd() !== rule) return undefined;
    const inner = text.slice(text.indexOf("\n") + 1, index);
    return { inner, after: text.slice(index + line.length).trim() };
  }
  return undefined;
}

/** A button that leads on with the same lines, if the prompt has named them. */
export function nextAction(
  { locale }: Turn,
  { named, otherFile }: Focus,
  command: string,
): ConfirmAction {
  const { button, clickWords = {} } = findOwnCommand(command) ?? {};
  const [kind = "place"] = Object.keys(clickWords);
  const words = button?.[locale] ?? { title: command, message: command, prompt: "" };
  // About a file that is not in the editor, it is read as a person's question is.
  const atFile =
    otherFile === undefined ? words.prompt : `${clickWordsOf(kind)[locale]}@${oneLine(otherFile)}`;
  const prompt = named === undefined ? atFile : printPlaceSentence(kind, named, locale);
  return confirmAction({ ...words, prompt, command });
}

export function retryAction(
  turn: Turn,
  { named }: Focus,
  prompt = turn.context.userInputPrompt ?? "",
): ConfirmAction {
  const { title, message } = textsFor(turn.locale).retry;
  return confirmAction({ title, message, prompt: named?.prompt ?? prompt, command: turn.command });
}
