// Where new lines go that follow the last mark of a code edit, and show no line of the file.
import type { FileIndex } from "./file-index.ts";
import { lineDistance } from "./similar/line-similarity.ts";
import type { PlacedSegment } from "./place-segment.ts";
import { indentOf } from "../../base/text/lines.ts";

/** A solid line of a segment before, and its line of the file; -1 for a new one. */
export interface ShownLine {
  text: string;
  line: number;
}

/** After such a statement nothing else of its block runs. */
const jump = /^(?:return|raise|throw|break|continue|pass|exit|yield|\.\.\.)(?![\w$])/;

/**
 * Lines without indentation go to the end of the file. Others are part of a block: of the one that the edit shows above
 * them, at whose end they go if its end can be told by its indentation; without such a block, of the last one of the
 * file. Undefined where that is not clear, or where they may take the place of the block's last statement.
 *
 * @param before the lines of the segments above, in their order
 */
export function placeAtEnd(
  segment: readonly string[],
  before: readonly ShownLine[],
  index: FileIndex,
): { placed: PlacedSegment; opener?: ShownLine } | undefined {
  const at = segment.map(() => -1);
  const first = segment.find((line) => line.trim() !== "") ?? "";
  const depth = indentOf(first).length;
  const end = index.lineCount;
  if (depth === 0) return { placed: { start: end, end, at } };
  const opener = before.findLast(({ text }) => indentOf(text).length < depth);
  if (opener === undefined) {
    const isInside = isOpen(index, index.solidLines, depth, first);
    return isInside ? { placed: { start: end, end, at } } : undefined;
  }
  if (opener.line === -1 || !opener.text.trimEnd().endsWith(":")) return undefined;
  const block = blockBelow(opener.line, index);
  const own = indentOf(index.line(opener.line)).length;
  const shift = own - indentOf(opener.text).length;
  const last = block.at(-1);
  if (last === undefined || !isOpen(index, block, depth + shift, first)) return undefined;
  const isLast = last === index.solidLines.at(-1);
  const start = isLast ? end : last + 1;
  return { placed: { start, end: start, at }, opener };
}

/** The solid lines below this one that are indented deeper. */
function blockBelow(line: number, index: FileIndex): number[] {
  const own = indentOf(index.line(line)).length;
  const below = index.solidLines.filter((each) => each > line);
  const next = below.findIndex((each) => indentOf(index.line(each)).length <= own);
  return next === -1 ? below : below.slice(0, next);
}

/** Whether a statement at this depth can follow the last one of the lines, and does not look like another form of it. */
function isOpen(index: FileIndex, lines: readonly number[], depth: number, first: string): boolean {
  for (const each of lines.toReversed()) {
    const line = index.line(each);
    const indent = indentOf(line).length;
    if (indent < depth) return false;
    if (indent > depth) continue;
    return !jump.test(line.trim()) && !isLike(first, line);
  }
  return false;
}

/** Heads of blocks are like each other anyhow: with another name it is another one. */
function isLike(one: string, other: string): boolean {
  const isHead = [one, other].every((line) => line.trimEnd().endsWith(":"));
  if (isHead) return nameOf(one) === nameOf(other);
  return lineDistance(one, other) !== undefined;
}

function nameOf(head: string): string {
  const text = head.trim();
  const end = text.search(/[(:]/);
  return end === -1 ? text : text.slice(0, end);
}
