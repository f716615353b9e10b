// Liquid's filters of texts whose cost depends on what they find, done by ours.
import type { OwnFilter } from "./filter.ts";
import { lastPlaceOf, placesOf } from "./find-text.ts";
import type { FueledContext } from "./fueled-context.ts";
import { textOf, textOfParts } from "./fueled-context.ts";

/** What a match costs that is replaced, and each character that is looked at or made. */
const [match, character] = [28, 0.6];

const escaped: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};
const unescaped: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&#34;": '"',
  "&#39;": "'",
};

const escapeText: OwnFilter = (context, value) =>
  replaceMatches(
    context,
    textOf(value, context.fuel),
    /[&<>"']/g,
    (found) => escaped[found] ?? found,
  );
const unescapeText: OwnFilter = (context, value) =>
  replaceMatches(
    context,
    textOf(value, context.fuel),
    /&(?:amp|lt|gt|#34|#39);/g,
    (found) => unescaped[found] ?? found,
  );

export const textFilters: Readonly<Record<string, OwnFilter>> = {
  escape: escapeText,
  xml_escape: escapeText,
  escape_once: (context, value) => escapeText(context, unescapeText(context, value)),
  newline_to_br: (context, value) =>
    replaceMatches(context, textOf(value, context.fuel), /\r?\n/g, () => "<br />\n"),
  strip_newlines: (context, value) =>
    replaceMatches(context, textOf(value, context.fuel), /\r?\n/g, () => ""),
  normalize_whitespace: (context, value) => squeeze(context, value),
  squish: (context, value) => squeeze(context, value).trim(),
  strip: (context, value, signs) => trim(context, value, signs, true, true),
  lstrip: (context, value, signs) => trim(context, value, signs, true, false),
  rstrip: (context, value, signs) => trim(context, value, signs, false, true),
  truncatewords: (context, value, words = 15, ellipsis = "...") => {
    const { fuel } = context;
    const text = textOf(value, fuel);
    const most = Math.max(Math.trunc(Number(textOfParts(words, fuel))) || 1, 1);
    const kept: string[] = [];
    fuel.use(text.length * character);
    for (const [word] of text.matchAll(/\S+/g)) {
      fuel.use(match);
      if (kept.length < most) kept.push(word);
      if (kept.length >= most) return `${kept.join(" ")}${textOf(ellipsis, fuel)}`;
    }
    return kept.join(" ");
  },

  split: (context, value, separator) => {
    const text = textOf(value, context.fuel);
    const pieces = splitText(context, text, textOf(separator, context.fuel));
    while (pieces.at(-1) === "") pieces.pop();
    return pieces;
  },
  replace: (context, value, pattern, replacement) =>
    replaceAll(context, value, pattern, replacement),
  remove: (context, value, pattern) => replaceAll(context, value, pattern, ""),
  replace_first: (context, value, pattern, replacement) =>
    replaceOne(context, value, pattern, replacement, true),
  remove_first: (context, value, pattern) => replaceOne(context, value, pattern, "", true),
  replace_last: (context, value, pattern, replacement) =>
    replaceOne(context, value, pattern, replacement, false),
  remove_last: (context, value, pattern) => replaceOne(context, value, pattern, "", false),
};

function squeeze(context: FueledContext, value: unknown): string {
  return replaceMatches(context, textOf(value, context.fuel), /\s+/g, () => " ");
}

/** Cuts blanks, or other signs, off the ends that are named. */
function trim(
  { fuel }: FueledContext,
  value: unknown,
  given: unknown,
  isStart: boolean,
  isEnd: boolean,
): string {
  const text = textOf(value, fuel);
  fuel.use(text.length * character);
  if (given === undefined || given === null || given === "") {
    const head = isStart ? text.trimStart() : text;
    return isEnd ? head.trimEnd() : head;
  }
  const listed = textOf(given, fuel);
  fuel.use((listed.length + text.length) * 6);
  const signs = new Set(listed);
  const from = isStart ? afterSigns(text, signs) : 0;
  return text.slice(from, isEnd ? beforeSigns(text, signs, from) : text.length);
}

function afterSigns(text: string, signs: ReadonlySet<string>): number {
  let from = 0;
  for (const sign of text) {
    if (!signs.has(sign)) break;
    from += sign.length;
  }
  return from;
}

function beforeSigns(text: string, signs: ReadonlySet<string>, from: number): number {
  let to = text.length;
  for (let sign = lastSign(text, to); to > from && signs.has(sign); sign = lastSign(text, to))
    to -= sign.length;
  return to;
}

/** The character that ends here, which may have two units. */
function lastSign(text: string, end: number): string {
  const two = text.slice(Math.max(0, end - 2), end);
  return (two.codePointAt(0) ?? 0) > 0xffff ? two : two.slice(-1);
}

/** @param pattern linear whatever the text is, with the flag `g` */
function replaceMatches(
  { fuel }: FueledContext,
  text: string,
  pattern: RegExp,
  replace: (found: string) => string,
): string {
  fuel.use(text.length * character);
  let replaced = "";
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    fuel.use(match);
    replaced += text.slice(from, found.index) + replace(found[0]);
    from = found.index + found[0].length;
  }
  return replaced + text.slice(from);
}

function splitText({ fuel }: FueledContext, text: string, separator: string): string[] {
  if (separator === "") {
    fuel.use(text.length * 6);
    return text.split("");
  }
  const pieces: string[] = [];
  let from = 0;
  for (const at of placesOf(text, separator, fuel)) {
    pieces.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...pieces, text.slice(from)];
}

function replaceAll(
  context: FueledContext,
  value: unknown,
  pattern: unknown,
  replacement: unknown,
): string {
  const { fuel } = context;
  const [text, old, fresh] = [
    textOf(value, fuel),
    textOf(pattern, fuel),
    textOf(replacement, fuel),
  ];
  const pieces = splitText(context, text, old);
  const length = text.length + (pieces.length - 1) * (fresh.length - old.length);
  fuel.use(Math.max(0, length) * character + pieces.length * 2);
  context.memoryLimit.use(length);
  return pieces.join(fresh);
}

function replaceOne(
  { fuel }: FueledContext,
  value: unknown,
  pattern: unknown,
  replacement: unknown,
  isFirst: boolean,
): string {
  const [text, old, fresh] = [
    textOf(value, fuel),
    textOf(pattern, fuel),
    textOf(replacement, fuel),
  ];
  const first = old === "" ? 0 : (placesOf(text, old, fuel).next().value ?? -1);
  const at = isFirst ? first : lastPlaceOf(text, old, fuel);
  fuel.use((text.length + fresh.length) * 0.05);
  return at === -1 ? text : text.slice(0, at) + fresh + text.slice(at + old.length);
}
