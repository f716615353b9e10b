import { trimSigns } from "../base/text/lines.ts";

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

/** What a text has as one word. */
interface Word {
  /** What it is searched by: an identifier and its parts; the pairs of a run of Chinese, or the one character of it. */
  terms: readonly string[];
  /** What it is found by besides: the single characters of a run. */
  others: readonly string[];
}

/** The words of a text in any script, in order, after NFKC (full-width letters become plain ones). */
function* wordsOf(text: string): Iterable<Word> {
  for (const { groups = {} } of text.normalize("NFKC").matchAll(runs)) {
    const { run, word = "" } = groups;
    if (run === undefined) yield* readIdentifier(word);
    else {
      // A character is two units of UTF-16 at times.
      const characters = Array.from(run);
      const pairs = characters.slice(1).map((next, index) => `${characters[index] ?? ""}${next}`);
      const isPaired = pairs.length > 0;
      yield { terms: isPaired ? pairs : characters, others: isPaired ? characters : [] };
    }
  }
}

/**
 * Cuts a text into what it is found by: words in lower case; identifiers whole and in their parts;
 * Chinese and kana as single characters and as pairs.
 */
export function tokenize(text: string): string[] {
  return Array.from(wordsOf(text)).flatMap(({ others, terms }) => [...others, ...terms]);
}

function* readIdentifier(run: string): Iterable<Word> {
  const word = trimSigns(run, "_$");
  if (word === "") return;
  const whole = word.slice(0, maxWord).toLowerCase();
  const found = word.length > maxWord ? [] : (word.match(parts) ?? []);
  const some = found.filter((part) => part.length > 1).map((part) => part.toLowerCase());
  yield { terms: [whole, ...some.filter((part) => part !== whole)], others: [] };
}

interface QueryTerms {
  /** Each once, in the order of the question. */
  terms: string[];
  /**
   * Those that may be the beginning of a longer word: the last one, which may not be typed to its end,
   * and long Latin words, which have endings (`deploy`, `deployment`).
   */
  beginnings: ReadonlySet<string>;
  /** Those that may be misspelt: the first of the long Latin words. */
  misspelt: ReadonlySet<string>;
}

/** In characters. A question can carry a whole file; what a person asks is in its first words. */
const maxQuery = 4_000;
const maxTerms = 100;
/** Words of which those that are nearly the same are searched, too: the dearest part of a search. */
const maxInflected = 24;
/** A single letter begins too much. */
const shortestBeginning = 2;
/** A word long enough to be misspelt, or inflected, and still itself. */
const longLatin = /^\p{Script=Latin}{5,}$/u;

/**
 * What a question is searched by. Chinese goes by pairs of characters (single ones only where one
 * is alone): nearly every passage shares some single character with a question. Words that only
 * make it a question are left out, unless there are no others.
 */
export function queryTermsOf(query: string): QueryTerms {
  const words = [...wordsOf(query.slice(0, maxQuery))];
  const all = words.flatMap(({ terms: own }) => own);
  const telling = all.filter((term) => !emptyWords.has(term));
  const terms = new Set((telling.length > 0 ? telling : all).slice(0, maxTerms));
  const { terms: ends } = words.at(-1) ?? { terms: [] };
  const typed = [ends[0] ?? "", ends.at(-1) ?? ""].filter(
    (end) => !onlyWide.test(end) && end.length >= shortestBeginning,
  );
  const misspelt = new Set(
    [...terms].filter((term) => longLatin.test(term)).slice(0, maxInflected),
  );
  return {
    terms: [...terms],
    beginnings: new Set([...terms].filter((term) => typed.includes(term) || misspelt.has(term))),
    misspelt,
  };
}

const emptyWords: ReadonlySet<string> = new Set(
  [
    "a an and any are as at be by can could do does for from has have how i if in into is it its",
    "me my of on or our please s should t tell that the their them there these they this those to us",
    "was we were what when where which who why will with would you your",
    "什么 怎么 怎样 如何 为何 为什 何时 哪里 哪个 哪些 多少 是否 可以 能否 请问 一下 一个 这个 那个 我们 你们 他们",
    "么样 么办 怎麼 什麼 為何 為什 哪裡 哪裏 可否 的 了 是 在 吗 呢 吧 啊 和 与 或 我 你 他 它 这 那 有 就 也 都 请 把 被",
    "は が を に で と の も か です ます した する から まで とは です ください どう なに",
  ].flatMap((words) => words.split(" ")),
);
