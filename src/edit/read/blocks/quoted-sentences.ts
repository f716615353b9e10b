// The sentences of an answer with the code that they quote.
import { distance } from "fastest-levenshtein";
import { isSolid, linesOf } from "../../../base/text/lines.ts";
import { likenessOfWords } from "../../align/source-lines.ts";
import { pathOfLine } from "../dress/path-in-text.ts";
import {
  addsCode,
  type Around,
  isTurned,
  leadsOn,
  sentencesOf,
  tellsPlace,
  tellsWhere,
  turnsInto,
} from "./told-words.ts";

/** A line of text, or one of code by its indentation. */
export interface TextLine {
  text: string;
  /** In the answer, 1-based. */
  line: number;
  isCode: boolean;
  /** As the answer has it, where that is another text. */
  written?: string;
}

export interface Sentence {
  text: string;
  line: number;
  path: string | undefined;
  /** Its code, with what is before and behind each. */
  quoted: readonly { code: string; before: string; after: string }[];
}

/** Pieces of code, and lines that quote any. */
export const maxQuoted = 100;
const maxText = 1_000;

/** Between two pairs: "and", "and both occurrences of". */
const goesOnAs =
  /^[,，、;；]? ?(?:and|以及|还有|[和并再])? ?(?:(?:every|each|all|both|the) ?(?:other |two |three )?(?:occurrences?|uses?|instances?|calls?|places?)?(?: of| to)?)?$/i;

/** Code may quote, too: between two signs, or behind a space or a sign that opens something, and before no sign that ends. */
const quotation =
  /(``(?:[^`]|`(?!`))+``|`(?:[^`]*[\s([{=,:+]`(?!\.[\s`]|[\s,;:!?)，。；：、\p{Script=Han}])[^`]+`)+[^`]*`(?![\w`])|`[^`]+`)/u;

/** Where a sentence has code. */
interface Place {
  code: string;
  from: number;
  to: number;
}

/** The sentences of a line. */
export function readSentences({ text, line }: TextLine): Sentence[] {
  if (text.length >= maxText) return [];
  const found: Sentence[] = [];
  let own = "";
  let path: string | undefined;
  let quoted: Place[] = [];
  const end = (): void => {
    const all = own;
    // Names do not say where they are, but an arrow, or an order to change one into the other, makes them sides.
    const areSides = (from?: Place, to?: Place): boolean => {
      if (from === undefined || to === undefined) return false;
      const [lead, between] = [all.slice(0, from.from), all.slice(from.to, to.from)];
      const isTurn = turnsInto(lead, between) || isTurned(between);
      const isPart =
        (from.code.includes(to.code) && !/[,，]/.test(between)) || to.code.startsWith(from.code);
      // A typing error, or a name of several words that turns into something else.
      const isMended =
        Math.min(from.code.length, to.code.length) > 3 && distance(from.code, to.code) < 3;
      const isSeveral = /\w(?:[.:#]|::|->)\w/.test(from.code) && !/^\w+$/.test(to.code);
      const isLike = isPart || isMended || isSeveral || likenessOfWords(from.code, to.code) >= 0.5;
      return (
        (leadsOn(between) && !tellsWhere(lead)) ||
        (lead.endsWith("from ") && between === " to ") ||
        (isTurn && isLike)
      );
    };
    const sides = quoted.filter(
      (one, nth) =>
        !isName(one.code) ||
        isCallToAdd(one.code, all.slice(0, one.from), all.slice(one.to)) ||
        areSides(quoted[nth - 1], one) ||
        areSides(one, quoted[nth + 1]),
    );
    const toSide = (nth: number): Around & { code: string } => {
      const { code = "", from = 0, to = 0 } = sides[nth] ?? {};
      const before = all.slice(sides[nth - 1]?.to ?? 0, from);
      // A second pair goes on with the words of the first.
      const isMore = nth > 1 && goesOnAs.test(before.trim());
      const between = all.slice(to, sides[nth + 1]?.from ?? to).trim();
      const isNext = nth % 2 === 1 && between !== "" && goesOnAs.test(between);
      const after = isNext ? "" : all.slice(to);
      return { code, before: isMore ? toSide(nth - 2).before : before, after };
    };
    if (all.trim() !== "")
      found.push({ text: all, line, path, quoted: sides.map((_, nth) => toSide(nth)) });
    [own, path, quoted] = ["", undefined, []];
  };
  for (const part of text.split(quotation)) {
    const code = quotation.test(part) ? unquote(part) : undefined;
    if (code === undefined)
      for (const [nth, piece] of sentencesOf(part).entries()) {
        if (nth > 0) end();
        own += piece;
      }
    else {
      const named = pathOfLine(code);
      if (named !== undefined && /\.[A-Za-z]\w*$/.test(named)) path ??= named;
      const from = own.length;
      own += `\`${code.replaceAll("`", "'")}\``;
      quoted.push({ code, from, to: own.length });
    }
  }
  end();
  return found;
}

/** A call, as a statement: an order adds it at a place. */
export function isCallToAdd(code: string, before: string, after: string): boolean {
  const isOrder = addsCode(before) && /[\w)]\(.*\);?$/.test(code);
  return isOrder && tellsPlace(`${before} ${after}`);
}

/** What may be meant wherever it is used. */
export function isName(code: string): boolean {
  const isMember = /^[A-Z]\w*:[A-Za-z_]\w*$/.test(code);
  const name = /^(?!\.[a-z])[\w.$]*(?:(?:-|::|#)[\w.$]+)*[?!]?(?:\((?:\w*:)*\))?$/;
  return isMember || name.test(code);
}

/** The code that is all of a line of text. */
export function codeAlone(text: string): string | undefined {
  const [lead, quoted = "", tail = ""] = text.length < maxText ? text.trim().split(quotation) : [];
  const isAlone = lead === "" && /^[.,;:。，；：]?$/.test(tail) && quoted !== "";
  const code = isAlone ? unquote(quoted) : "";
  return code === "" || isName(code) ? undefined : code;
}

function unquote(quoted: string): string {
  const signs = quoted.startsWith("``") ? 2 : 1;
  return quoted.slice(signs, -signs).trim();
}

/** Lines without what is around them, each space one. */
export function squeeze(text: string): string {
  return linesOf(text)
    .filter(isSolid)
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .join("\n");
}

/** Where a text has some code that is not only a part of a word. */
export function* placesIn(text: string, code: string): Generator<number, void, void> {
  const isWord = (sign: string | undefined): boolean => /[\p{L}\p{N}_$]/u.test(sign ?? "");
  if (code === "") return;
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + code.length)) {
    const isCut = isWord(text[at - 1]) && isWord(code[0]);
    if (!isCut && !(isWord(code.at(-1)) && isWord(text[at + code.length]))) yield at;
  }
}

/** Whether a text has some code that is not only a part of a word. */
export function holds(text: string, code: string): boolean {
  return placesIn(text, code).next().done !== true;
}
