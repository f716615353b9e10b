// What a request of the coding agent may name: code, files, words, and texts that a file may hold.
import { findNames } from "../../place/find-names.ts";

export interface RequestTerms {
  /** The request without its fenced blocks. */
  text: string;
  names: readonly (readonly string[])[];
  /**
   * Words that may be in names of files and symbols, in lower case, by their stems: those of the prose, and with a
   * smaller weight those in names, blocks and logs, since a new name often shares some with old ones.
   */
  words: ReadonlyMap<string, { word: string; weight: number }>;
  /** Of a short request the words that may be names, as they are and in lower case; true for those of common prose. */
  spoken: ReadonlyMap<string, boolean>;
  /** Pairs of steps of what may be a path, with or without its ending: `utils/body`, `app/py`; in lower case. */
  steps: ReadonlySet<string>;
  /** Tests, examples and documents are asked for as such. */
  asksTests: boolean;
  /** What files may hold as it is, with a weight from 0 to 1. */
  texts: ReadonlyMap<string, number>;
}

/** `maxNamed`: files of which other texts are looked for. */
const [maxWords, maxParts, maxTexts, maxNamed, maxPaths] = [40, 60, 10, 5, 50];
/** In characters; a shorter text is everywhere. */
const [leastWord, longestText] = [3, 80];
/** A part of a name says less than a word of the prose. */
const partShare = 0.4;
/** In characters; people put the question first, and logs after it. */
const maxRequest = 8_000;
const quotes = /“([^“”\n]{2,80})”|‘([^‘’\n]{2,80})’|「([^「」\n]{2,80})」|"([^"\n]{2,80})"/gu;
const flags = /(?<![\w-])--[a-z][\w-]{1,60}/gi;
/** Names of code: a part of one is a word of its own that nobody has said. */
const marked = /`[^`\n]{1,200}`|(?<![a-z\d])[a-z\d]{1,60}(?:[A-Z_][a-z\d]{1,60}){1,20}/g;
const paths = /[\w@-]{1,80}(?:[./\\][\w-]{1,80}){1,30}/g;
const links = /https?:\/\/[^\s)>\]"'`]{1,500}/g;
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
/** Words of paths that are beside the code itself. */
export const besideCode: ReadonlySet<string> = new Set(
  (
    "bench benchmark benchmarks doc docs documentation example examples fixture fixtures mock mocks sample " +
    "samples spec specs test testing tests"
  ).split(" "),
);
/** What joins Chinese words, and verbs of requests. */
const joints = /[的了请把和与或也被从里在要让将给再]+|应该|改成|改为|写成|一起/u;

export function readTerms(request: string): RequestTerms {
  const { text } = findNames(request);
  // A link names no code, though it may end with a path.
  const { names, text: prose } = findNames(request.replace(links, " "));
  const whole = request.slice(0, maxRequest);
  const found = (whole.match(paths) ?? []).slice(0, maxPaths);
  const said = prose.replace(marked, " ").replace(paths, " ");
  return {
    text,
    names,
    words: readWords(said, whole.replace(links, " ")),
    spoken: readSpoken(said),
    steps: new Set(found.flatMap(stepPairs)),
    asksTests:
      splitWords(whole).some((word) => besideCode.has(word)) || /测试|示例|文档/.test(whole),
    texts: readTexts(prose, names),
  };
}

/**
 * With what other files write where they import the files that are named, and with their words: who names
 * `pages.test.ts` mostly means `pages.ts`.
 */
export function addNamed(terms: RequestTerms, named: Iterable<string>): RequestTerms {
  const texts = new Map(terms.texts);
  const words = new Map(terms.words);
  for (const path of [...named].slice(0, maxNamed)) {
    const name = fileNameOf(path);
    const stem = withoutEnding(name);
    if (!texts.has(name)) texts.set(name, 0.6);
    if (stem.length > 3 && !texts.has(stem)) texts.set(stem, 0.4);
    for (const word of splitWords(stem))
      if (isTelling(word)) words.set(stemOf(word), { word, weight: 1 });
  }
  return { ...terms, texts, words };
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `pages.test` of `pages.test.ts`. */
export function withoutEnding(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Neighbours in a path: `src/utils/body.ts` has `src/utils`, `utils/body` and `body/ts`. */
export function stepPairs(path: string): string[] {
  const steps = path
    .toLowerCase()
    .split(/[./\\]+/)
    .filter((step) => step !== "");
  return steps.slice(1).map((step, nth) => `${steps[nth] ?? ""}/${step}`);
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

/** Names of code and files are looked for as they are, and their parts count less. */
function readWords(prose: string, whole: string): RequestTerms["words"] {
  const words = new Map<string, { word: string; weight: number }>();
  const add = (found: readonly string[], weight: number, most: number): void => {
    for (const word of found.filter(isTelling)) {
      if (words.size >= most) break;
      if (!words.has(stemOf(word))) words.set(stemOf(word), { word, weight });
    }
  };
  add(prose.toLowerCase().match(/[a-z][a-z\d]*/g) ?? [], 1, maxWords);
  const inNames = splitWords(whole).filter((word) => /^[a-z]/.test(word));
  add(inNames, partShare, words.size + maxParts);
  return words;
}

function isTelling(word: string): boolean {
  return word.length >= leastWord && !common.has(word);
}

/** Who writes more describes things, and does not name them. */
const maxSpoken = 14;

function readSpoken(prose: string): Map<string, boolean> {
  const words = prose.match(/[\p{Script=Latin}_$][\p{Script=Latin}\p{N}_$]*/gu) ?? [];
  const spoken = new Map<string, boolean>();
  const wide = prose.match(/[\u3400-\u9fff]/g) ?? [];
  if (words.length + wide.length / 2 > maxSpoken) return spoken;
  for (const word of words) {
    const isCommon = common.has(word.toLowerCase());
    // A request begins with what is to be done.
    if (word.length < 2 || (isCommon && prose.trimStart().startsWith(word))) continue;
    spoken.set(word, isCommon);
    if (!spoken.has(word.toLowerCase())) spoken.set(word.toLowerCase(), isCommon);
  }
  return spoken;
}

function readTexts(text: string, names: RequestTerms["names"]): Map<string, number> {
  const texts = new Map<string, number>();
  const add = (found: string, weight: number): void => {
    const known = found.trim();
    if (known.length < 2 || known.length > longestText || texts.size >= maxTexts) return;
    if (!texts.has(known)) texts.set(known, weight);
  };
  for (const path of names) add(path.at(-1) ?? "", 1);
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
