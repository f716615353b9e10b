// SEARCH that begins in the middle of a line of the file, or ends there.
import { countText, hasText } from "../../base/text/count-text.ts";
import { commonLines } from "../compare-lines.ts";
import type { Lines } from "./decoration.ts";
import { type FileIndex, findSequence } from "./file-index.ts";
import { type Place, type Query, comparePlace, toQuery } from "./place.ts";
import { indentOf, isSolid } from "../../base/text/lines.ts";

/** Places that are compared; more are ambiguous anyway. */
const maxPlaces = 20;
/** In characters: longer parts of lines are not looked for. */
const maxNeedle = 200;

/** The places where all lines fit; the first may be the end of a line of the file, and the last the beginning of one. */
export function findPartial(unit: Lines, query: Query, index: FileIndex): Place[] {
  const [first, last] = [query.solid[0], query.solid.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return findInsideLine(unit, first, index);
  const found = new Map<number, Place>();
  const cuts = [
    { head: true, tail: false },
    { head: false, tail: true },
    { head: true, tail: true },
  ];
  for (const { head, tail } of cuts) {
    const inner = query.forms.slice(head ? 1 : 0, tail ? -1 : undefined);
    for (const place of findSequence(index, inner).slice(0, maxPlaces)) {
      const start = head ? place - 1 : place;
      const headLine = lineAt(index, start);
      const tailLine = lineAt(index, start + query.solid.length - 1);
      if (headLine === undefined || tailLine === undefined || found.has(start)) continue;
      const headStart = endingAt(headLine, unit.search[first] ?? "");
      const tailEnd = startingAt(tailLine, unit.search[last] ?? "");
      let whole: Lines | undefined = unit;
      if (head) {
        if (headStart === undefined) continue;
        if (!isCutBetweenTokens(index, start, headStart)) continue;
        whole = completeLine(whole, first, headLine, true, headLine.slice(0, headStart));
      }
      if (tail && whole !== undefined) {
        if (tailEnd === undefined) continue;
        if (!isTokenBorder(tailLine, tailEnd, false)) continue;
        const line = indentOf(unit.search[last] ?? "") + tailLine.trimStart();
        whole = completeLine(whole, last, line, false, tailLine.slice(tailEnd));
      }
      const there = whole && comparePlace(toQuery(whole.search, index), index, start);
      if (whole && there) found.set(start, { ...there, level: "partial-line", lines: whole });
    }
  }
  return [...found.values()];
}

/** A single line that is inside a line of the file, between tokens, and as code if it is code. */
function findInsideLine(unit: Lines, number: number, index: FileIndex): Place[] {
  const needle = (unit.search[number] ?? "").trim();
  // Looking for a long text in a long line can take the product of both.
  if (needle.length > maxNeedle || !unit.replace.some(isSolid)) return [];
  const found: Place[] = [];
  const isSentence = isProseText(needle);
  for (
    let offset = index.text.indexOf(needle);
    offset !== -1 && found.length < maxPlaces;
    offset = index.text.indexOf(needle, offset + needle.length)
  ) {
    const end = offset + needle.length;
    if (!isTokenBorder(index.text, offset, true) || !isTokenBorder(index.text, end, false))
      continue;
    if (!isSentence && index.isProse(offset, end)) continue;
    const line = index.lineOf(offset);
    const text = index.line(line);
    const written = unit.replace.join("\n").trim();
    // What REPLACE adds behind or before the quote is there already.
    if (written.includes(needle) && hasText(text, written)) return [];
    const start = offset - (index.starts[line] ?? 0);
    const lines = completeInside(unit, number, text, [start, start + needle.length]);
    if (lines === undefined) return [];
    const query = toQuery(lines.search, index);
    const place = comparePlace(query, index, index.solidBefore(line));
    if (place !== undefined) found.push({ ...place, level: "partial-line", lines });
  }
  return found;
}

/**
 * The unit with the whole line in SEARCH, and in REPLACE what is before and behind the quoted part.
 * Undefined if REPLACE may have some of that, changed.
 */
function completeInside(
  { search, replace }: Lines,
  number: number,
  line: string,
  [start, end]: readonly [number, number],
): Lines | undefined {
  const quoted = (search[number] ?? "").trim();
  const [first, last] = [replace.findIndex(isSolid), replace.findLastIndex(isSolid)];
  const before = line.slice(0, start).trimStart();
  // Behind other code the first line shows no indentation: the others show whose they have.
  const fileIndent = indentOf(line);
  const isLikeFile =
    before !== "" &&
    replace.every((each, nth) => nth === first || !isSolid(each) || each.startsWith(fileIndent));
  const indent = isLikeFile ? fileIndent : indentOf(search[number] ?? "");
  const own = before === "" ? indentOf(replace[first] ?? "") : indent;
  const all = replace.join("\n").trim();
  const head = joinHead((replace[first] ?? "").trim(), quoted, before, all);
  if (head === undefined) return undefined;
  const written = replace.with(first, own + head);
  const tail = joinTail((written[last] ?? "").trimEnd(), quoted, line.slice(end), all);
  if (tail === undefined) return undefined;
  return {
    search: search.with(number, indent + line.trimStart()),
    replace: written.with(last, tail),
  };
}

/** Words of a text, not code: at least four, or Chinese, without signs that code has. */
function isProseText(needle: string): boolean {
  if (/[=(){}[\];<>$_&|"`\\]/.test(needle)) return false;
  return (
    /\p{Script=Han}/u.test(needle) ||
    needle.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > 3
  );
}

/** The end of a line that begins with a token, and not inside of a comment or string that ends there. */
function isCutBetweenTokens(index: FileIndex, solid: number, at: number): boolean {
  const line = index.solidLines[solid] ?? 0;
  const [start = 0, end] = [index.starts[line], index.endOf(line)];
  if (!isTokenBorder(index.text, start + at, true)) return false;
  const next = index.solidLines[solid + 1] ?? line;
  const inside = (index.starts[next] ?? 0) + indentOf(index.line(next)).length + 1;
  return !index.isProse(start + at, end) || index.isProse(inside, index.endOf(next));
}

function lineAt(index: FileIndex, solid: number): string | undefined {
  const line = index.solidLines[solid];
  return line === undefined ? undefined : index.line(line);
}

/** Where in the line the quoted end begins. */
function endingAt(line: string, quoted: string): number | undefined {
  const end = line.trimEnd();
  return end.endsWith(quoted.trim()) ? end.length - quoted.trim().length : undefined;
}

/** Where in the line the quoted beginning ends. */
function startingAt(line: string, quoted: string): number | undefined {
  if (!line.trimStart().startsWith(quoted.trim())) return undefined;
  return line.length - line.trimStart().length + quoted.trim().length;
}

/**
 * The unit with a cut line of SEARCH made whole, and REPLACE likewise: the line that keeps it becomes the
 * file's, the one that replaces it gets what is missing. Undefined if REPLACE has neither.
 *
 * @param missing what SEARCH leaves out of the line: before it (the head is cut), or after it
 */
function completeLine(
  unit: Lines,
  number: number,
  line: string,
  isHead: boolean,
  missing: string,
): Lines | undefined {
  const common = commonLines(unit.search, unit.replace);
  const search = unit.search.with(number, line);
  const twin = common.find(([quoted]) => quoted === number)?.[1];
  if (twin !== undefined) return { search, replace: unit.replace.with(twin, line) };
  const edge = isHead ? unit.replace.findIndex(isSolid) : unit.replace.findLastIndex(isSolid);
  const kept = isHead
    ? (common.find(([quoted]) => quoted > number)?.[1] ?? unit.replace.length)
    : (common.findLast(([quoted]) => quoted < number)?.[1] ?? -1);
  if (edge === -1 || (isHead ? edge >= kept : edge <= kept)) return undefined;
  const text = unit.replace[edge] ?? "";
  const quoted = unit.search[number] ?? "";
  const joined = isHead
    ? joinHead(text.trimStart(), quoted, missing)
    : joinTail(text.trimEnd(), quoted, missing);
  if (joined === undefined) return undefined;
  return { search, replace: unit.replace.with(edge, joined) };
}

/** What REPLACE writes, behind what SEARCH left out of the line; undefined if it may be a change of that. */
function joinHead(
  written: string,
  quoted: string,
  missing: string,
  all = written,
): string | undefined {
  if (completes(all, quoted, missing)) return written;
  const known = new Set(namesOf(quoted));
  const left = new Set(namesOf(missing));
  if (namesOf(written).some((name) => left.has(name) && !known.has(name))) return undefined;
  return missing + written;
}

/** As {@link joinHead}, with what SEARCH left out behind it. */
function joinTail(
  written: string,
  quoted: string,
  missing: string,
  all = written,
): string | undefined {
  if (completes(all, quoted, missing)) return written;
  const last = missing.trim().at(-1) ?? "";
  const isSign = last !== "" && !/[\p{L}\p{N}]/u.test(last);
  const isChanged = isSign && written.endsWith(last) && !quoted.trim().endsWith(last);
  return isChanged ? undefined : written + missing;
}

function namesOf(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? [];
}

/** REPLACE writes what SEARCH left out of the line: then it is whole. */
function completes(written: string, quoted: string, rest: string): boolean {
  const left = rest.trim();
  return left !== "" && countText(written, left) > countText(quoted, left);
}

// Where a line may be cut: between tokens, as any language has them.

const word = /[\p{L}\p{N}\p{M}_$]/u;
const digit = /\p{N}/u;
/** Signs that join two words to one name, path, number or call. */
const joins = "-.:/\\@#'~";
const operators = "=<>!&|+-*/%^~?:.#@";

/**
 * Whether a token ends and another begins at an offset: not inside of a word, a number (`1.2`), a name of
 * several words (`background-color`, `os.path`, `a::b`), a path or an operator, and not between a sign and
 * the name that it belongs to.
 *
 * @param isStart a part begins there, which may be the call of a method (`.then(x)`)
 */
export function isTokenBorder(text: string, offset: number, isStart: boolean): boolean {
  const before = signBefore(text, offset);
  const after = signAt(text, offset);
  if (isBlank(before) || isBlank(after)) return true;
  if (isInsideWord(text, offset)) return false;
  if (word.test(before)) {
    const isCall = isStart && after === "." && !digit.test(before);
    return isCall || !goesOn(text, offset, before);
  }
  if (word.test(after)) {
    return !joins.includes(before) || (before === "'" && !word.test(signBefore(text, offset - 1)));
  }
  const areTags = before === ">" && after === "<";
  return areTags || !(operators.includes(before) && operators.includes(after));
}

/** Whether a word or a number of one part goes on at an offset. */
function isInsideWord(text: string, offset: number): boolean {
  const [before, after] = [signBefore(text, offset), signAt(text, offset)];
  return isUnseen(after) || isUnseen(before) || (word.test(before) && word.test(after));
}

/** A word goes on behind a sign that joins. */
function goesOn(text: string, offset: number, before: string): boolean {
  const [sign, next] = [text.charAt(offset), text.charAt(offset + 1)];
  if (digit.test(before) && (sign === "%" || (sign === "," && digit.test(next)))) return true;
  if (sign === "-" && next === ">") return true;
  if ((sign === "?" && next === ".") || (sign === ":" && next === ":")) return true;
  return joins.includes(sign) && word.test(signAt(text, offset + 1));
}

function signAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function signBefore(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && offset > 1;
  return isPair ? signAt(text, offset - 2) : text.charAt(offset - 1);
}

function isBlank(sign: string): boolean {
  return sign === "" || /^\s$/.test(sign);
}

/** Part of the character before it, or of one that was cut. */
function isUnseen(sign: string): boolean {
  return /^(?:\p{M}|\p{Cs}|\u200d)$/u.test(sign);
}
