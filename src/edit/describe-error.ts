// What is said about an edit that was refused: to a person, and to the model that has to try again.
import { type EditError, type LineRange, type NearestPlace, maxCandidates } from "./edit-unit.ts";
import type { FileIndex } from "./find/file-index.ts";
import { isSolid, linesOf, cutText } from "../base/text/lines.ts";
import { gapsBetween } from "./compare-lines.ts";
import { findExact } from "./find/find-exact.ts";
import { findAnchors } from "./find/find-similar.ts";
import { looseText } from "./find/loose-text.ts";
import { type Query, toQuery } from "./find/place.ts";

const unchanged = "Nothing was changed.";
const format =
  "Write every unit as: a line `------- SEARCH`, the lines to find, a line `=======`, the new lines, " +
  "a line `+++++++ REPLACE`; no other text between units.";

function refuse(
  code: EditError["code"],
  message: string,
  advice: string,
  more: Partial<EditError> = {},
): EditError {
  return { code, message, forModel: `${message} ${unchanged} ${advice}`, ...more };
}

/** The beginning of a line of text, so many characters of it, in quotes. */
export function quoteStart(line: string, most = 60): string {
  return JSON.stringify(line.trim().slice(0, most));
}

/** A diff that cannot be read. */
export function describeDiff(
  code: "malformed" | "truncated",
  message: string,
  unit?: number,
): EditError {
  const advice =
    code === "truncated"
      ? "The text was cut off. Send the whole edit again, in fewer or smaller units."
      : `${format} If the text itself holds such lines, make your rules longer: all three of one unit equally long.`;
  return refuse(code, message, advice, unit === undefined ? {} : { unit });
}

/** What looks like a unit is a merge conflict of the file. */
export function describeConflict(unit: number, line: string): EditError {
  const message = `Unit ${unit} begins with ${quoteStart(line)}, and the file has this line: it may be a quoted merge conflict.`;
  return describeDiff("malformed", message, unit);
}

/** A line of the diff's own shape would be written into the file. */
export function describeMarker(unit: number, line: string): EditError {
  const message = `Unit ${unit} would write ${quoteStart(line)} into the file, which looks like a rule of the diff.`;
  return describeDiff("malformed", message, unit);
}

export function describeMissingFile(): EditError {
  const message = "There is no such file.";
  const advice =
    "To create it, send one unit with an empty SEARCH. To edit another file, correct the path.";
  return { code: "missing-file", message, forModel: `${message} ${advice}` };
}

export function describeNoChange(): EditError {
  const message = "The edit would change nothing: the file already contains it.";
  const advice =
    "If more has to change, send units whose REPLACE differs from their SEARCH; otherwise go on.";
  return { code: "no-change", message, forModel: `${message} ${advice}` };
}

/** @param why the edit may not replace the whole of a file that has text */
export function describeWholeFile(why: string): EditError {
  const message = `The edit would replace the whole file, but it ${why}.`;
  const advice =
    "Quote the lines to change, or send the whole file as the only unit, with an empty SEARCH, exactly in this form. ";
  return refuse("whole-file", message, advice + format);
}

/** @param what the edit would break or take away */
export function describeDamage(what: string): EditError {
  const message = `The code was not put in: ${what}.`;
  const advice =
    "If that is what you want, send units that quote the lines that go. Otherwise send the code again, complete.";
  return refuse("unquoted", message, advice);
}

/** @param why the file and the code for it are not compared */
export function describeTooLarge(why: string): EditError {
  const message = `The file and the code for it are too large to be compared: ${why}.`;
  const advice = "Quote the lines to change. ";
  return refuse("too-large", message, advice + format);
}

export function describeNoMatch(
  unit: number,
  search: string,
  replace: string,
  index: FileIndex,
): EditError {
  const nearest = findNearest(linesOf(search), index);
  const quoted = new Set(linesOf(search));
  // What SEARCH has, too, would be there in any case.
  const isDone =
    linesOf(replace).some((line) => isSolid(line) && !quoted.has(line)) &&
    findExact(index.text, `${replace.trimEnd()}\n`, 1).offsets.length > 0;
  const where = nearest === undefined ? "" : ` The nearest place is ${nameRange(nearest)}.`;
  const done = isDone
    ? " The file already contains the text of REPLACE: perhaps nothing is left to do."
    : "";
  const message = `Unit ${unit}: SEARCH was not found in the file.${where}${done}`;
  return refuse("no-match", message, adviseNoMatch(nearest), {
    unit,
    ...(nearest === undefined ? {} : { nearest }),
    ...(isDone ? { isDone } : {}),
  });
}

function adviseNoMatch(nearest: NearestPlace | undefined): string {
  if (nearest === undefined) {
    return "No line of it is like any line of the file. Read the file again and copy the lines to change from it.";
  }
  const shown = describeNearest(nearest, "your SEARCH");
  return `${shown}Send this unit again with SEARCH copied from the file, spaces included.`;
}

function describeNearest({ diff }: NearestPlace, what: string): string {
  return `There, lines with "-" are only in ${what}, lines with "+" only in the file:\n${diff}\n`;
}

export function describeAmbiguous(unit: number, candidates: LineRange[]): EditError {
  const places = candidates.map(nameRange).join("; ");
  const count = candidates.length < maxCandidates ? candidates.length : `at least ${maxCandidates}`;
  const message = `Unit ${unit}: its SEARCH fits ${count} places equally well: ${places}.`;
  const advice =
    "Send this unit again with more lines before or after, so that SEARCH fits only the place that you mean.";
  return refuse("ambiguous", message, advice, { unit, candidates });
}

export function describeOverlap(units: readonly [number, number], range: LineRange): EditError {
  const [first, second] = [Math.min(...units), Math.max(...units)];
  const message = `Units ${first} and ${second} both change ${nameRange(range)}.`;
  const advice = "Send these changes as one unit.";
  return refuse("overlap", message, advice, { unit: second });
}

export function describeUnquoted(unit: number, line: number, text: string): EditError {
  const message = `Unit ${unit} would delete line ${line} of the file, ${quoteStart(text, 80)}, which its SEARCH does not quote.`;
  const advice = "Send this unit again and quote every line that is to go, also comments.";
  return refuse("unquoted", message, advice, { unit });
}

/** Lines below the head of a block are as deep as that. */
export function describeLost(): EditError {
  const message =
    "The lines of the code have lost their indentation, and nothing shows how deep they are.";
  return refuse("malformed", message, "Send the code again, indented as in the file.");
}

export function describeIndentation(unit: number, range: LineRange, text: string): EditError {
  const quoted = JSON.stringify(text.slice(0, 80));
  const message = `Unit ${unit} fits ${nameRange(range)}, but it is not clear how to indent its new line ${quoted}.`;
  const advice =
    "Send this unit again with the spaces at the start of every line as they are in the file.";
  return refuse("indentation", message, advice, { unit });
}

export function describeElision(unit: number): EditError {
  const message = `Unit ${unit} leaves out text ("..."), and it is not clear which.`;
  const advice =
    "Put the same marks into SEARCH and REPLACE with unchanged lines around each, or write the lines out.";
  return refuse("elision", message, advice, { unit });
}

/** Code without marks that is all of no file, no function of this one, and a new version of no one place. */
export function describeUnplaced(code: readonly string[], index: FileIndex): EditError {
  const nearest = findNearest(code, index);
  const where = nearest === undefined ? "" : ` The nearest place is ${nameRange(nearest)}.`;
  const message = `The code, which begins with ${quoteStart(code.find(isSolid) ?? "", 80)}, has no clear place in the file.${where}`;
  const shown = nearest === undefined ? "" : describeNearest(nearest, "the code");
  const advice = `${shown}Show what changes with lines around it as they are in the file, or quote the lines to change. ${format}`;
  return refuse("no-match", message, advice, nearest === undefined ? {} : { nearest });
}

/** A segment of a code edit that has no clear place. */
export function describeSegment(
  number: number,
  segment: readonly string[],
  candidates: LineRange[] | undefined,
): EditError {
  const first = quoteStart(segment.find(isSolid) ?? "", 80);
  const advice =
    "Begin and end every segment with lines of the file as they are, enough of them to be found only once.";
  if (candidates === undefined) {
    const message = `Segment ${number}, which begins with ${first}, has no clear place: no line at its borders was found unchanged.`;
    return refuse("no-match", message, advice, { unit: number });
  }
  const places = candidates.map(nameRange).join("; ");
  const message = `Segment ${number}, which begins with ${first}, fits several places equally well: ${places}.`;
  return refuse("ambiguous", message, advice, { unit: number, candidates });
}

/** Code that names no file, and shows little of this one. */
export function describeOtherFile(): EditError {
  const message = "Too little of the code is in the file: it may be for another one.";
  return refuse("no-match", message, "Name the file, and show more lines of it as they are.", {});
}

/** A segment of a code edit shows the lines around a line, and writes nothing in its place. */
export function describeLeftOut(number: number, line: number, text: string): EditError {
  const message = `Segment ${number} leaves out line ${line} of the file, ${quoteStart(text, 80)}, and writes nothing in its place.`;
  const advice =
    "Write a mark (// ... existing code ...) wherever lines stay, or show every line that stays; to replace lines, show the line above and the line below.";
  return refuse("unquoted", message, advice, { unit: number });
}

export function describeLineRange(unit: number, what: string, lineCount: number): EditError {
  const message = `Line edit ${unit}: ${what}; the file has ${lineCount} lines.`;
  const advice = `Lines count from 1, both ends included; to append, use ${lineCount + 1} for both.`;
  return refuse("line-range", message, advice, { unit });
}

function nameRange({ startLine, endLine }: LineRange): string {
  return startLine >= endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
}

// The place that comes nearest to a SEARCH that was not found, and what differs there.

/** Lines of a place that are compared and shown. */
const maxLines = 60;
/** Characters of a line that are shown. */
const maxLine = 200;
/** Characters of a line that are compared. */
const maxCompared = 2_000;
/** Words that are looked for, places of each that are looked at, and lines that are compared by all their words. */
const maxWords = 12;
const maxPlaces = 1_000;
const maxSameWords = 100;

/** Undefined if nothing of SEARCH resembles anything in the file. */
export function findNearest(search: readonly string[], index: FileIndex): NearestPlace | undefined {
  const query = toQuery(search, index);
  const [anchor] = findAnchors(query, index);
  const solid = anchor === undefined ? findByWords(query, index) : anchor.place - anchor.nth;
  if (solid === undefined) return undefined;
  const from = Math.max(0, solid);
  const lines = index.solidLines.slice(from, from + query.solid.length);
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const end = Math.min(last + 1, first + maxLines);
  const file = Array.from({ length: end - first }, (_, nth) => index.line(first + nth));
  return {
    startLine: first + 1,
    endLine: end,
    diff: showDifference(search.slice(0, maxLines), file),
  };
}

/** Without a line in common: the line that shares most words with the longest line of SEARCH. */
function findByWords(query: Query, index: FileIndex): number | undefined {
  const lines = query.solid.map((number) => query.lines[number] ?? "");
  const longest = lines.reduce(
    (most, line, nth) => (line.length > (lines[most]?.length ?? 0) ? nth : most),
    0,
  );
  const wanted = wordsOf(lines[longest] ?? "");
  let best: number | undefined;
  let bestScore = 0.5;
  for (const solid of linesWithWords(wanted, index)) {
    const words = wordsOf(index.line(index.solidLines[solid] ?? 0));
    let shared = 0;
    for (const word of wanted) if (words.has(word)) shared += 1;
    const score = (2 * shared) / (wanted.size + words.size);
    if (score > bestScore) [best, bestScore] = [solid - longest, score];
  }
  return best;
}

/**
 * The solid lines that hold most of the words, in order: each word is looked for in the whole text, and only
 * so many places of all words are looked at, the rare words first.
 */
function linesWithWords(words: ReadonlySet<string>, index: FileIndex): number[] {
  const counts = new Map<number, number>();
  const names = [...words].filter((word) => word.length > 1).sort((a, b) => b.length - a.length);
  for (const word of names.slice(0, maxWords)) {
    let [at, looks, line] = [index.text.indexOf(word), 0, -1];
    while (at !== -1 && looks < maxPlaces && index.budget.words > 0) {
      looks += 1;
      index.budget.words -= 1;
      const next = index.lineOf(at);
      if (next !== line) counts.set(next, (counts.get(next) ?? 0) + 1);
      line = next;
      at = index.text.indexOf(word, index.endOf(line));
    }
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, maxSameWords);
  return ranked.map(([line]) => index.solidBefore(line)).sort((a, b) => a - b);
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, 1000).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu));
}

/** `-` is before lines of SEARCH only, `+` before lines of the file only. */
function showDifference(search: readonly string[], file: readonly string[]): string {
  const shown: string[] = [];
  const show = (sign: string, line: string) => shown.push(sign + cutText(line, maxLine));
  const toKey = (line: string) => looseText(line.slice(0, maxCompared));
  let next = 0;
  for (const { old, now } of gapsBetween(search.map(toKey), file.map(toKey))) {
    for (const line of file.slice(next, now[0])) show("  ", line);
    for (const line of search.slice(...old)) show("- ", line);
    for (const line of file.slice(...now)) show("+ ", line);
    next = now[1];
  }
  for (const line of file.slice(next)) show("  ", line);
  return shown.join("\n");
}
