// Three-way merge of one place: SEARCH is what the model saw, the file is what there is, REPLACE is
// what the model wants. Lines that SEARCH and REPLACE share keep the file's bytes.
import { type CommonLine, commonLines } from "./compare-lines.ts";
import type { FileIndex } from "./file-index.ts";
import { indentOf, type IndentRule } from "./indentation.ts";

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
      const result = toChange(edit, index, nextSearch, search, lines);
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
    if (fileLine !== -1) fileIndents.set(line.trimEnd(), indentOf(index.line(fileLine)));
  }
  if (isInFileIndent(edit, index)) {
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

/**
 * Only SEARCH is indented otherwise: where its indentation differs from the file's, the lines that it
 * shares with REPLACE stand there as in the file. Without such lines the first line of each tells.
 */
function isInFileIndent({ search, replace, at }: Replacement, index: FileIndex): boolean {
  const trimmed = (line: string) => line.trim();
  const isSolid = (line: string) => line.trim() !== "";
  const firsts: CommonLine = [search.findIndex(isSolid), replace.findIndex(isSolid)];
  const shared = commonLines(search.map(trimmed), replace.map(trimmed));
  const count = (pairs: readonly CommonLine[]) => {
    let [likeSearch, likeFile] = [0, 0];
    for (const [searchLine, replaceLine] of pairs) {
      const quoted = search[searchLine] ?? "";
      const fileLine = at[searchLine] ?? -1;
      const fileIndent = fileLine === -1 ? undefined : indentOf(index.line(fileLine));
      const searchIndent = indentOf(quoted);
      if (!isSolid(quoted) || fileIndent === undefined || fileIndent === searchIndent) continue;
      const indent = indentOf(replace[replaceLine] ?? "");
      if (indent === searchIndent) likeSearch += 1;
      else if (indent === fileIndent) likeFile += 1;
    }
    return { likeSearch, likeFile };
  };
  const counts = count(shared);
  const isSilent = counts.likeSearch + counts.likeFile === 0;
  const { likeSearch, likeFile } = isSilent ? count([firsts]) : counts;
  return likeFile > likeSearch;
}

type ChangeResult = { ok: true; change: Change | undefined } | Extract<Merge, { ok: false }>;

/** Lines [from, to) of SEARCH become `lines`. */
function toChange(
  edit: Replacement,
  index: FileIndex,
  from: number,
  to: number,
  lines: readonly string[],
): ChangeResult {
  const { at } = edit;
  const deleted = at.slice(from, to).filter((line) => line !== -1);
  const above = at.slice(0, from).findLast((line) => line !== -1);
  const below = at.slice(to).find((line) => line !== -1);
  const [first, last] = [deleted[0], deleted.at(-1)];
  let start = first ?? (above === undefined ? (below ?? 0) : above + 1);
  const end = last === undefined ? start : last + 1;
  for (let line = start, nth = 0; line < end; line += 1) {
    if (deleted[nth] === line) nth += 1;
    else if (!isBlank(index, line)) return { ok: false, code: "unquoted", line };
  }
  // Blank lines that SEARCH lacks stand for those that REPLACE puts in their place.
  let head = 0;
  let tail = 0;
  if (above !== undefined && below !== undefined) {
    const freeAbove = start - above - 1;
    const freeBelow = below - end;
    const leading = countBlank(lines);
    const trailing = leading === lines.length ? 0 : countBlank(lines.toReversed());
    if (first === undefined) {
      let free = countFileBlank(index, start, below);
      head = Math.min(leading, free);
      free -= head;
      tail = Math.min(trailing, free);
      start += head;
      const rest = lines.slice(head, lines.length - tail);
      return { ok: true, change: rest.length > 0 ? { start, end: start, lines: rest } : undefined };
    }
    head = Math.min(leading, freeAbove);
    tail = Math.min(trailing, freeBelow);
  }
  return { ok: true, change: { start, end, lines: lines.slice(head, lines.length - tail) } };
}

function countBlank(lines: readonly string[]): number {
  const solid = lines.findIndex((line) => line.trim() !== "");
  return solid === -1 ? lines.length : solid;
}

function countFileBlank(index: FileIndex, from: number, to: number): number {
  let line = from;
  while (line < to && isBlank(index, line)) line += 1;
  return line - from;
}

function isBlank(index: FileIndex, line: number): boolean {
  return index.line(line).trim() === "";
}
