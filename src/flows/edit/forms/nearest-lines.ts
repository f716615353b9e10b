// A few lines alone, as new versions of lines of the file: which lines those are.
import { declaredName, isImport, wordsOf } from "../../../edit/align/source-lines.ts";
import { type LineRange, encloses } from "../../../edit/edit-unit.ts";
import { isSurePlaceholder, placeholderOf } from "../../../edit/placeholder.ts";
import { isSolid, linesOf } from "../../../base/text/lines.ts";
import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import { flattenSymbols } from "../../../code/symbols.ts";

/** More lines than these show themselves where they belong; where nothing says where, one has to do so by itself. */
const mostLines = { within: 5, anywhere: 1 };
/** Lines of a file in which places are looked for. */
const mostPlaces = 5_000;
/** How much two lines have in common at least, and how much less any other place has: less where it is named. */
const bounds = { within: { least: 0.5, margin: 0.2 }, anywhere: { least: 0.6, margin: 0.3 } };

/** A line announces something that comes beside what is there. */
const adding =
  /\b(?:add(?:s|ed|ing)?|insert(?:s|ed|ing)?|append|include|create|introduce|import|declare|define|below|above|after|before)\b|加|插入|引入|新建|定义|声明|之前|之后|上面|下面/i;

/**
 * The lines of a text that the code is a new version of: as many, each with words of it, and no others that come near.
 *
 * @param above what the answer says of the code
 * @param within the lines that it names, from 1
 */
export function nearestLines(
  text: string,
  code: string,
  above: string,
  within: LineRange | undefined,
): LineRange | undefined {
  const now = linesOf(code).filter(isSolid);
  const all = linesOf(text);
  const isOther = (line: string): boolean =>
    isSurePlaceholder(placeholderOf(line)) ||
    /^["'][^"']*["'],?$/.test(line.trim()) ||
    declaredName(line.trim()) !== undefined ||
    isImport(line.trim());
  const [most, { least, margin }] =
    within === undefined
      ? [mostLines.anywhere, bounds.anywhere]
      : [mostLines.within, bounds.within];
  if (now.length > most || all.length > mostPlaces || now.some(isOther)) return undefined;
  const isAdded = adding.test(above.replaceAll(/`[^`]*`/g, ""));
  const words = now.map(wordsOf);
  const places = all.flatMap((line, nth) => (isSolid(line) ? [nth] : []));
  const ranked = places
    .flatMap((start, nth) => {
      const own = places.slice(nth, nth + now.length);
      const end = own.at(-1) ?? start;
      const range = { startLine: start + 1, endLine: end + 1 };
      if (own.length < now.length || (within !== undefined && !encloses(within, range))) return [];
      const shares = own.map((at, line) => shareOf(words[line], all[at] ?? ""));
      // What has all words of a line and more adds to that line.
      const isLonger = own.every((at, line) => holdsWords(words[line], all[at] ?? ""));
      const share = sum(shares) / own.length;
      return Math.min(...shares) < least / 2 ? [] : [{ range, share, isLonger }];
    })
    .sort((one, other) => other.share - one.share);
  const [best] = ranked;
  if (best === undefined || best.share < least || (isAdded && !best.isLonger)) return undefined;
  const second = ranked.find(({ range }) => !meet(range, best.range));
  return second === undefined || second.share <= best.share - margin ? best.range : undefined;
}

/** The lines that a line above code names for it: by their numbers, or by the one symbol of the file that it quotes. */
export function namedLines(above: string, { symbols }: CodeAnalysis): LineRange | undefined {
  const [whole, ...more] = above.matchAll(
    /(?:\blines?|第) ?(?<from>\d{1,6})(?: ?(?:-|–|to|and|到|至) ?(?<to>\d{1,6}))?/gi,
  );
  const { from, to = from } = whole?.groups ?? {};
  if (from !== undefined && more.length === 0)
    return { startLine: Number(from), endLine: Number(to) };
  const quoted = [...above.matchAll(/`(?:[\w.#:]*[.#:])?([\w$]+)(?:\(\))?`/g)].map(
    ([, name]) => name,
  );
  const named = flattenSymbols(symbols).filter(({ name }) => quoted.includes(name));
  const [only] = named;
  return named.length === 1 ? only?.range : undefined;
}

/** How many of the words of both are in both: what each begins with says what it does, and is in the other. */
function shareOf(now: ReadonlySet<string> = new Set(), line: string): number {
  const was = wordsOf(line);
  const [[first = ""], [other = ""]] = [[...was], [...now]];
  if (was.size < 2 || now.size < 2 || !now.has(first) || !was.has(other)) return 0;
  const both = [...was].filter((word) => now.has(word)).length;
  return (2 * both) / (now.size + was.size);
}

function holdsWords(now: ReadonlySet<string> = new Set(), line: string): boolean {
  const was = [...wordsOf(line)];
  return was.length >= 4 && was.every((word) => now.has(word));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function meet(one: LineRange, other: LineRange): boolean {
  return one.startLine <= other.endLine && other.startLine <= one.endLine;
}
