// New lines get the file's indentation: by the rule of the place, unless REPLACE has it already.
import { type CommonLine, commonLines } from "../describe/compare-lines.ts";
import type { FileIndex } from "../find/file-index.ts";
import { NeighbourIndent, type QuotedLine } from "./neighbour-indent.ts";
import { findOneDepthRule } from "./one-depth.ts";
import type { Replacement } from "./replacement.ts";
import { isSolid, indentOf } from "../../base/text/lines.ts";

/** REPLACE with the file's indentation; undefined for a line whose indentation cannot be told. */
export function indentLikeFile(edit: Replacement, index: FileIndex): (string | undefined)[] {
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
    let least = Infinity;
    for (const blanks of fileIndents.values()) least = Math.min(least, blanks.length);
    const isOut = (line: string) => line.trim() !== "" && indentOf(line).length < least;
    return replace.map((line) => (isOut(line) ? undefined : line));
  }
  return indentLikeSearch(edit, index);
}

/** REPLACE is indented as SEARCH is: lines of both keep the file's bytes, new ones follow a rule or a neighbour. */
function indentLikeSearch(edit: Replacement, index: FileIndex): (string | undefined)[] {
  const { search, replace, at, indent } = edit;
  const shared = commonLines(
    search.map((line) => line.trimEnd()),
    replace.map((line) => line.trimEnd()),
  );
  const lines = search.map((line, number): QuotedLine | undefined => {
    const fileLine = at[number] ?? -1;
    if (fileLine === -1 || line.trim() === "") return undefined;
    return { search: indentOf(line), file: indentOf(index.line(fileLine)) };
  });
  const kept = new Map(shared.map(([quoted, written]) => [written, quoted]));
  const added = replace.filter((line, number) => !kept.has(number) && line.trim() !== "");
  const pairs = lines.filter((line) => line !== undefined);
  const rule = findOneDepthRule(pairs, added, index) ?? indent;
  const byNeighbour =
    rule === undefined ? new NeighbourIndent(lines, kept, replace.length) : undefined;
  let isFirst = true;
  return replace.map((line, number) => {
    const content = line.trimStart();
    if (content.trim() === "") return line;
    const blanks = indentOf(line);
    const mapped =
      lines[kept.get(number) ?? -1]?.file ??
      (rule === undefined ? byNeighbour?.map(blanks, number) : rule.map(blanks, isFirst));
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
    if (byKeptEdges.likeSearch === 1 || wrapsShifted(edit, index)) return "search";
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
function wrapsShifted({ search, replace, at }: Replacement, index: FileIndex): boolean {
  const quoted = search.flatMap((line, number) => {
    const fileLine = at[number] ?? -1;
    if (fileLine === -1 || line.trim() === "") return [];
    return [{ search: indentOf(line).length, file: indentOf(index.line(fileLine)).length }];
  });
  const [first] = quoted;
  const opening = replace.find((line) => line.trim() !== "");
  if (first === undefined || opening === undefined) return false;
  const shift = first.file - first.search;
  const isShifted = shift > 0 && quoted.every((line) => line.file - line.search === shift);
  const depth = indentOf(opening).length;
  return isShifted && depth === first.search && depth < Math.min(...quoted.map(({ file }) => file));
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
