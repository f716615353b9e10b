// New lines get the file's indentation: by the rule of the place, unless REPLACE has it already.
import { type CommonLine, commonLines } from "../compare-lines.ts";
import type { FileIndex } from "./file-index.ts";
import { columnsOf, countWhile, indentOf, isSolid } from "../../base/text/lines.ts";
import { type IndentPair, type IndentRule, findWidths, render, single } from "./indentation.ts";

/** A place of the file, and what it becomes. */
export interface Replacement {
  search: readonly string[];
  replace: readonly string[];
  /** For each line of `search` its line of the file, or -1 for a blank line that the file lacks. */
  at: readonly number[];
  indent: IndentRule | undefined;
  /** SEARCH is in the file byte by byte: blanks at line ends count, too. */
  isExact: boolean;
}

/** The indentation of a line in SEARCH and in the file; undefined for what the file lacks, and for empty lines. */
type QuotedLine = IndentPair | undefined;

/** REPLACE with the file's indentation; undefined for a line whose indentation is not clear. */
export function indentLikeFile(edit: Replacement, index: FileIndex): (string | undefined)[] {
  const { search, replace, at, indent } = edit;
  if (indent?.isIdentity === true) return [...replace];
  const lines = search.map((line, number): QuotedLine => {
    const fileLine = at[number] ?? -1;
    if (fileLine === -1 || !isSolid(line)) return undefined;
    return { search: indentOf(line), file: indentOf(index.line(fileLine)) };
  });
  const frame = findFrame(edit, lines);
  if (frame === "search") return indentLikeSearch(edit, lines, index);
  const least = frame === "file" ? 0 : leastOf(lines.filter(isLine).map(({ file }) => file.length));
  const isUnclear = (line: string): boolean =>
    isSolid(line) && (frame === "unclear" || indentOf(line).length < least);
  return replace.map((line) => (isUnclear(line) ? undefined : line));
}

function isLine(line: QuotedLine): line is IndentPair {
  return line !== undefined;
}

function leastOf(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Infinity);
}

/** REPLACE is indented as SEARCH is: lines of both keep the file's bytes, new ones follow a rule or a neighbour. */
function indentLikeSearch(
  { search, replace, indent }: Replacement,
  lines: readonly QuotedLine[],
  index: FileIndex,
): (string | undefined)[] {
  const shared = commonLines(
    search.map((line) => line.trimEnd()),
    replace.map((line) => line.trimEnd()),
  );
  const kept = new Map(shared.map(([quoted, written]) => [written, quoted]));
  const added = replace.filter((line, number) => !kept.has(number) && line.trim() !== "");
  const rule = findOneDepthRule(lines.filter(isLine), added, index) ?? indent;
  const byNeighbour =
    rule === undefined ? indentByNeighbours(lines, kept, replace.length) : undefined;
  let isFirst = true;
  return replace.map((line, number) => {
    const content = line.trimStart();
    if (content.trim() === "") return line;
    const blanks = indentOf(line);
    const mapped =
      lines[kept.get(number) ?? -1]?.file ??
      (rule === undefined ? byNeighbour?.(blanks, number) : rule.map(blanks, isFirst));
    isFirst = false;
    return mapped === undefined ? undefined : mapped + content;
  });
}

/** Whose indentation REPLACE has. */
type Frame = "search" | "file" | "file by lines inside" | "unclear";

/** How lines of REPLACE are indented that stand for lines which SEARCH indents otherwise than the file. */
interface Votes {
  likeSearch: number;
  likeFile: number;
  likeNeither: number;
}

/**
 * Models sometimes indent only SEARCH otherwise than the file. The first and the last line of SEARCH and of
 * REPLACE tell, since an edit mostly keeps them; the lines in between may be nested deeper by the edit
 * itself, so their votes count only if the edges say nothing.
 */
function findFrame({ search, replace }: Replacement, lines: readonly QuotedLine[]): Frame {
  const edges: CommonLine[] = [
    [search.findIndex(isSolid), replace.findIndex(isSolid)],
    [search.findLastIndex(isSolid), replace.findLastIndex(isSolid)],
  ];
  const trimmed = (line: string) => line.trim();
  const shared = commonLines(search.map(trimmed), replace.map(trimmed));
  // An edge of REPLACE that stands, blanks included, elsewhere in SEARCH may be kept from there.
  const keptEdges = edges.filter(
    ([a, b]) =>
      search[a]?.trim() === replace[b]?.trim() &&
      !search.some((line, at) => at !== a && line === replace[b]),
  );
  const byEdges = countVotes(replace, lines, edges);
  const byKeptEdges = countVotes(replace, lines, keptEdges);
  const byShared = countVotes(replace, lines, shared);
  if (byEdges.likeFile === 1 && byEdges.likeSearch === 1) {
    if (byKeptEdges.likeFile === byKeptEdges.likeSearch) return "unclear";
    if (byKeptEdges.likeSearch === 1 || wrapsShifted(replace, lines)) return "search";
    return "file by lines inside";
  }
  if (byEdges.likeFile > byEdges.likeSearch) {
    // Changed edges and a line inside that fits neither frame: the edit may indent everything anew.
    return byKeptEdges.likeFile === 0 && byShared.likeNeither > 0 ? "unclear" : "file";
  }
  if (byEdges.likeSearch > byEdges.likeFile) return "search";
  return byShared.likeFile > byShared.likeSearch ? "file by lines inside" : "search";
}

/**
 * SEARCH is shifted as a whole, and so is REPLACE, whose first line wraps what is kept: as a line of the file
 * it would lie outside of the quoted lines.
 */
function wrapsShifted(replace: readonly string[], lines: readonly QuotedLine[]): boolean {
  const quoted = lines.filter(isLine);
  const [first] = quoted;
  const opening = replace.find(isSolid);
  if (first === undefined || opening === undefined) return false;
  const shiftOf = ({ search, file }: IndentPair): number => file.length - search.length;
  const isShifted = shiftOf(first) > 0 && quoted.every((line) => shiftOf(line) === shiftOf(first));
  const depth = indentOf(opening).length;
  const least = leastOf(quoted.map(({ file }) => file.length));
  return isShifted && depth === first.search.length && depth < least;
}

function countVotes(
  replace: readonly string[],
  lines: readonly QuotedLine[],
  pairs: readonly CommonLine[],
): Votes {
  const votes = { likeSearch: 0, likeFile: 0, likeNeither: 0 };
  for (const [quoted, written] of pairs) {
    const line = lines[quoted];
    if (line === undefined || line.search === line.file) continue;
    const indent = indentOf(replace[written] ?? "");
    if (indent === line.search) votes.likeSearch += 1;
    else if (indent === line.file) votes.likeFile += 1;
    else votes.likeNeither += 1;
  }
  return votes;
}

// SEARCH quotes lines of one depth only, and not as deep as the file: then the file's own unit of indentation
// decides how deep new lines are.

/** Widths that people indent by. */
const usualWidths = [2, 3, 4, 8];

/**
 * The rule for the new lines of REPLACE; undefined if SEARCH quotes several depths or if the widths of the
 * new lines do not tell a unit.
 *
 * @param added the lines of REPLACE that SEARCH lacks
 */
function findOneDepthRule(
  pairs: readonly IndentPair[],
  added: readonly string[],
  index: FileIndex,
): IndentRule | undefined {
  const [first] = pairs;
  if (first === undefined || first.search === first.file) return undefined;
  const { search, file } = first;
  if (!pairs.every((pair) => pair.search === search && pair.file === file)) return undefined;
  const unit = index.indentUnit(file.includes("\t"));
  const steps = added
    .filter((line) => !line.trimStart().startsWith("*"))
    .map((line) => stepOf(indentOf(line), search));
  if (unit === undefined || steps.includes(undefined)) return undefined;
  const sizes = steps.map((step) => Math.abs(step ?? 0)).filter((size) => size > 0);
  const isTabs = added.some((line) => indentOf(line).includes("\t")) || search.includes("\t");
  const step = isTabs ? 1 : stepWidth(sizes, { search, file, unit });
  if (step === undefined || !isExplained({ search, file, unit }, step)) return undefined;
  return {
    isIdentity: false,
    map(indent) {
      const size = stepOf(indent, search);
      if (size === undefined) return undefined;
      // The star of a comment that goes on is one blank further in.
      if (size === 1 && step !== 1) return `${file} `;
      const count = size / step;
      if (!Number.isInteger(count)) return undefined;
      if (count >= 0) return file + unit.repeat(count);
      const taken = unit.repeat(-count);
      return file.endsWith(taken) ? file.slice(0, file.length - taken.length) : undefined;
    },
  };
}

/** The quoted lines lost their indentation, or have as many steps as in the file; else they are shifted. */
function isExplained(
  { search, file, unit }: { search: string; file: string; unit: string },
  step: number,
): boolean {
  if (search === "") return true;
  const isPure = !search.includes("\t") || !search.includes(" ");
  if (!isPure || unit === "\t") return isPure;
  if (search.includes("\t")) return file !== "";
  return search.length * unit.length === file.length * step;
}

/** How much deeper than the quoted lines, in blanks or tabs; undefined where these are mixed. */
function stepOf(indent: string, search: string): number | undefined {
  const [long, short] = indent.length < search.length ? [search, indent] : [indent, search];
  const rest = long.slice(short.length);
  const isUniform = !(rest.includes("\t") && rest.includes(" "));
  if (!long.startsWith(short) || !isUniform) return undefined;
  if (short.includes("\t") ? rest.includes(" ") : short !== "" && rest.includes("\t"))
    return undefined;
  return indent.length - search.length;
}

/** The width of one step of the model; undefined if the steps do not show one. */
function stepWidth(
  sizes: readonly number[],
  { search, file, unit }: { search: string; file: string; unit: string },
): number | undefined {
  const isMultiple = (width: number) => sizes.every((size) => size % width === 0);
  if (unit !== "\t" && isMultiple(unit.length)) return unit.length;
  const shown = unit === "\t" && file !== "" ? search.length / file.length : 0;
  if ((shown === 4 || shown === 8) && isMultiple(shown)) return shown;
  const least = Math.min(...sizes);
  return usualWidths.includes(least) && isMultiple(least) ? least : undefined;
}

// The indentation of new lines where no one rule explains the quoted lines: tabs and spaces are mixed, or SEARCH
// has lost its indentation.

/**
 * New lines take the style of the nearest kept line. How deep they are has to be clear: with some width of
 * a tab all quoted lines are shifted alike.
 *
 * @param lines by the line of SEARCH
 * @param kept by the line of REPLACE its line of SEARCH, in order
 * @param length the number of lines of REPLACE
 * @returns the indentation in the file of a line of REPLACE; undefined if it is not clear
 */
function indentByNeighbours(
  lines: readonly QuotedLine[],
  kept: ReadonlyMap<number, number>,
  length: number,
): (indent: string, number: number) => string | undefined {
  const widths = findWidths(lines.filter(isLine));
  const borders: CommonLine[] = [[-1, -1], ...kept, [length, lines.length]];
  return (indent, number) => {
    const below = countWhile(borders.length, (nth) => (borders[nth]?.[0] ?? 0) < number);
    const [from, above] = borders[below - 1] ?? [-1, -1];
    const [to, next] = borders[below] ?? [length, lines.length];
    // Lines that come together have one style: that of the line above them, if there is one.
    const replaced = lines.slice(above + 1, next).filter(isLine);
    const neighbours = [lines[above], lines[next]].filter(isLine);
    const alike = [...replaced, ...neighbours].filter(({ search }) => search === indent);
    const [first] = alike;
    if (first !== undefined) {
      // Where some width of a tab explains all lines, they differ in their style alone.
      if (widths.length > 0 || alike.every(({ file }) => file === first.file)) return first.file;
      // It takes the place of a line where between the kept ones are as many as before.
      return to - from === next - above ? lines[above + number - from]?.file : undefined;
    }
    const models = neighbours.length > 0 ? neighbours : replaced;
    const model = models.find(({ file }) => file !== "") ?? models[0];
    if (model === undefined || widths.length === 0) return undefined;
    return single(
      widths.map(({ width, shift }) =>
        inStyleOf(model.file, columnsOf(indent, width) + shift, width),
      ),
    );
  };
}

/** An indentation of a width, written as another one is. */
function inStyleOf(model: string, wanted: number, tabWidth: number): string | undefined {
  if (wanted < 0) return undefined;
  let [end, width] = [0, 0];
  while (end < model.length && width < wanted) {
    width += model.charAt(end) === "\t" ? tabWidth : 1;
    end += 1;
  }
  if (width > wanted) return undefined;
  if (width === wanted) return model.slice(0, end);
  const rest = render(wanted - width, tabWidth, model.endsWith("\t"));
  return rest === undefined ? undefined : model + rest;
}
