// The first lines of what clicks send. They read like what a person says, and are read in both languages.
import { oneLine } from "../../turn/context/one-line.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { ClickWords } from "../own-command.ts";
import { findOwnCommand, ownCommands } from "../own-commands.ts";
import { type NamedLines, printPlace, readPlace } from "../place/place-words.ts";

/** The name of {@link ClickWords}; `place`: the place is all that the sentence says. */
export type PlaceSentence = string;

/** A sentence about what follows it, some with a name or lines at their end. */
export type BlockSentence =
  | "whole-file"
  | "apply-at"
  | "apply-option"
  | "apply-changes"
  | "explain-change"
  | "explain-passage";

export type Sentence =
  | { kind: PlaceSentence; place: NamedLines }
  | { kind: BlockSentence; words: string };

const placeSentences: ReadonlyMap<PlaceSentence, ClickWords> = new Map([
  ...ownCommands.flatMap(({ clickWords = {} }) => Object.entries(clickWords)),
  ["place", { en: "", zh: "" }],
]);

const blockSentences: Record<Locale, Record<BlockSentence, string>> = {
  en: {
    "whole-file": "Show the whole file with this change",
    "apply-at": "Apply the change at ",
    "apply-option": "Apply this change: ",
    "apply-changes": "Apply the changes of ",
    "explain-change": "Explain what this change does and why",
    "explain-passage": "Explain this passage of ",
  },
  zh: {
    "whole-file": "显示修改后的完整文件",
    "apply-at": "应用修改的位置：",
    "apply-option": "采用修改：",
    "apply-changes": "应用以下文件的修改：",
    "explain-change": "解释这次修改的内容和原因",
    "explain-passage": "解释这段内容，来源：",
  },
};

const locales: readonly Locale[] = ["en", "zh"];
const blockKinds = Object.keys(blockSentences.en) as BlockSentence[];
/** A first line that is longer was never printed here. */
const maxLine = 500;
const maxName = 120;

export function wordsOf(kind: PlaceSentence): ClickWords {
  return placeSentences.get(kind) ?? { en: "", zh: "" };
}

/** What a click on a place says where it asks for a command. */
export function sentenceOf(command: string): PlaceSentence {
  return Object.keys(findOwnCommand(command)?.clickWords ?? {})[0] ?? "place";
}

export function printPlaceSentence(kind: PlaceSentence, place: NamedLines, locale: Locale): string {
  const opening = wordsOf(kind)[locale];
  const words = printPlace(place, locale);
  // Chinese text needs no space between its own characters.
  return `${words.startsWith("第") ? opening.trimEnd() : opening}${words}`;
}

/** About a file that is not in the editor: read as a person's question is. */
export function printFileSentence(kind: PlaceSentence, path: string, locale: Locale): string {
  return `${wordsOf(kind)[locale]}@${oneLine(path)}`;
}

/** @param words what its end names; what a model wrote loses its Markdown */
export function printBlockSentence(kind: BlockSentence, locale: Locale, words = ""): string {
  return `${blockSentences[locale][kind]}${toPlainWords(words)}`.trim();
}

/** Undefined for a line of any other kind. Every request with a prompt comes by here, so it must be cheap. */
export function readSentence(line: string): Sentence | undefined {
  if (line.length > maxLine) return undefined;
  return readBlockSentence(line.trim()) ?? readPlaceSentence(line.trim());
}

function readBlockSentence(line: string): Sentence | undefined {
  for (const locale of locales) {
    for (const kind of blockKinds) {
      const opening = blockSentences[locale][kind];
      const isWhole = opening === line;
      const hasEnd = /[ ：]$/.test(opening) && line.startsWith(opening);
      if (isWhole || hasEnd) return { kind, words: line.slice(opening.length).trim() };
    }
  }
  return undefined;
}

function readPlaceSentence(line: string): Sentence | undefined {
  for (const locale of locales) {
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
    .replace(/[\s\u2028\u2029]+/g, " ")
    .trim();
  return plain.length > maxName ? `${plain.slice(0, maxName).trimEnd()}…` : plain;
}
