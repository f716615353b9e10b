// New lines get the file's indentation: by the rule of the place, unless REPLACE has it already.
import { type CommonLine, commonLines } from "../compare-lines.ts";
import type { FileIndex } from "./file-index.ts";
import { countWhile, indentOf, isSolid } from "../../base/text/lines.ts";
import { type IndentPair, type IndentRule, findWidths, levelRule, unitOf } from "./indentation.ts";

/** A place of the file, and what it becomes. */
export interface Replacement {
  search: readonly string[];
  replace: readonly string[];
  /** For each line of `search` its line of the file, or -1 for a blank line that the file lacks. */
  at: readonly number[];
  indent: IndentRule | undefined;
  /** SEARCH is in the file byte by byte, carriage returns aside: spaces at line ends count, too. */
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
  return replace.map((line) => (frame === "unclear" && isSolid(line) ? undefined : line));
}

const isLine = (line: QuotedLine) => line !== undefined;

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
  const added = replace.filter((_, number) => !kept.has(number));
  const pairs = lines.filter(isLine);
  const [base] = pairs;
  const isOneDepth = pairs.every((one) => one.search === base?.search && one.file === base.file);
  const unit = base?.file.includes("\t") === true ? "\t" : index.indentUnit;
  // Each new line shows how much deeper it is than what is quoted.
  const own = unitOf(added.flatMap((line) => [`${base?.search}.`, line]));
  const byLevel = isOneDepth && base ? levelRule(added, base, own, unit) : undefined;
  const rule = byLevel ?? indent;
  const byNeighbour = indentByNeighbours(lines, kept, replace.length);
  let isFirst = true;
  return replace.map((line, number) => {
    const content = line.trimStart();
    if (content.trim() === "") return line;
    const blanks = indentOf(line);
    const mapped =
      lines[kept.get(number) ?? -1]?.file ??
      (rule === undefined ? byNeighbour(blanks, number) : rule.map(blanks, isFirst));
    isFirst = false;
    // A part of a level would be none: the line is indented as in the file already, or otherwise.
    const isPart = rule?.isScale === true && (mapped?.length ?? 0) % unit.length > 0;
    return mapped === undefined || isPart ? undefined : mapped + content;
  });
}

/**
 * Whose indentation REPLACE has. Models sometimes indent only SEARCH otherwise than the file. The first and the last line of SEARCH and of
 * REPLACE tell, since an edit mostly keeps them; the lines in between may be nested deeper by the edit
 * itself, so their votes count only if the edges say nothing.
 */
function findFrame(
  { search, replace }: Replacement,
  lines: readonly QuotedLine[],
): "search" | "file" | "unclear" {
  const edges: CommonLine[] = [
    [search.findIndex(isSolid), replace.findIndex(isSolid)],
    [search.findLastIndex(isSolid), replace.findLastIndex(isSolid)],
  ];
  const trimmed = (line: string) => line.trim();
  const shared = commonLines(search.map(trimmed), replace.map(trimmed));
  const byEdges = countVotes(replace, lines, edges);
  const byShared = countVotes(replace, lines, shared);
  const quoted = lines.filter(isLine);
  const shifts = new Set(quoted.map(({ search: own, file }) => file.length - own.length));
  if (byEdges.likeFile > 0 && byEdges.likeSearch > 0) {
    // Several lines are shifted alike, and the first wraps: as a line of the file it would lie outside of the quoted lines.
    const depth = indentOf(replace.find(isSolid) ?? "").length;
    const isOutside = quoted.every(({ file }) => depth < file.length);
    const isShifted = shifts.size === 1 && quoted.length > 1 && depth === quoted[0]?.search.length;
    return isShifted && isOutside ? "search" : "unclear";
  }
  // The edges may have the file's indentation by chance, unless a new block nests what is between them.
  const isUnclear = byShared.likeSearch > 0 || (shifts.size > 1 && byShared.likeNeither > 0);
  if (byEdges.likeFile > 0) return isUnclear ? "unclear" : "file";
  if (byEdges.likeSearch > 0) return "search";
  // Lines in between that are new tell it where they are as deep as lines of the file, and not as lines of SEARCH.
  const [own, theirs] = [
    new Set(quoted.map((line) => line.search)),
    new Set(quoted.map((line) => line.file)),
  ];
  const depths = replace.filter(isSolid).map(indentOf);
  const isNew = depths.some((depth) => !own.has(depth)) && byShared.likeSearch === 0;
  if (isNew && depths.every((depth) => theirs.has(depth))) return "file";
  if (byShared.likeFile <= byShared.likeSearch) return "search";
  const least = quoted.reduce((low, { file }) => Math.min(low, file.length), Infinity);
  const isWithin = replace.every((line) => !isSolid(line) || indentOf(line).length >= least);
  return isWithin ? "file" : "unclear";
}

/** How lines of REPLACE are indented that stand for lines which SEARCH indents otherwise than the file. */
function countVotes(
  replace: readonly string[],
  lines: readonly QuotedLine[],
  pairs: readonly CommonLine[],
) {
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

/**
 * Where no one rule explains the quoted lines: a new line is indented as what it replaces or comes after, where SEARCH indents
 * that likewise.
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
  // Where some width of a tab explains all lines, they differ in their style alone.
  const isStyle = findWidths(lines.filter(isLine)).length > 0;
  const borders: CommonLine[] = [[-1, -1], ...kept, [length, lines.length]];
  return (indent, number) => {
    const below = countWhile(borders.length, (nth) => (borders[nth]?.[0] ?? 0) < number);
    const [from, above] = borders[below - 1] ?? [-1, -1];
    const [to, next] = borders[below] ?? [length, lines.length];
    const near = [...lines.slice(above + 1, next), lines[above], lines[next]].filter(isLine);
    const [first, ...others] = near.filter(({ search }) => search === indent);
    if (isStyle || others.every(({ file }) => file === first?.file)) return first?.file;
    // It takes the place of a line where between the kept ones are as many as before.
    return to - from === next - above ? lines[above + number - from]?.file : undefined;
  };
}
