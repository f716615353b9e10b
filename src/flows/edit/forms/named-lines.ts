// Which lines of a file a text means by a number, or by a name that it quotes.
import { linesOf } from "../../../base/text/lines.ts";
import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import { flattenSymbols } from "../../../code/symbols.ts";
import {
  nameSetBy,
  type SourceLines,
  sourceLines,
  unitEnd,
} from "../../../edit/align/source-lines.ts";
import { commonLines } from "../../../edit/compare-lines.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import { quotedIn, scopeOf, sentencesOf } from "../../../edit/read/blocks/told-words.ts";

/**
 * The lines that a text above code names for it, in the last of its sentences that does: by their numbers, or by the one
 * thing of the file that it quotes; of several, the one with a line that sets what the first line of the code does.
 */
export function namedLines(
  above: string,
  analysis: CodeAnalysis,
  code = "",
): LineRange | undefined {
  const most = Math.min(maxQuoted, Math.ceil(maxLooks / analysis.source.lineCount));
  const [numbers, ...others] = above.matchAll(lineNumbers);
  const { from, to = from } = numbers?.groups ?? {};
  if (from !== undefined && others.length === 0)
    return { startLine: Number(from), endLine: Number(to) };
  const [last = "", ...before] = sentencesOf(above.replaceAll(compared, "")).toReversed();
  // What leads to the code comes first, then what says in what something is.
  const placing = before.filter((one) => scopeOf(one, []) !== undefined);
  for (const sentence of [last, ...placing, ...before]) {
    const [, title] = titled.exec(sentence) ?? [];
    const quoted = [...new Set(title === undefined ? quotedIn(sentence) : [title])];
    const named = rangesNamed(quoted.slice(0, most), analysis);
    const all = named.filter(({ length }) => length === 1);
    // What a path of keys is around is meant, and not all of that.
    const isPath = (one: string): boolean => aPath.test(one) && !analysis.source.text.includes(one);
    const inner = named.filter(({ length }, nth) => length === 1 && !isPath(quoted[nth] ?? ""));
    const found = inner.length > 0 ? inner : all;
    const scope = found.length > 1 ? scopeOf(sentence, []) : undefined;
    const [[range] = [], ...more] = scope === undefined ? found : rangesNamed([scope], analysis);
    if (range !== undefined && more.length > 0) return rangeThatSets(code, found.flat(), analysis);
    if (range !== undefined) return range;
  }
  return undefined;
}

/** A heading that is a name, and nothing else. */
const titled = /^[\s#*+•\d.)-]*([A-Za-z_][\w.#]*)(?:\([^()]*\))?[\s*:：]*$/;

function rangeThatSets(
  code: string,
  ranges: readonly LineRange[],
  { source }: CodeAnalysis,
): LineRange | undefined {
  const key = nameSetBy(code.split("\n", 1)[0] ?? "");
  const lines = linesOf(source.text);
  const [only, ...more] = ranges.filter(({ startLine, endLine }) =>
    lines.slice(startLine, endLine).some((line) => nameSetBy(line.trim()) === key),
  );
  return key === undefined || more.length > 0 ? undefined : only;
}

/** Names of a sentence that are looked for, and lines in which. */
const [maxQuoted, maxLooks] = [8, 50_000];

/** For each name, as it is quoted, what has it, or begins with a line that has all of it. */
export function rangesNamed(
  quoted: readonly string[],
  { symbols, source }: CodeAnalysis,
): LineRange[][] {
  const known = Map.groupBy(flattenSymbols(symbols), ({ name }) => name);
  let lines: SourceLines | undefined;
  return quoted.map((one) => {
    // A call that the file has is no definition.
    const isCall = /\w\(.+\)$/.test(one) && /[.>:]/.test(one) && source.text.includes(one);
    const own = isCall ? undefined : known.get(nameIn(one) ?? "");
    if (own !== undefined) return own.map(({ range }) => range);
    lines ??= sourceLines(linesOf(source.text));
    const keyed = rangeOfPath(one, lines);
    if (keyed !== undefined) return [keyed];
    return unitsNamed(one, lines);
  });
}

const lineNumbers =
  /(?:\blines?|第) ?(?<from>\d{1,6})(?: ?(?:-|–|to|and|到|至) ?(?<to>\d{1,6}))?/gi;
/** A text about the lines of a file with the numbers that these have after a change of it. */
export function renumbered(told: string, was: string, now: string): string {
  if (was === now || told.length > maxTold || !/\d/.test(told)) return told;
  let places: ReadonlyMap<number, number> | undefined;
  return told.replaceAll(lineNumbers, (all) =>
    all.replaceAll(/\d+/g, (number) => {
      places ??= new Map(commonLines(linesOf(was), linesOf(now)));
      let line = Math.min(Number(number), maxLine) - 1;
      // A line that has changed is where it was, below the one before it.
      while (line >= 0 && !places.has(line)) line -= 1;
      return String(Number(number) + (places.get(line) ?? line) - line);
    }),
  );
}

/** In characters: a longer text tells no lines. */
const maxTold = 1_000;
const maxLine = 200_000;
/** What is only like it. */
const compared =
  /\((?:but )?not [^()]*\)|（?(?:不是|而非)[^）]*）|\b(?:as|like|unlike|than) (?:\w+ ){0,3}`[^`]+`|[和与跟同像] ?`[^`]+` ?(?:\p{Script=Han}{0,4})(?:一样|相同|一致|类似)/giu;

/** The name of what is quoted with its class, its parameters, or how many it has. */
function nameIn(quoted: string): string | undefined {
  return /^(?:[\w.#:]*[.#:])?([\w$]+[?!]?)(?:\(.*\)|\/\d)?$/.exec(quoted)?.[1];
}

const aPath = /^[\w-]+(?:\.[\w-]+)+$/;

/** The lines that a path of keys leads to, each below the one before or in its line: `jobs.test.steps`, `users.email`. */
function rangeOfPath(quoted: string, source: SourceLines): LineRange | undefined {
  const { texts, columns, numbers } = source;
  const keys = aPath.test(quoted) ? quoted.split(".") : [];
  const sets = (text: string, key: string): boolean =>
    text.replace(/^[-\s"']+/, "").startsWith(key);
  let [from, to] = [-1, texts.length];
  for (const [nth, key] of keys.entries()) {
    const has = (text: string): boolean => text.split(/[^\w-]+/).includes(key);
    // `resource "type" "name" {`
    if (from !== -1 && has(texts[from] ?? "")) continue;
    const all = texts.flatMap((text, at) => {
      if (at <= from || at >= to || !has(text)) return [];
      const end = unitEnd(source, at);
      return end <= to && (sets(text, key) || end > at + 1) ? [at] : [];
    });
    const next = keys[nth + 1] ?? "";
    const withNext = all.filter((at) =>
      texts.slice(at + 1, unitEnd(source, at)).some((text) => sets(text, next)),
    );
    const found = next === "" || withNext.length === 0 ? all : withNext;
    const least = Math.min(...found.map((at) => columns[at] ?? 0));
    const [only, ...more] = found.filter((at) => columns[at] === least);
    if (only === undefined || more.length > 0) return undefined;
    [from, to] = [only, unitEnd(source, only)];
  }
  return from === -1
    ? undefined
    : { startLine: (numbers[from] ?? 0) + 1, endLine: (numbers[to - 1] ?? 0) + 1 };
}

/** What begins with a line of several that sets the name, or else has all that is quoted; a section goes on to the next one. */
function unitsNamed(quoted: string, source: SourceLines): LineRange[] {
  const { texts, numbers } = source;
  const endOf = (at: number): number => {
    if (!/^\[.*\]$/.test(texts[at] ?? "")) return unitEnd(source, at);
    const next = texts.findIndex((text, line) => line > at && text.startsWith("["));
    return next === -1 ? texts.length : next;
  };
  const parts = quoted.toLowerCase().replace(/>$/, "").split(/\s+/);
  const isPart = (text: string): boolean =>
    parts.every((part) => hasWord(text.toLowerCase(), part));
  const name = nameIn(quoted);
  const sets = (text: string): boolean =>
    name !== undefined && text.includes(name) && nameIn(nameSetBy(text) ?? "") === name;
  for (const isHead of [sets, isPart]) {
    const found = texts.flatMap((text, at) => (isHead(text) && endOf(at) > at + 1 ? [at] : []));
    if (found.length > 0)
      return found.map((at) => ({
        startLine: (numbers[at] ?? 0) + 1,
        endLine: (numbers[endOf(at) - 1] ?? 0) + 1,
      }));
  }
  return [];
}

/** It has that word, path, tag or section, and not only as a part of one. */
export function hasWord(text: string, word: string): boolean {
  if (word === "") return false;
  const isMore = (sign: string | undefined): boolean => /[\w/:-]/.test(sign ?? "");
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isMore(text[at - 1]) && !isMore(text[at + word.length])) return true;
  return false;
}
