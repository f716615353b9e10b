// Lines that a click has chosen: named by a mark in the prompt, so that nothing has to be remembered for it.
import type { LineRange } from "../../edit/edit-unit.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { type Focus, noFocus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, targetOf } from "../edit/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { linesBetween } from "../place/lines-between.ts";
import { type LineMark, printLineMark, readLineMark, withoutMark } from "./line-mark.ts";

/**
 * The flow, for the lines that the prompt names: they are selected in the editor, and the prompt is
 * without its mark. If a symbol of that name now stands elsewhere, it is meant. A mark of lines
 * that hold nothing is text like any other.
 */
export function atMarkedLines(flow: Flow): Flow {
  return (turn, services, focus) => {
    const mark = readLineMark(turn.context.userInputPrompt);
    return mark === undefined ? flow(turn, services, focus) : flowAt(flow, mark, turn, services);
  };
}

async function* flowAt(
  flow: Flow,
  mark: LineMark,
  turn: Turn,
  services: Services,
): ReturnType<Flow> {
  const { asked, focus } = await selectMarked(turn, mark, services);
  yield* flow(asked, services, focus);
}

async function selectMarked(
  turn: Turn,
  mark: LineMark,
  services: Services,
): Promise<{ asked: Turn; focus: Focus }> {
  const { context } = turn;
  const target = targetOf(context.activeEditor);
  if (target === undefined) return { asked: turn, focus: noFocus };
  const lines = await findLines(mark, target, turn, services);
  const startLine = Math.max(1, lines.startLine);
  const content = linesBetween(target.text, startLine, lines.endLine);
  if (content.trim() === "") return { asked: turn, focus: noFocus };
  const endLine = startLine + content.split("\n").length - 1;
  const endColumn = content.length - content.lastIndexOf("\n");
  const range = { content, startLine, startColumn: 1, endLine, endColumn };
  const selected = {
    ...context,
    userInputPrompt: withoutMark(context.userInputPrompt ?? "", mark),
    activeEditor: { ...context.activeEditor, selectedRanges: [range] },
  };
  return {
    asked: { ...turn, context: selected },
    focus: { ...noFocus, mark: printLineMark({ startLine, endLine }, mark.name) },
  };
}

async function findLines(
  { name, lines }: LineMark,
  { text, language, path }: EditTarget,
  { signal }: Turn,
  { code }: Services,
): Promise<LineRange> {
  if (name === undefined) return lines;
  const { symbols } = await code.analyze(text, language, path, { signal });
  const ranges = flattenSymbols(symbols)
    .filter((symbol) => symbol.name === name)
    .map(({ range: { startLine, endLine } }) => ({ startLine, endLine }));
  const distance = ({ startLine }: LineRange) => Math.abs(startLine - lines.startLine);
  return ranges.toSorted((a, b) => distance(a) - distance(b))[0] ?? lines;
}
