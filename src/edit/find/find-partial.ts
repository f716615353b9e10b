// SEARCH that begins in the middle of a line of the file, or ends there.
import { countText, hasText } from "../count-text.ts";
import { commonLines } from "../describe/compare-lines.ts";
import type { Lines } from "./decoration.ts";
import type { FileIndex } from "./file-index.ts";
import { findSequence } from "./find-sequence.ts";
import { indentOf } from "../merge/indentation.ts";
import { comparePlace, type Place, type Query, toQuery } from "./place.ts";
import type { Steps } from "../steps.ts";

/** The unit with its cut lines made whole, and where it then stands. */
export interface PartialPlace {
  lines: Lines;
  place: Place;
}

/** Places that are compared; more are ambiguous anyway. */
const maxPlaces = 20;
/** In characters: longer parts of lines are not looked for. */
const maxNeedle = 200;

/** The places where all lines fit, but for the first being an end of a line or the last a beginning. */
export function* findPartial(unit: Lines, query: Query, index: FileIndex): Steps<PartialPlace[]> {
  const [first, last] = [query.solid[0], query.solid.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return yield* findInsideLine(unit, first, index);
  const found = new Map<number, PartialPlace>();
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
      const headStart = head ? endingAt(headLine, unit.search[first] ?? "") : 0;
      const tailEnd = tail ? startingAt(tailLine, unit.search[last] ?? "") : tailLine.length;
      if (headStart === undefined || tailEnd === undefined) continue;
      let whole: Lines | undefined = unit;
      if (head)
        whole = yield* completeLine(whole, first, headLine, true, headLine.slice(0, headStart));
      if (tail && whole)
        whole = yield* completeLine(whole, last, tailLine, false, tailLine.slice(tailEnd));
      const exact =
        whole && (yield* comparePlace(yield* toQuery(whole.search, index), index, start));
      if (whole && exact) found.set(start, { lines: whole, place: exact });
    }
  }
  return [...found.values()];
}

/** A single line that stands inside a line of the file, not cut out of a word. */
function* findInsideLine(unit: Lines, number: number, index: FileIndex): Steps<PartialPlace[]> {
  const needle = (unit.search[number] ?? "").trim();
  // Looking for a long text in a long line can take the product of both.
  if (needle.length > maxNeedle) return [];
  const found: PartialPlace[] = [];
  for (
    let offset = index.text.indexOf(needle);
    offset !== -1 && found.length < maxPlaces;
    offset = index.text.indexOf(needle, offset + needle.length)
  ) {
    yield;
    if (isInsideWord(index.text, offset) || isInsideWord(index.text, offset + needle.length))
      continue;
    const line = index.lineOf(offset);
    const text = index.line(line);
    const start = offset - (index.starts[line] ?? 0);
    const [written = ""] = unit.replace;
    // What REPLACE adds behind or before the quote stands there already.
    if (written.includes(needle) && hasText(text, written.trim())) return [];
    const solid = unit.replace.filter(isSolid);
    if (solid.length === 0 || solid.length !== unit.replace.length) return [];
    const replace = [...unit.replace];
    replace[0] = text.slice(0, start) + (replace[0] ?? "").trimStart();
    replace[replace.length - 1] =
      (replace.at(-1) ?? "").trimEnd() + text.slice(start + needle.length);
    const search = unit.search.with(number, text);
    const query = yield* toQuery(search, index);
    const place = yield* comparePlace(query, index, index.solidBefore(line));
    if (place !== undefined) found.push({ lines: { search, replace }, place });
  }
  return found;
}

function isInsideWord(text: string, offset: number): boolean {
  return /^[\p{L}\p{N}_$]{2}$/u.test(text.slice(offset - 1, offset + 1));
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
function* completeLine(
  unit: Lines,
  number: number,
  line: string,
  isHead: boolean,
  missing: string,
): Steps<Lines | undefined> {
  const common = yield* commonLines(unit.search, unit.replace);
  const search = unit.search.with(number, line);
  const twin = common.find(([quoted]) => quoted === number)?.[1];
  if (twin !== undefined) return { search, replace: unit.replace.with(twin, line) };
  const edge = isHead ? unit.replace.findIndex(isSolid) : unit.replace.findLastIndex(isSolid);
  const kept = isHead
    ? (common.find(([quoted]) => quoted > number)?.[1] ?? unit.replace.length)
    : (common.findLast(([quoted]) => quoted < number)?.[1] ?? -1);
  if (edge === -1 || (isHead ? edge >= kept : edge <= kept)) return undefined;
  const text = unit.replace[edge] ?? "";
  const written = isHead ? text.trimStart() : text.trimEnd();
  const completed = isHead ? missing + written : written + missing;
  const asWritten = isHead ? indentOf(line) + written : written;
  const isWhole = completes(written, unit.search[number] ?? "", missing);
  return { search, replace: unit.replace.with(edge, isWhole ? asWritten : completed) };
}

function isSolid(line: string): boolean {
  return line.trim() !== "";
}

/** REPLACE writes what SEARCH left out of the line: then it is whole. */
function completes(written: string, quoted: string, rest: string): boolean {
  const left = rest.trim();
  return left !== "" && countText(written, left) > countText(quoted, left);
}
