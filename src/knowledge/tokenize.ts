import { trimSigns } from "../edit/trim-signs.ts";

/** Of scripts that put no blanks between words: Chinese characters and kana, without their punctuation. */
const wide = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]&&[\p{L}\p{N}]]`;
// oxlint-disable-next-line patterns/no-built-pattern -- of the class above only.
const runs = new RegExp(
  String.raw`(?<run>${wide}+)|(?<word>[[\p{L}\p{N}\p{M}_$]--${wide}]+)`,
  "gv",
);
// oxlint-disable-next-line patterns/no-built-pattern -- as above.
const onlyWide = new RegExp(`^${wide}+$`, "v");
/** HTTPServer: HTTP, Server. parseUrl2: parse, Url, 2. */
const parts = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}(?:\p{Lu}(?![\p{Ll}\p{M}]))*|\p{N}+|[\p{L}\p{M}]+/gu;
/** In characters: longer ones are hashes and packed data, in whose parts nobody searches. */
const maxWord = 64;

/** What a text has as one word: the word itself, and what it is also found by. */
export interface Word {
  /** Lower case. */
  whole: string;
  /** Parts of an identifier; the single characters of a run of Chinese, where `whole` is the run. */
  parts: readonly string[];
  /** True for Chinese and kana, which are found by their pairs of characters. */
  isWide: boolean;
}

/** The words of a text in any script, in order, after NFKC (full-width letters become plain ones). */
export function* wordsOf(text: string): Iterable<Word> {
  for (const { groups = {} } of text.normalize("NFKC").matchAll(runs)) {
    const { run, word = "" } = groups;
    if (run !== undefined) yield { whole: run, parts: Array.from(run), isWide: true };
    else yield* readIdentifier(word);
  }
}

/**
 * Cuts a text into what it is found by: words in lower case; identifiers whole and in their parts;
 * Chinese and kana as single characters and as pairs.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const word of wordsOf(text)) {
    if (!word.isWide) tokens.push(word.whole);
    // One by one: a run may hold more than a call takes arguments.
    for (const part of word.parts) tokens.push(part);
    if (word.isWide) for (const pair of pairsOf(word.parts)) tokens.push(pair);
  }
  return tokens;
}

/** A character is two units of UTF-16 at times, so characters come as an array. */
export function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((next, index) => `${characters[index] ?? ""}${next}`);
}

/** Whether a token is of Chinese characters or kana. */
export function isWide(token: string): boolean {
  return onlyWide.test(token);
}

function* readIdentifier(run: string): Iterable<Word> {
  const word = trimSigns(run, "_$");
  if (word === "") return;
  if (word.length > maxWord) {
    yield { whole: word.slice(0, maxWord).toLowerCase(), parts: [], isWide: false };
    return;
  }
  const found = word.match(parts)?.filter((part) => part.length > 1) ?? [];
  const whole = word.toLowerCase();
  const some = found.map((part) => part.toLowerCase()).filter((part) => part !== whole);
  yield { whole, parts: some, isWide: false };
}
