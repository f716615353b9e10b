// Documentation on its own, or with the heads of what it documents and without their bodies.
import type { LineRange } from "../edit-unit.ts";
import type { Change } from "../find/merge-replace.ts";
import {
  commentSign,
  declaredName,
  docEnd,
  docstringEnd,
  headlinesAbove,
  isComment,
  isDocstring,
  isEven,
  isHeadline,
  type SourceLines,
  unitEnd,
  wordsOf,
} from "./source-lines.ts";
import { indentOf, isSolid, trimEndSigns } from "../../base/text/lines.ts";

interface Documented {
  docs: string[];
  /** The lines that it is for, as the file has them; none where the answer only means them. */
  head: string[];
}

/** Heads of the code times lines of the file. */
const maxPairs = 3_000_000;
/** In lines. */
const maxHead = 50;

export interface PlacedDocs {
  regions: Change[];
  level: "elision";
  /** It can be nothing else: the file has bodies that the code leaves out, or nothing of what the code shows alone. */
  isCut: boolean;
}

/**
 * Each documentation takes the place of what its declaration has, which its head names, or which is the first of the lines
 * that are meant.
 *
 * @param isReplaced they take the place of any comment that is there
 * @returns undefined where the code holds anything else, or it is not clear what is documented
 */
export function placeDocs(
  code: SourceLines,
  source: SourceLines,
  meant: LineRange | undefined,
  isReplaced = false,
): PlacedDocs | undefined {
  const parts = splitDocs(code.all) ?? [];
  // What begins within a comment is a piece of one.
  const isClear = ({ docs: [first = ""], head }: Documented): boolean =>
    /^[^*]/.test(first.trim()) && (head.length > 0 || parts.length === 1);
  if (!parts.every(isClear) || parts.length * source.texts.length > maxPairs) return undefined;
  const bareTexts = source.texts.map(bare);
  const known = new Set(
    source.texts.filter((text, at) => text.length > 3 && isIn(meant, at, source)),
  );
  const regions: Change[] = [];
  let isCut = true;
  for (const { docs, head } of parts) {
    const line =
      head.length > 0
        ? lineOfHead({ docs, head }, bareTexts, source, meant)
        : firstMeant(docs, source, meant);
    if (line === undefined) return undefined;
    const colon = isDocstring(docs[0]?.trim() ?? "") ? lastOfHead(line, source) : undefined;
    regions.push(
      colon === undefined
        ? writeAbove(docs, line, source, isReplaced)
        : writeBelow(docs, colon, source),
    );
    const last = colon ?? line + head.length - 1;
    isCut &&=
      head.length > 0
        ? unitEnd(source, line) > docstringEnd(source, last)
        : isDoc(docs) && !docs.some((text) => known.has(text.trim()));
  }
  return regions.length > 0 ? { regions, level: "elision", isCut } : undefined;
}

/** How a string begins that documents: that of Python, and of what is below it. */
const docString = /^(?:@\w*doc\s+(?:~S)?|[rRuU]?)(?:"""|''')/;

/** One documentation, and not what it is for. */
export function isOnlyDocs(lines: readonly string[]): boolean {
  const [only, ...more] = splitDocs(lines) ?? [];
  return more.length === 0 && only?.head.length === 0 && only.docs.length > 0;
}

/** Documentation with what is next to it: below it, or above where it is a string. */
function splitDocs(lines: readonly string[]): Documented[] | undefined {
  const parts: Documented[] = [];
  const begin = (): Documented => {
    const next = { docs: [], head: [] };
    parts.push(next);
    return next;
  };
  let part = begin();
  let isApart = false;
  let end: string | undefined;
  for (const line of lines) {
    const text = line.trim();
    const sign = (/^(?:\/\*|<!--)/.exec(text) ?? docString.exec(text))?.[0];
    if (end !== undefined) {
      part.docs.push(line);
      if (text.includes(end)) end = undefined;
    } else if (sign !== undefined || isComment(text)) {
      const isBelow = isDocstring(text) && part.docs.length === 0;
      const isNext = part.head.length > 0 && !isBelow;
      if (isNext) part = begin();
      part.docs.push(line);
      const closing = sign?.startsWith("/*")
        ? "*/"
        : sign?.startsWith("<")
          ? "-->"
          : sign?.slice(-3);
      if (closing !== undefined && !text.slice(sign?.length).includes(closing)) end = closing;
    } else if (text === "") isApart = part.docs.length > 0 && part.head.length === 0;
    else {
      // What is set apart from the code documents something else.
      if (isApart) return undefined;
      const isNext = isDocstring(part.docs[0]?.trim() ?? "") && part.head.length > 0;
      if (isNext) part = begin();
      part.head.push(text);
    }
  }
  return end === undefined ? parts : undefined;
}

/** A head as it is with and without what begins a body. */
function bare(text: string): string {
  const body = text.endsWith("}") ? text.lastIndexOf("{") : -1;
  const isNothing = /^\{(?: *\/\*.*\*\/)?[ .…]*\}$/.test(text.slice(Math.max(0, body)));
  return trimEndSigns(isNothing ? text.slice(0, body) : text, " ;{:=>");
}

/** The line of the file on which a head begins: all of its lines are there; modifiers may come before the first. */
function lineOfHead(
  { docs, head }: Documented,
  bareTexts: readonly string[],
  source: SourceLines,
  meant: LineRange | undefined,
): number | undefined {
  const bareHead = head.map(bare);
  const isHere = (at: number): boolean =>
    bareHead.every((text, nth) => {
      const own = bareTexts[at + nth];
      return own === text || (nth === 0 && own?.endsWith(` ${text}`) === true);
    });
  const found = [...source.texts.keys()].filter(isHere);
  const same = found.filter((at) => source.texts[at] === head[0]);
  const places = same.length === 1 ? same : found;
  const [only, ...more] =
    places.length > 1 ? places.filter((at) => isIn(meant, at, source)) : places;
  if (only === undefined || more.length > 0) return undefined;
  const lines = source.texts.slice(only, only + head.length).filter((text) => !isHeadline(text));
  const isNext = (text: string, nth: number): boolean =>
    nth > 0 && text !== "{" && isEven(lines.slice(0, nth));
  if (lines.length > maxHead || lines.some(isNext)) return undefined;
  const name = declaredName(lines.join(" "));
  // A whole line of the outermost level that the file has once is documented, whatever it is.
  const isOutermost = source.columns[only] === 0 && source.texts[only] === head[0];
  const isLine = head.length === 1 && places.length === 1 && isOutermost;
  const isKnown = name !== undefined || isLine || isDoc(docs);
  return isKnown && isSolid(bareHead[0] ?? "") ? only : undefined;
}

function isIn(meant: LineRange | undefined, at: number, { numbers }: SourceLines): boolean {
  const line = (numbers[at] ?? 0) + 1;
  return meant !== undefined && line >= meant.startLine && line <= meant.endLine;
}

/** The declaration that the lines which are meant begin with. */
function firstMeant(
  docs: readonly string[],
  source: SourceLines,
  meant: LineRange | undefined,
): number | undefined {
  const at = source.texts.findIndex((text, line) => isIn(meant, line, source) && !isHeadline(text));
  const text = source.texts[at] ?? "";
  const name = declaredName(text);
  if (name === undefined) return undefined;
  // Without a body it is a call.
  if (text.startsWith(`${name}(`) && unitEnd(source, at) === at + 1) return undefined;
  return isDoc(docs) || wordsOf(docs.join("\n")).has(name) ? at : undefined;
}

/** Other comments may be anything, unless they name what is declared. */
function isDoc(docs: readonly string[]): boolean {
  const first = docs[0]?.trim() ?? "";
  const hasTag = docs.some((line) => /\s(?:[@\\](?:param|returns?|brief)|:param)\b/.test(line));
  return /^(?:\/\*\*|\/\/\/|---|##)/.test(first) || docString.test(first) || hasTag;
}

/** Comments come above the annotations, in place of the comment of their kind that is next to them. */
function writeAbove(
  docs: readonly string[],
  line: number,
  source: SourceLines,
  isReplaced: boolean,
): Change {
  const first = headlinesAbove(source, line);
  const numberOf = (at: number): number => source.numbers[at] ?? 0;
  const shown = indentDocs(docs, source.all[numberOf(line)] ?? "");
  if (docEnd(source, first) === line)
    return { start: numberOf(first), end: numberOf(line), lines: shown };
  const above = source.texts.slice(first, line);
  const count = above.findIndex((text) => !isComment(text));
  const comments = above.slice(0, count === -1 ? above.length : count);
  const sign = commentSign(docs[0]?.trim());
  const said = new Set(docs.map(wordsIn));
  const isOwn = (text: string): boolean =>
    isReplaced || ["", sign].includes(commentSign(text)) || said.has(wordsIn(text));
  // Documentation may be shown from a line of the old one on.
  const known = comments.indexOf(docs[0]?.trim() ?? "");
  const isOld = (text: string): boolean => isReplaced || commentSign(text) === sign;
  const old = known === -1 ? comments.findIndex(isOld) : known;
  const next = old === -1 ? -1 : comments.findIndex((text, nth) => nth > old && !isOwn(text));
  const [from, to] = [old, next].map((at) => numberOf(first + (at === -1 ? comments.length : at)));
  return { start: from ?? 0, end: to ?? 0, lines: shown };
}

/** What a comment says, without the sign that it begins with. */
function wordsIn(text: string): string {
  return text.trim().slice(commentSign(text.trim()).length).trim();
}

/** A string comes below the head, in place of the one there. */
function writeBelow(docs: readonly string[], head: number, source: SourceLines): Change {
  const last = docstringEnd(source, head) - 1;
  const [start, end] = [head, last].map((at) => (source.numbers[at] ?? 0) + 1);
  const below = source.all[source.numbers[head + 1] ?? 0] ?? "";
  return { start: start ?? 0, end: end ?? 0, lines: indentDocs(docs, below) };
}

/** The last line of a head that a colon ends, as in Python; undefined where none does. */
function lastOfHead(line: number, { texts }: SourceLines): number | undefined {
  let last = line;
  while (last < line + maxHead && !isEven(texts.slice(line, last + 1))) last += 1;
  return /:(?:\s*#.*)?$/.test(texts[last] ?? "") ? last : undefined;
}

/** The lines as deep as one of the file; the first may have been cut out in mid line. */
function indentDocs([first = "", ...rest]: readonly string[], beside: string): string[] {
  const indent = indentOf(beside);
  const isStarred = rest.filter(isSolid).every((line) => line.trim().startsWith("*"));
  const least = Math.min(...rest.filter(isSolid).map((line) => indentOf(line).length));
  // Scala's stars are below the second one.
  const margin = least - indentOf(first).length === 2 ? "  " : " ";
  const inner = rest.map((line) => {
    if (!isSolid(line)) return "";
    return indent + (isStarred ? margin + line.trim() : line.slice(least));
  });
  return [indent + first.trim(), ...inner];
}
