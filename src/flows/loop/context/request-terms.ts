// What a request of the coding agent may name: code, files, words, and texts that a file may hold.
import { type CodeName, findNames } from "../../place/find-names.ts";

export interface RequestTerms {
  /** The request without its fenced blocks. */
  text: string;
  names: readonly CodeName[];
  /** Words that may be in names of files and symbols, in lower case, by their stems. */
  words: ReadonlyMap<string, string>;
  /** What files may hold as it is, with a weight from 0 to 1. */
  texts: ReadonlyMap<string, number>;
}

/** `maxNamed`: files of which other texts are looked for. */
const [maxWords, maxTexts, maxNamed] = [40, 10, 5];
/** In characters; a shorter text is everywhere. */
const [leastWord, longestText] = [3, 80];
const quotes = /“([^“”\n]{2,80})”|‘([^‘’\n]{2,80})’|「([^「」\n]{2,80})」|"([^"\n]{2,80})"/gu;
const flags = /(?<![\w-])--[a-z][\w-]{1,60}/gi;
/** Names of code: a part of one is a word of its own that nobody has said. */
const marked = /`[^`\n]{1,200}`|(?<![a-z\d])[a-z\d]{1,60}(?:[A-Z_][a-z\d]{1,60}){1,20}/g;
const paths = /[\w@-]{1,80}(?:[./\\][\w-]{1,80}){1,30}/g;
/** With a unit: `5 MB`. */
const amounts = /(?<![\w.])\d{1,9} ?(?:[kKMGT]i?[bB]|ms|px|%)(?!\w)/g;
const numbers = /(?<![\w.])\d{2,9}(?![\w.])/g;
/** Words that requests use and files do not mean. */
const common = new Set(
  (
    "add all already also always and another any are because been before being between both but can " +
    "cannot change code could create currently delete does done each every few file files find fix for " +
    "from function get gets give has have how however instead into its just less let like look looks make " +
    "many may method more most much must need needs never new not now one only other our out own please " +
    "put remove rename same say says should show shows some still such sure take test tests than that the " +
    "their them then there they this those too two use used uses using very want was way were what when " +
    "where which while who why will with within without work works would wrong you your"
  ).split(" "),
);
/** What joins Chinese words, and verbs of requests. */
const joints = /[的了请把和与或也被从里在要让将给再]+|应该|改成|改为|写成|一起/u;

export function readTerms(request: string): RequestTerms {
  const { names, text } = findNames(request);
  return { text, names, words: readWords(text), texts: readTexts(text, names) };
}

/**
 * With what other files write where they import the files that are named, and with their words: who names
 * `pages.test.ts` mostly means `pages.ts`.
 *
 * @param named paths
 */
export function addNamed(terms: RequestTerms, named: Iterable<string>): RequestTerms {
  const texts = new Map(terms.texts);
  const words = new Map(terms.words);
  for (const path of [...named].slice(0, maxNamed)) {
    const name = nameOf(path);
    const stem = withoutEnding(name);
    if (!texts.has(name)) texts.set(name, 0.6);
    if (stem.length > 3 && !texts.has(stem)) texts.set(stem, 0.4);
    for (const word of splitWords(stem))
      if (word.length >= leastWord && !common.has(word)) words.set(stemOf(word), word);
  }
  return { ...terms, texts, words };
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `pages.test` of `pages.test.ts`. */
export function withoutEnding(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The words of a name or path: `parseHTTPHeader_v2` has parse, http, header, v2. */
export function splitWords(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** `bookings` and `booked` become `book`, so that they meet in `parseBooking`. */
export function stemOf(word: string): string {
  for (const ending of ["ings", "ing", "ies", "ed", "es", "s", "e"])
    if (word.endsWith(ending) && word.length - ending.length >= 4)
      return word.slice(0, -ending.length);
  return word;
}

/** Words of the prose alone: names of code and files are looked for as they are. */
function readWords(text: string): Map<string, string> {
  const prose = text.replace(marked, " ").replace(paths, " ");
  const words = (prose.toLowerCase().match(/[a-z][a-z\d]*/g) ?? []).filter(
    (word) => word.length >= leastWord && !common.has(word),
  );
  return toStems(words.slice(0, maxWords));
}

function toStems(words: readonly string[]): Map<string, string> {
  return new Map(words.map((word) => [stemOf(word), word]));
}

function readTexts(text: string, names: readonly CodeName[]): Map<string, number> {
  const texts = new Map<string, number>();
  const add = (found: string, weight: number): void => {
    const known = found.trim();
    if (known.length < 2 || known.length > longestText || texts.size >= maxTexts) return;
    if (!texts.has(known)) texts.set(known, weight);
  };
  for (const { path } of names) add(path.at(-1) ?? "", 1);
  for (const [flag] of text.matchAll(flags)) add(flag, 0.7);
  for (const [, ...found] of text.matchAll(quotes)) {
    const quoted = found.find((one) => one !== undefined) ?? "";
    if (/[a-z]/i.test(quoted)) add(quoted, 0.7);
  }
  for (const [amount] of text.matchAll(amounts)) add(amount, 0.6);
  for (const [number] of text.matchAll(numbers)) add(number, 0.3);
  for (const [run] of text.matchAll(/[\u3400-\u9fff]{2,40}/gu))
    for (const word of run.split(joints)) add(word.replace(/[到成为]$/u, ""), 0.4);
  return texts;
}
