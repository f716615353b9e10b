import { type LineRange, encloses } from "../../edit/edit-unit.ts";
import { fence } from "../../base/text/fence.ts";
import { linesOf } from "../../base/text/lines.ts";
import { diffHunks, type Hunk, formatUnifiedDiff } from "../../edit/unified-diff.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";
import { type EditTarget, sentPart } from "../place/edit-target.ts";
import type { Texts } from "../texts/en.ts";

/** More of the new code is shown by its diff only. */
const maxLines = 120;

/** The new code and the unified diff, as Markdown. */
export function printChange(
  target: EditTarget,
  after: string,
  analysis: CodeAnalysis,
  texts: Texts,
): string {
  const lines = linesOf(after);
  const name = target.path || texts.unnamedFile;
  const hunks = diffHunks(target.text, after);
  const around = flattenSymbols(analysis.symbols).map(withDoc);
  const ranges: LineRange[] = [];
  for (const hunk of hunks) {
    ranges.push(shownLines(changedLines(hunk), analysis, around));
  }
  const shown = mergeRanges(ranges);
  const count = shown.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
  const code = (count > maxLines ? [] : shown).flatMap(({ startLine, endLine }) => [
    texts.newCode(name, startLine, endLine),
    fence(lines.slice(startLine - 1, endLine).join("\n"), target.language),
  ]);
  return [...code, printDiff(target, after, texts)].join("\n\n");
}

/** The unified diff in a fence. */
export function printDiff(target: EditTarget, after: string, texts: Texts): string {
  const before = sentPart(target, target.text);
  // An editor on Windows writes paths without "/".
  const path = target.path.includes("/") ? target.path : target.path.replaceAll("\\", "/");
  const name = path || texts.unnamedFile;
  const now = sentPart(target, after).text;
  return fence(formatUnifiedDiff(name, before.text, now, before.startLine), "diff");
}

/** The lines of the new text from the first change of a hunk to the last; empty where lines only went. */
function changedLines({ newStart, lines }: Hunk): LineRange {
  let line = newStart;
  let [startLine, endLine] = [Infinity, 0];
  for (const [sign] of lines) {
    if (sign === "\\") continue;
    if (sign !== " ") {
      startLine = Math.min(startLine, line);
      endLine = sign === "+" ? line : Math.max(endLine, line - 1);
    }
    if (sign !== "-") line += 1;
  }
  return { startLine, endLine };
}

/** The whole function or type around a change, unless it is long or the change is a comment of its own. */
function shownLines(
  changed: LineRange,
  { isCommented }: CodeAnalysis,
  symbols: readonly LineRange[],
): LineRange {
  if (isCommented(changed.startLine, changed.endLine)) return changed;
  // Where lines only went, the last line is before the first.
  const place = { ...changed, endLine: Math.max(changed.startLine, changed.endLine) };
  const around = symbols.findLast((range) => encloses(range, place));
  const isLong = around === undefined || around.endLine - around.startLine >= maxLines;
  return isLong ? changed : around;
}

function withDoc({ range, docComment }: CodeSymbol): LineRange {
  const startLine = Math.min(range.startLine, docComment?.startLine ?? range.startLine);
  return { startLine, endLine: range.endLine };
}

/** In order, without empty ones; those that touch are one. */
function mergeRanges(ranges: readonly LineRange[]): LineRange[] {
  const merged: LineRange[] = [];
  const sorted = ranges.toSorted((a, b) => a.startLine - b.startLine);
  for (const range of sorted) {
    if (range.endLine < range.startLine) continue;
    const last = merged.at(-1);
    if (last === undefined || range.startLine > last.endLine + 1) merged.push({ ...range });
    else last.endLine = Math.max(last.endLine, range.endLine);
  }
  return merged;
}
