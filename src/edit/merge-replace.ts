// Three-way merge of one place: SEARCH is what the model saw, the file is what there is, REPLACE is
// what the model wants. Lines that SEARCH and REPLACE share keep the file's bytes.
import { type CommonLine, commonLines } from "./compare-lines.ts";
import type { FileIndex } from "./file-index.ts";
import { indentOf, type IndentRule } from "./indentation.ts";
import { isBlank } from "./loose-text.ts";

/** Lines [start, end) of the file, numbered from 0, become these lines (without line ends). */
export interface Change {
  start: number;
  end: number;
  lines: string[];
}

export interface Replacement {
  search: readonly string[];
  replace: readonly string[];
  /** For each line of `search` its line of the file, or -1 for a blank line that the file lacks. */
  at: readonly number[];
  indent: IndentRule | undefined;
  /** SEARCH stands in the file byte by byte: blanks at line ends count, too. */
  isExact: boolean;
}

export type Merge =
  | { ok: true; changes: Change[] }
  | { ok: false; code: "unquoted"; line: number }
  | { ok: false; code: "indentation"; line: string };

/** Finds the smallest changes of the file that turn SEARCH into REPLACE. */
export function mergeReplace(edit: Replacement, index: FileIndex): Merge {
  const wanted = indentLikeFile(edit, index);
  const [known, keys] = toKeys(edit, wanted, index);
  const neighbours = findNeighbours(edit.at);
  const changes: Change[] = [];
  let [nextSearch, nextReplace] = [0, 0];
  const ends: CommonLine = [known.length, keys.length];
  for (const [search, replace] of [...commonLines(known, keys), ends]) {
    const inserted = wanted.slice(nextReplace, replace);
    if (search > nextSearch || inserted.length > 0) {
      const unknown = inserted.indexOf(undefined);
      if (unknown !== -1) {
        return { ok: false, code: "indentation", line: edit.replace[nextReplace + unknown] ?? "" };
      }
      const lines = inserted.map((line) => line ?? "");
      const result = toChange(edit, index, neighbours, [nextSearch, search], lines);
      if (!result.ok) return result;
      if (result.change !== undefined) changes.push(result.change);
    }
    [nextSearch, nextReplace] = [search + 1, replace + 1];
  }
  return { ok: true, changes };
}

/**
 * SEARCH and REPLACE in the form in which they are compared: with the file's indentation. Blanks at the
 * end of a line count, unless SEARCH has others than the file.
 */
function toKeys(
  edit: Replacement,
  wanted: readonly (string | undefined)[],
  index: FileIndex,
): [string[], string[]] {
  const misquoted = new Set<string>();
  const known = edit.search.map((line, number) => {
    const fileLine = edit.at[number] ?? -1;
    const file = fileLine === -1 ? undefined : index.line(fileLine);
    const isSolid = line.trim() !== "";
    const key = file !== undefined && isSolid ? indentOf(file) + line.trimStart() : line;
    if (!edit.isExact && (file === undefined || trailOf(file) !== trailOf(line))) {
      misquoted.add(key.trimEnd());
    }
    return key;
  });
  const toKey = (line: string | undefined) => {
    const trimmed = line?.trimEnd();
    return trimmed !== undefined && misquoted.has(trimmed) ? trimmed : (line ?? impossible);
  };
  return [known.map(toKey), wanted.map(toKey)];
}

function trailOf(line: string): string {
  return line.slice(line.trimEnd().length);
}

/** Stands for a line whose indentation is not known: no line of a file holds a line feed. */
const impossible = "\n";

/** REPLACE with the file's indentation; undefined for a line whose indentation cannot be told. */
function indentLikeFile(edit: Replacement, index: FileIndex): (string | undefined)[] {
  const { replace, indent } = edit;
  if (indent?.isIdentity === true) return [...replace];
  const fileIndents = new Map<string, string>();
  for (const [number, line] of edit.search.entries()) {
    const fileLine = edit.at[number] ?? -1;
    if (fileLine !== -1 && line.trim() !== "")
      fileIndents.set(line.trimEnd(), indentOf(index.line(fileLine)));
  }
  const frame = findFrame(edit, index);
  if (frame === "unclear") return replace.map((line) => (line.trim() === "" ? line : undefined));
  if (frame === "file") return [...replace];
  if (frame === "file by lines inside") {
    const least = Math.min(...[...fileIndents.values()].map((blanks) => blanks.length));
    const isOut = (line: string) => line.trim() !== "" && indentOf(line).length < least;
    return replace.map((line) => (isOut(line) ? undefined : line));
  }
  let isFirst = true;
  return replace.map((line) => {
    const content = line.trimStart();
    if (content.trim() === "") return line;
    const blanks = indentOf(line);
    const mapped =
      indent === undefined ? fileIndents.get(line.trimEnd()) : indent.map(blanks, isFirst);
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
function findFrame(edit: Replacement, index: FileIndex): Frame {
  const { search, replace } = edit;
  const isSolid = (line: string) => line.trim() !== "";
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
  const byEdges = countVotes(edit, edges, index);
  const byKeptEdges = countVotes(edit, keptEdges, index);
  const byShared = countVotes(edit, shared, index);
  if (byEdges.likeFile === 1 && byEdges.likeSearch === 1) {
    if (byKeptEdges.likeFile === byKeptEdges.likeSearch) return "unclear";
    return byKeptEdges.likeFile === 1 ? "file by lines inside" : "search";
  }
  if (byEdges.likeFile > byEdges.likeSearch) {
    // Changed edges and a line inside that fits neither frame: the edit may indent everything anew.
    return byKeptEdges.likeFile === 0 && byShared.likeNeither > 0 ? "unclear" : "file";
  }
  if (byEdges.likeSearch > byEdges.likeFile) return "search";
  return byShared.likeFile > byShared.likeSearch ? "file by lines inside" : "search";
}

function countVotes(
  { search, replace, at }: Replacement,
  pairs: readonly CommonLine[],
  index: FileIndex,
): Votes {
  const votes = { likeSearch: 0, likeFile: 0, likeNeither: 0 };
  for (const [searchLine, replaceLine] of pairs) {
    const quoted = search[searchLine] ?? "";
    const fileLine = at[searchLine] ?? -1;
    if (quoted.trim() === "" || fileLine === -1) continue;
    const searchIndent = indentOf(quoted);
    const fileIndent = indentOf(index.line(fileLine));
    if (fileIndent === searchIndent) continue;
    const indent = indentOf(replace[replaceLine] ?? "");
    if (indent === searchIndent) votes.likeSearch += 1;
    else if (indent === fileIndent) votes.likeFile += 1;
    else votes.likeNeither += 1;
  }
  return votes;
}

type ChangeResult = { ok: true; change: Change | undefined } | Extract<Merge, { ok: false }>;

/** For each line of SEARCH, and for its end, the lines of the file that the lines before and after it stand for. */
interface Neighbours {
  above: (number | undefined)[];
  below: (number | undefined)[];
}

function findNeighbours(at: readonly number[]): Neighbours {
  const above: (number | undefined)[] = [undefined];
  for (const line of at) above.push(line === -1 ? above.at(-1) : line);
  const below: (number | undefined)[] = Array.from({ length: at.length + 1 }, () => undefined);
  for (let number = at.length - 1; number >= 0; number -= 1) {
    const line = at[number] ?? -1;
    below[number] = line === -1 ? below[number + 1] : line;
  }
  return { above, below };
}

/** Lines [from, to) of SEARCH become `lines`. */
function toChange(
  edit: Replacement,
  index: FileIndex,
  neighbours: Neighbours,
  [from, to]: readonly [number, number],
  lines: readonly string[],
): ChangeResult {
  const deleted = edit.at.slice(from, to).filter((line) => line !== -1);
  const above = neighbours.above[from];
  const below = neighbours.below[to];
  const [first, last] = [deleted[0], deleted.at(-1)];
  let start = first ?? (above === undefined ? (below ?? 0) : above + 1);
  const end = last === undefined ? start : last + 1;
  for (let line = start, nth = 0; line < end; line += 1) {
    if (deleted[nth] === line) nth += 1;
    else if (!isBlankLine(index, line)) return { ok: false, code: "unquoted", line };
  }
  if (first === undefined) {
    const free =
      above === undefined || below === undefined ? 0 : countFileBlank(index, start, below);
    return { ok: true, change: addLines(start, free, lines) };
  }
  // Blank lines that SEARCH lacks stand for those that REPLACE puts in their place.
  const freeAbove = above === undefined ? 0 : countFileBlankAbove(index, start, above);
  const freeBelow = below === undefined ? 0 : countFileBlank(index, end, below);
  const leading = countBlank(lines);
  const trailing = leading === lines.length ? 0 : countBlank(lines.toReversed());
  if (lines.length === 0 && edit.search[from - 1]?.trim() !== "") {
    // What goes stood between two blank lines of which SEARCH quotes the lower one only.
    start -= Math.min(countBlankFrom(edit.search, to), freeAbove);
  }
  const kept = lines.slice(
    Math.min(leading, freeAbove),
    lines.length - Math.min(trailing, freeBelow),
  );
  return { ok: true, change: { start, end, lines: kept } };
}

/** Lines that come between two lines, where the file has `free` blank lines that SEARCH lacks. */
function addLines(start: number, free: number, lines: readonly string[]): Change | undefined {
  const leading = Math.min(countBlank(lines), free);
  const trailing = Math.min(countBlank(lines.slice(leading).toReversed()), free - leading);
  const rest = lines.slice(leading, lines.length - trailing);
  const at = start + leading;
  return rest.length > 0 ? { start: at, end: at, lines: rest } : undefined;
}

function countBlank(lines: readonly string[]): number {
  const solid = lines.findIndex((line) => line.trim() !== "");
  return solid === -1 ? lines.length : solid;
}

function countBlankFrom(lines: readonly string[], from: number): number {
  let to = from;
  while (to < lines.length && isBlank(lines[to] ?? "")) to += 1;
  return to - from;
}

function countFileBlank(index: FileIndex, from: number, to: number): number {
  let line = from;
  while (line < to && isBlankLine(index, line)) line += 1;
  return line - from;
}

function countFileBlankAbove(index: FileIndex, line: number, above: number): number {
  let from = line;
  while (from - 1 > above && isBlankLine(index, from - 1)) from -= 1;
  return line - from;
}

function isBlankLine(index: FileIndex, line: number): boolean {
  return isBlank(index.line(line));
}
