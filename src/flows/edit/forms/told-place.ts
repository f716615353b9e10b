// Where words put code: "Add this check before the `return` in `find`:", or the heading of a section of Markdown.
import {
  columnsOf,
  indented,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
} from "../../../base/text/lines.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import {
  declaredName,
  isCloser,
  isAttribute,
  isHeadline,
  likenessOfWords,
  sourceLines,
  unitEnd,
} from "../../../edit/align/source-lines.ts";
import { leavesOut, placeholderOf } from "../../../edit/placeholder.ts";
import { findHeadings } from "../../../knowledge/markdown-sections.ts";

/**
 * The text with new lines beside the one line of the file that the code shows first or last; undefined if there is no such
 * line, or the code is not new; the places if there are several such lines.
 *
 * @param told what a sentence quotes of the line that the code comes beside
 * @param within the lines that are meant
 */
export function addBesideShown(
  text: string,
  code: string,
  told: readonly string[],
  within: LineRange | undefined,
): string | LineRange[] | undefined {
  const [lines, own] = [linesOf(text), solidPart(linesOf(code))];
  const placesOf = (line = ""): number[] =>
    lines.flatMap((each, nth) => (each.trim() === line.trim() ? [nth] : []));
  const [first, last] = [placesOf(own[0]), placesOf(own.at(-1))];
  const isBelow = first.length > 0;
  const [added, places] = isBelow ? [own.slice(1), first] : [own.slice(0, -1), last];
  const anchor = lines[places[0] ?? -1] ?? "";
  // Where the sentence tells another place, the line is one of the code.
  const isMeant = told.every((one) => anchor.includes(one));
  const tells = /\w{2}/.test(anchor) && !isAttribute(anchor.trim()) && isMeant;
  const isNone = (line: string): boolean =>
    !isSolid(line) || isCloser(line.trim()) || placesOf(line).length === 0;
  const isNamed = told.length > 0 && isMeant;
  const isPlain =
    added.some(isSolid) && tells && isNewCode(added, lines) && (isNamed || added.every(isNone));
  if (!isPlain || places.length > maxPlaces) return undefined;
  return atOnePlace(places, within, (at) => {
    const indent = indentOf(lines[at] ?? "");
    const shown = indented(own, indent);
    const isAsDeep = indentOf(shown.at(isBelow ? 0 : -1) ?? "") === indent;
    const around = lines.slice(Math.max(0, at - own.length), at + own.length);
    // What declares something new is no new version, however much it is like another declaration.
    const isSure = (line: string): boolean =>
      isCloser(line.trim()) || declaredName(line.trim()) !== undefined;
    const isNew = added.every(
      (line) => isSure(line) || around.every((near) => likenessOfWords(line, near) < mostAlike),
    );
    return isAsDeep && isNew
      ? [...lines.slice(0, at), ...shown, ...lines.slice(at + 1)]
      : undefined;
  });
}

/** A line that is as much like another one may take its place. */
const mostAlike = 0.5;

/** Of more lines that are the same none is meant. */
const maxPlaces = 20;

/** The text that is made at the one line of those that are meant; these lines if there are several, and each makes one. */
function atOnePlace(
  places: readonly number[],
  within: LineRange | undefined,
  make: (at: number) => readonly string[] | undefined,
): string | LineRange[] | undefined {
  const isMeant = (at: number): boolean =>
    within === undefined || (at >= within.startLine - 1 && at < within.endLine);
  const meant = places.length > 1 ? places.filter(isMeant) : places;
  const texts = (meant.length > 0 ? meant : places).map((at) => ({ at, made: make(at) }));
  const [only, ...more] = texts;
  if (only === undefined || texts.some(({ made }) => made === undefined)) return undefined;
  return more.length === 0
    ? only.made && joinLines([...only.made])
    : texts.map(({ at }) => ({ startLine: at + 1, endLine: at + 1 }));
}

/** It leaves nothing out, declares nothing that the file declares, and most of its lines are not in the file. */
export function isNewCode(
  own: readonly string[],
  lines: readonly string[],
  isSaid = false,
): boolean {
  const known = new Set(lines.map((line) => line.trim()));
  const names = new Set(lines.flatMap((line) => declaredName(line.trim()) ?? []));
  const least = Math.min(...own.filter(isSolid).map(columnsOf));
  // What is bound inside of a function may be bound in others.
  const isOld = (line: string): boolean =>
    placeholderOf(line) !== undefined ||
    (columnsOf(line) === least && names.has(declaredName(line.trim()) ?? ""));
  const added = own.filter((line) => !known.has(line.trim()));
  return !own.some(isOld) && (isSaid || added.length * 2 >= own.length);
}

/** Lines that declare something, with its documentation and annotations. */
export function isMember(own: readonly string[]): boolean {
  const names = own.map((line) => declaredName(line.trim()));
  const isBlock = names[0] !== undefined && unitEnd(sourceLines(own), 0) > 1;
  return own.length > 1 && (isHeadline(own[0]?.trim() ?? "") || isBlock);
}

export function startsWith(line: string, quoted: string): boolean {
  const isWhole = !/[\w$]$/.test(quoted) || !/^[\w$]/.test(line.slice(quoted.length));
  return line.startsWith(quoted) && isWhole;
}

/** When what is added runs leaves it an order. */
const condition = / (?:when|if)\b[^,:`]*(?=[:：]?$)/gim;

/** Words as an order: who would add something gives one, and what a sentence begins with may be a place as well as a time. */
export function asOrder(words: string): string {
  return words
    .replace(/\bI(?:['’]d| would|['’]ll| will)(?: also)? (?=add|insert|put|place)/i, "")
    .replace(/(?<=^[-+*•\d.)\s]{0,8}|[.!?] )before (?=(?:the (?:\w+ )?)?`)/i, "Right before ")
    .replaceAll(condition, "");
}

/**
 * The Markdown with a section, and what is below its heading, in place of the only one of that heading; undefined where
 * there is no such one, or the code begins with something else or leaves out lines.
 */
export function replaceSection(text: string, code: string): string | undefined {
  const [lines, own] = [linesOf(text), solidPart(linesOf(code))];
  const [head, ...below] = findHeadings(own);
  const isOne = head?.start === 0 && below.every(({ level }) => level > head.level);
  if (!isOne || leavesOut(code, (line) => lines.includes(line))) return undefined;
  const all = findHeadings(lines);
  const [place, ...twins] = all.filter((one) => one.text === head.text && one.level === head.level);
  if (place === undefined || twins.length > 0) return undefined;
  const next = all.find(({ start, level }) => start > place.start && level <= place.level);
  const end = next?.start ?? lines.length;
  const old = lines.slice(place.start, end);
  const gap = old.slice(old.findLastIndex(isSolid) + 1);
  return joinLines([...lines.slice(0, place.start), ...own, ...gap, ...lines.slice(end)]);
}
