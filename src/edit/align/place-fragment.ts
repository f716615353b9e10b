// Code that shows only what changes: no line at its ends has to be in the file, if one place is clearly the nearest.
import { type LineRange, encloses } from "../edit-unit.ts";
import { type AlignedFile, type Alignment, alignSegment, isBalanced } from "./align-segment.ts";
import { resultOf } from "./place-segments.ts";
import {
  declaredName,
  isCloser,
  isEven,
  isHeadline,
  isImport,
  type SourceLines,
  unitEnd,
  wordsOf,
} from "./source-lines.ts";

export interface FragmentHints {
  /** The lines that the answer names for the code. */
  near?: LineRange | undefined;
  /** Where nothing else is named, code that has half as many lines takes the place of all of these. */
  selected?: LineRange | undefined;
  /** Something says that the code is a new version of what is there; else it shows lines of that, or adds to each. */
  isChange?: boolean | undefined;
}

/** Of a place: so much at most, for the first line and for each, and so much less than any other place. */
const [most, mostLine, margin] = [1.1, 0.9, 0.75];
/** In lines. */
const maxCode = 150;

/**
 * The lines of a file of which the code is a new version: each line of both is the same, is like the other one, or is
 * new or gone between two that are.
 */
export function placeFragment(
  code: SourceLines,
  file: AlignedFile,
  { near, selected, isChange = false }: FragmentHints,
): Alignment | undefined {
  const { texts } = code;
  const { source } = file;
  // Where a block begins or ends in mid code, it is not clear what else belongs to it.
  if (texts.length > maxCode || (texts.length > 1 && !isEven(texts))) return undefined;
  const lineOf = (solid: number): number => (source.numbers[solid] ?? source.all.length) + 1;
  const isMeant = ({ start, end }: Alignment): boolean => {
    const range = { startLine: lineOf(start), endLine: lineOf(end - 1) };
    if (near !== undefined) return encloses(near, range);
    const size = selected === undefined ? 0 : selected.endLine - selected.startLine + 1;
    const isPart =
      selected !== undefined && encloses(selected, range) && !encloses(range, selected);
    return !isPart || size > 2 * texts.length;
  };
  const borders = { from: 0, to: source.texts.length, isTop: false, isBottom: false };
  const ways = alignSegment(code, file, { ...borders, isLoose: true }).filter(isMeant);
  const [best] = ways;
  if (
    best === undefined ||
    best.cost > (near === undefined ? 1 : 2) * most + mostLine * texts.length
  )
    return undefined;
  const result = resultOf(best, code, file);
  const isOtherResult = (way: Alignment): boolean =>
    way.cost < best.cost + margin && resultOf(way, code, file) !== result;
  if (ways.some(isOtherResult)) return undefined;
  const old = source.texts.slice(best.start, best.end);
  // What is new at an end may belong anywhere.
  const first = texts.findIndex((text) => !isHeadline(text));
  if (best.at[first] === undefined || best.at.at(-1) === undefined) return undefined;
  if (first > 0 && best.at[0] === undefined && isHeadline(source.texts[best.start - 1] ?? ""))
    return undefined;
  const shown = best.at.filter((line) => line !== undefined);
  const isKnown = shown.some((line) => line >= 0 && file.countOf(source.texts[line]) === 1);
  const isLonger = old.every((text, nth) => hasWords(texts[nth] ?? "", text));
  if (shown.length * 2 < texts.length || !(isChange || isKnown || isLonger)) return undefined;
  if (best.deleted > 2 * (best.inserted + best.replaced) || !isBalanced(code, best, file))
    return undefined;
  if (isOtherUnit(best, code, file, false)) return undefined;
  // What the file declares there, the code declares, too, and it has nothing that the file has elsewhere.
  const names = new Set(texts.map((text) => declaredName(text)));
  const isBound = (text: string): boolean => /\b(?:const|let|va[lr])\s/.test(text);
  const own = old.flatMap((text) => (isBound(text) ? [] : (declaredName(text) ?? [])));
  // Without the sign that goes on to the next line, more may have to go.
  const [was = "", now = ""] = [old.at(-1), texts.at(-1)];
  if (/[,;]$/.test(was) && !/[,;{([:]$/.test(now)) return undefined;
  const isLost = own.some((name) => !names.has(name));
  const isTwice = best.at.some((line, nth) => {
    const text = texts[nth] ?? "";
    const isTelling = text.length > 12 || declaredName(text) !== undefined || isImport(text);
    return line === undefined && isTelling && !isCloser(text) && file.countOf(text) > 0;
  });
  const isOther = best.at.some((line, nth) => {
    const [was = "", now = ""] = [source.texts[~(line ?? -1)], texts[nth]];
    return line !== undefined && line < 0 && !isNewVersion(was, now);
  });
  return isLost || isTwice || isOther ? undefined : best;
}

/**
 * A whole function or block in place of another one: it is a new version only of the one with its name, or, where no line
 * at its ends is shown, with its head.
 */
export function isOtherUnit(
  { at }: Alignment,
  code: SourceLines,
  { source }: AlignedFile,
  isShown: boolean,
): boolean {
  const { texts } = code;
  const first = texts.findIndex((text) => !isHeadline(text));
  const line = at[first] ?? 0;
  const [head = "", top = ""] = [texts[first], source.texts[line < 0 ? ~line : line]];
  const [name, own] = [declaredName(head), declaredName(top)];
  const isOther = name !== own || (name === undefined && head !== top && !isShown);
  return isOther && texts.length > 1 && unitEnd(code, first) === texts.length;
}

/** It begins with the same word or has all of them, opens a block as well; a declaration has as many parameters. */
function isNewVersion(was: string, now: string): boolean {
  const [first, last] = [was, now].map((text) => /[\p{L}\p{N}_$]+/u.exec(text)?.[0]);
  const [name, own] = [declaredName(was), declaredName(now)];
  if (name !== undefined && was.split(",").length !== now.split(",").length) return false;
  if (name !== undefined && own !== undefined && name !== own) return false;
  if (was.endsWith(":") !== now.endsWith(":")) return false;
  return first === last || hasWords(now, was);
}

function hasWords(now: string, was: string): boolean {
  const [words, own] = [wordsOf(now), [...wordsOf(was)]];
  return own.length >= 2 && own.every((word) => words.has(word));
}
