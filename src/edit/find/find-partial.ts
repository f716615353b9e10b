// SEARCH that begins within a line of the file, or ends within one.
import { countText, hasText } from "../../base/text/count-text.ts";
import { commonLines } from "../compare-lines.ts";
import type { Lines } from "./decoration.ts";
import type { FileIndex } from "./file-index.ts";
import { type Place, type Query, comparePlace, toQuery } from "./place.ts";
import { indentOf, isSolid, linesOf } from "../../base/text/lines.ts";

/** Places that are compared; more are ambiguous anyway. */
const maxPlaces = 20;
/** Places of the first line that are looked at; with more it tells no place. */
const maxLooks = 2000;
/** In characters: looking for a long text in a long line can take the product of both. */
const maxNeedle = 200;

/** The places where SEARCH is from one border of a token to another, and is code if it is quoted as code. */
export function findPartial(unit: Lines, query: Query, index: FileIndex): Place[] {
  const quoted = query.solid.map((number) => unit.search[number]?.trim() ?? "");
  const [head = "", tail = ""] = [quoted[0], quoted.at(-1)];
  if (head === "" || head.length > maxNeedle || !unit.replace.some(isSolid)) return [];
  const found: Place[] = [];
  let looks = 0;
  for (
    let from = index.text.indexOf(head);
    from !== -1 && found.length < maxPlaces;
    from = index.text.indexOf(head, from + head.length)
  ) {
    if ((looks += 1) > maxLooks) return [];
    const first = index.lineOf(from);
    const solid = index.solidBefore(first);
    const last = index.solidLines[solid + quoted.length - 1];
    if (last === undefined || !isBetween(query, index, solid)) continue;
    const isOne = first === last;
    const headEnd = from + head.length;
    const lastStart = (index.starts[last] ?? 0) + indentOf(index.line(last)).length;
    const to = isOne ? headEnd : lastStart + tail.length;
    if (!isOne && index.text.slice(headEnd, index.endOf(first)).trim() !== "") continue;
    if (!isOne && !index.text.startsWith(tail, lastStart)) continue;
    if (!isTokenBorder(index.text, from, true) || !isTokenBorder(index.text, to, false)) continue;
    const before = index.text.slice(index.starts[first], from);
    const after = index.text.slice(to, index.endOf(last));
    // Of lines of a comment or a string the next one is in it, too.
    const goesOn = !isOne && isInProse(index, index.solidLines[solid + 1] ?? first);
    const isCut = isOne ? !isSentence(head) && !isAllOfString(before, after) : before.trim() !== "";
    if (isCut && !goesOn && index.isProse(from, headEnd)) continue;
    // What REPLACE adds behind or before the quote is there already.
    const [searched, written] = [textOf(unit.search), textOf(unit.replace)];
    if (written.includes(searched) && hasText(before + searched + after, written)) return [];
    const lines = completeLines(unit, query, before, after);
    if (lines === undefined) continue;
    const place = comparePlace(toQuery(lines.search, index), index, solid);
    found.push({ ...place, level: "partial-line", lines });
  }
  return found;
}

/** The lines between the first and the last one are those of the file. */
function isBetween({ forms }: Query, index: FileIndex, solid: number): boolean {
  const inner = forms.slice(1, -1);
  return inner.every((form, nth) => index.forms[solid + 1 + nth] === form);
}

/** The line is in a comment or a string that begins further up. */
function isInProse(index: FileIndex, line: number): boolean {
  const start = (index.starts[line] ?? 0) + indentOf(index.line(line)).length + 1;
  return index.isProse(start, index.endOf(line));
}

function textOf(lines: readonly string[]): string {
  return lines.join("\n").trim();
}

/** Nothing else is between the same quotes. */
function isAllOfString(before: string, after: string): boolean {
  const quote = before.at(-1) ?? "";
  return /["'`]/.test(quote) && after.startsWith(quote);
}

/** Words of a text, not code: at least four, or Chinese, without signs that code has. */
function isSentence(needle: string): boolean {
  if (/[=(){}[\];<>$_&|"`\\]/.test(needle)) return false;
  return (
    /\p{Script=Han}/u.test(needle) ||
    needle.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > 3
  );
}

/**
 * The unit with whole lines: SEARCH and REPLACE get what the file has before SEARCH and behind it. Undefined if REPLACE may
 * have some of that, changed.
 */
function completeLines(
  unit: Lines,
  { solid }: Query,
  before: string,
  after: string,
): Lines | undefined {
  const [first = 0, last = 0] = [solid[0], solid.at(-1)];
  const [search, replace] = [[...unit.search], [...unit.replace]];
  const isOne = first === last;
  const head = isOne ? replace.findIndex(isSolid) : lineFor(unit, first, 0);
  const tail = isOne ? replace.findLastIndex(isSolid) : lineFor(unit, last, -1);
  const texts = isOne ? [textOf(replace), textOf(search)] : undefined;
  const code = before.trimStart();
  // One line does not stand for two that are cut.
  if (!isOne && head === tail && code !== "" && after.trim() !== "") return undefined;
  if (code !== "") {
    const [quoted, written] = [search[first]?.trim() ?? "", replace[head]?.trim() ?? ""];
    const [all = written, known = quoted] = texts ?? [];
    const isWhole = completes(all, known, code, all.startsWith(code.trim()));
    if (head === -1 || (!isWhole && namesMissing(written, quoted, code))) return undefined;
    // Behind other code a line alone shows no indentation: the others of REPLACE show whose they have.
    const inFile = indentOf(before);
    const isLikeFile =
      !isOne ||
      replace.every((line, nth) => nth === head || !isSolid(line) || line.startsWith(inFile));
    const indent = isLikeFile ? inFile : indentOf(search[first] ?? "");
    search[first] = indent + code + quoted;
    replace[head] = indent + (isWhole ? "" : code) + written;
  }
  if (after.trim() !== "") {
    const [quoted, written] = [search[last]?.trimEnd() ?? "", replace[tail]?.trimEnd() ?? ""];
    const [all = written, known = quoted] = texts ?? [];
    const rest = after.trim();
    // A comma at the end of a line may be between its own parts.
    const isEnd =
      all.endsWith(rest) ||
      (rest !== "," && linesOf(all).some((line) => line.trimEnd().endsWith(rest)));
    const isWhole = completes(all, known, rest, isEnd);
    if (tail === -1 || (!isWhole && endsLike(all, quoted, after))) return undefined;
    search[last] = quoted + after;
    if (!isWhole) replace[tail] = written + after;
  }
  return { search, replace };
}

/** The line of REPLACE that a cut line of SEARCH became: the same, else the one at the edge if it is new; -1 if there is none. */
function lineFor({ search, replace }: Lines, number: number, edge: 0 | -1): number {
  const common = commonLines(search, replace);
  const same = common.find(([quoted]) => quoted === number)?.[1];
  if (same !== undefined) return same;
  const solid = [...replace.keys()].filter((nth) => isSolid(replace[nth] ?? ""));
  const at = solid.at(edge) ?? -1;
  return common.some(([, written]) => written === at) ? -1 : at;
}

/**
 * REPLACE writes what SEARCH left out of the line: then it is whole. Signs alone may be its own.
 *
 * @param isEdge REPLACE has that where the line has it
 */
function completes(written: string, quoted: string, rest: string, isEdge: boolean): boolean {
  const left = rest.trim();
  const isTold = isEdge || /[\p{L}\p{N}]/u.test(left);
  return isTold && countText(written, left) > countText(quoted, left);
}

/** REPLACE has a name of what SEARCH left out before it. */
function namesMissing(written: string, quoted: string, missing: string): boolean {
  const namesOf = (text: string): string[] => text.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? [];
  const [known, left] = [namesOf(quoted), namesOf(missing)];
  return namesOf(written).some((name) => left.includes(name) && !known.includes(name));
}

/** REPLACE ends with the sign with which ends what SEARCH left out behind it. */
function endsLike(written: string, quoted: string, missing: string): boolean {
  const last = /[^\p{L}\p{N}]$/u.exec(missing.trim())?.[0] ?? "";
  // What closes something of its own is its own.
  const isOwn =
    /[)\]}]/.test(last) && written.split(/[([{]/).length === written.split(/[)\]}]/).length;
  return last !== "" && written.endsWith(last) && !quoted.endsWith(last) && !isOwn;
}

// Where a line may be cut: between tokens, as any language has them.

const word = String.raw`[\p{L}\p{N}\p{M}_$]`;
const operator = "[-=<>!&|+*/%^~?:.#@]";
/** A part of a character, or of one that was cut. */
const unseen = String.raw`[\p{M}\p{Cs}\u200d]`;
const border = "\uFFFF";

/** What is on both sides of an offset within a token. */
const within = [
  String.raw`${unseen}${border}\S`,
  String.raw`\S${border}${unseen}`,
  `${word}${border}${word}`,
  // A number, or a name of several words, goes on.
  String.raw`\p{N}${border}(?:%|,\p{N}|\.${word})`,
  String.raw`${word}${border}(?:->|\?\.|::|[-:/\\@#'~]${word})`,
  String.raw`(?:[-.:/\\@#~]|${word}')${border}${word}`,
  // Two tags meet.
  `(?!>${border}<)${operator}${border}${operator}`,
];
// oxlint-disable-next-line patterns/no-built-pattern -- of our own patterns
const insideToken = new RegExp(within.join("|"), "u");
// oxlint-disable-next-line patterns/no-built-pattern -- of our own patterns
const insideName = new RegExp(String.raw`${word}${border}\.${word}`, "u");

/**
 * Whether a token ends and another begins at an offset: not inside of a word, a number (`1.2`), a name of
 * several words (`background-color`, `os.path`, `a::b`), a path or an operator, and not between a sign and
 * the name that it belongs to.
 *
 * @param isStart a part begins there, which may be the call of a method (`.then(x)`)
 */
export function isTokenBorder(text: string, offset: number, isStart: boolean): boolean {
  const around =
    text.slice(Math.max(0, offset - 4), offset) + border + text.slice(offset, offset + 4);
  return !insideToken.test(around) && (isStart || !insideName.test(around));
}
