import { fence } from "../context/fence.ts";
import { commonEdges } from "../edit/common-edges.ts";
import type { LineRange } from "../edit/edit-unit.ts";
import { linesOf } from "../edit/lines-of.ts";
import { formatUnifiedDiff } from "../edit/unified-diff.ts";
import type { CodeAnalysis, CodeSymbol } from "../symbols/code-analysis.ts";
import { flattenSymbols } from "../symbols/flatten-symbols.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Texts } from "./texts.ts";

/** Longer stretches of new code are shown by their diff only. */
const mostLines = 120;

/** The new code and the unified diff, as Markdown. */
export function printChange(
  target: EditTarget,
  after: string,
  analysis: CodeAnalysis,
  texts: Texts,
): string {
  const lines = linesOf(after);
  const { startLine, endLine } = shownLines(changedLines(target.text, lines), analysis);
  const { linesAbove } = target;
  const [first, last] = [startLine + linesAbove, endLine + linesAbove];
  const name = target.path || texts.unnamedFile;
  const code = fence(lines.slice(startLine - 1, endLine).join("\n"), target.language);
  const diff = fence(formatUnifiedDiff(name, target.text, after), "diff");
  const isShown = endLine >= startLine && endLine - startLine < mostLines;
  return [...(isShown ? [texts.newCode(name, first, last), code] : []), diff].join("\n\n");
}

/** The lines of the new text that hold all changes. */
function changedLines(before: string, lines: readonly string[]): LineRange {
  const { head, tail } = commonEdges(linesOf(before), lines);
  return { startLine: head + 1, endLine: lines.length - tail };
}

/** The whole function or type around a change, unless it is long or the change is a comment of its own. */
function shownLines(changed: LineRange, { symbols, comments }: CodeAnalysis): LineRange {
  if (comments.some((range) => contains(range, changed))) return changed;
  const around = flattenSymbols(symbols)
    .map(withDoc)
    .findLast((range) => contains(range, changed));
  const isLong = around === undefined || around.endLine - around.startLine >= mostLines;
  return isLong ? changed : around;
}

function withDoc({ range, docComment }: CodeSymbol): LineRange {
  const startLine = Math.min(range.startLine, docComment?.startLine ?? range.startLine);
  return { startLine, endLine: range.endLine };
}

function contains(range: LineRange, { startLine, endLine }: LineRange): boolean {
  return range.startLine <= startLine && range.endLine >= Math.max(startLine, endLine);
}
