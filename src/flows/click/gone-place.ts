// A place that a prompt names and that is not there: commands that write code never take other code for it.
import { languageOf } from "../../turn/context/language.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";
import type { Turn } from "../../turn/turn.ts";
import { type NamedLines, printPlace } from "../place/place-words.ts";
import { type Asked, isSelected } from "./named-place.ts";
import type { PromptParts } from "./sentences.ts";

export interface GonePlace {
  /** As the receipt tells it: `lines 40-50, not in the file`. */
  told: string;
  /** The place in the person's language. */
  words: string;
  /** A place is meant for certain; else it is a mere name. */
  isSure: boolean;
}

/** In characters, of a word that may be a path; how many words are looked at, and names. */
const maxWord = 300;
const maxWords = 2_000;
const maxNames = 50;

const path = /^@?(?:[\w.@-]*[\\/])*[\w-][\w.-]*\.[A-Za-z]\w{0,7}$/;
const lines = /(?::\d{1,7}(?:[-:]\d{1,7}){0,2}|#L\d{1,7}(?:-L?\d{1,7})?)$/;
const quoted = /`([\p{ID_Start}_$][\p{ID_Continue}$.:#]{0,99})(?:\([^`\n]{0,99}\))?`/gu;

/** What a click says that was not found; undefined where its words are a person's, who may mean something else. */
export function goneOfClick(turn: Turn, parts: PromptParts | undefined): GonePlace | undefined {
  if (parts === undefined || !("place" in parts.sentence)) return undefined;
  const { kind, place } = parts.sentence;
  const { name } = place;
  if (name !== undefined && (kind === "place" || /\s/.test(name) || isSelected(turn))) {
    return undefined;
  }
  return ofLines(turn, place);
}

/** What a question names that was not found; undefined where it names nothing else. */
export function goneOfQuestion(
  turn: Turn,
  { text, lines: [first], files: [file] }: Asked,
  analysis: CodeAnalysis,
): GonePlace | undefined {
  if (file?.lines !== undefined) return ofLines(turn, { ...file.lines, name: oneLine(file.path) });
  if (file !== undefined) return undefined;
  const other = findPath(text);
  const isOfOther = other !== undefined && (lines.test(other) || first !== undefined);
  if (isOfOther) return { ...ofPath(other), isSure: true };
  if (first !== undefined) {
    return ofLines(turn, { startLine: first.startLine, endLine: first.endLine });
  }
  if (other !== undefined) return ofPath(other);
  const name = findName(text, analysis);
  return name === undefined
    ? undefined
    : { told: `${name}, not in the file`, words: name, isSure: false };
}

function ofLines({ locale }: Turn, place: NamedLines): GonePlace {
  const told = `${printPlace(place, "en")}, not in the file`;
  return { told, words: printPlace(place, locale), isSure: true };
}

function ofPath(words: string): GonePlace {
  return { told: `${words}, not in this request`, words, isSure: false };
}

/** The first path of code with its lines, if it names some; a bare `other.js` may be a product. */
function findPath(text: string): string | undefined {
  const words = text.split(/[\s`'"()（），,;；<>[\]]+/, maxWords);
  for (const word of words) {
    if (word.length > maxWord || word.includes("://")) continue;
    const named = word.replace(/(?<![.。:：!?！？])[.。:：!?！？]+$/, "");
    const file = named.replace(lines, "");
    const isPath = /[\\/]|^@/.test(file) || file !== named;
    if (isPath && path.test(file) && languageOf(file) !== "") return named.replace(/^@/, "");
  }
  return undefined;
}

/** The first name in backticks that the file does not have, not even as a word. */
function findName(text: string, { symbols, source }: CodeAnalysis): string | undefined {
  const names = [...text.matchAll(quoted)].map(([, name = ""]) => name).slice(0, maxNames);
  if (names.length === 0) return undefined;
  const known = new Set(flattenSymbols(symbols).map(({ name }) => name));
  return names.find((name) => {
    const last = name.split(/\.|:+|#/).at(-1) ?? name;
    return last !== "" && !known.has(last) && !source.text.includes(last);
  });
}
