import { fence } from "../context/fence.ts";
import { commonEdges } from "../edit/common-edges.ts";
import { linesOf } from "../edit/lines-of.ts";
import { formatUnifiedDiff } from "../edit/unified-diff.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Texts } from "./texts.ts";

/** Longer stretches of new code are shown by their diff only. */
const mostLines = 120;

/** The new code and the unified diff, as Markdown. */
export function printChange(target: EditTarget, after: string, texts: Texts): string {
  const { from, to, lines } = changedLines(target.text, after);
  const { linesAbove } = target;
  const shown =
    to > from && to - from <= mostLines
      ? `${texts.newCode(target.path, from + 1 + linesAbove, to + linesAbove)}\n\n` +
        `${fence(lines.slice(from, to).join("\n"), target.language)}\n\n`
      : "";
  const diff = fence(
    formatUnifiedDiff(target.path || texts.unnamedFile, target.text, after),
    "diff",
  );
  return shown + diff;
}

/** The lines [from, to) of the new text that hold all changes. */
function changedLines(
  before: string,
  after: string,
): { from: number; to: number; lines: string[] } {
  const [old, lines] = [linesOf(before), linesOf(after)];
  const { head, tail } = commonEdges(old, lines);
  return { from: head, to: lines.length - tail, lines };
}
