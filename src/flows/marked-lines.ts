// Lines that a click has chosen: named by a mark in the prompt, so that nothing has to be remembered for it.
import { linesBetween } from "./lines-between.ts";
import type { LineRange } from "../edit/edit-unit.ts";
import { flattenSymbols } from "../symbols/flatten-symbols.ts";
import type { Turn } from "../turn/turn.ts";
import { type EditTarget, targetOf } from "./edit-target.ts";
import type { Flow, Services } from "./flow.ts";

const mark = /\s*\[(?:([^[\],]+), )?lines (\d+)-(\d+)\]/;
const allMarks = new RegExp(mark, "g");

/**
 * Names lines in a prompt: `[parse, lines 24-33]`.
 *
 * @param range lines of the target's text
 * @param name the symbol that they hold, by which they are found again if the file has changed
 */
export function markLines(range: LineRange, { linesAbove }: EditTarget, name?: string): string {
  const lines = `lines ${range.startLine + linesAbove}-${range.endLine + linesAbove}`;
  return name === undefined || /[[\],]/.test(name) ? `[${lines}]` : `[${name}, ${lines}]`;
}

/** For ordinary requests it must be cheap. */
export function hasMark({ context }: Turn): boolean {
  const prompt = context.userInputPrompt;
  return prompt?.includes("lines ") === true && mark.test(prompt);
}

/**
 * The flow, for the lines that the prompt names: they are selected in the editor, and the prompt is
 * without its marks. If a symbol of that name now stands elsewhere, it is meant.
 */
export function atMarkedLines(flow: Flow): Flow {
  return async function* (turn, services) {
    yield* flow(await selectMarked(turn, services), services);
  };
}

async function selectMarked(turn: Turn, services: Services): Promise<Turn> {
  const { context } = turn;
  const { userInputPrompt = "", activeEditor } = context;
  const [text = "", name, first, last] = mark.exec(userInputPrompt) ?? [];
  const prompt = userInputPrompt.replaceAll(allMarks, "").trim();
  const asked = { ...turn, mark: text.trim(), context: { ...context, userInputPrompt: prompt } };
  const target = targetOf(activeEditor);
  if (target === undefined) return asked;
  const named = { startLine: Number(first), endLine: Number(last) };
  const { startLine, endLine } = await findLines(name, named, target, services);
  const { linesAbove } = target;
  const content = linesBetween(target.text, startLine - linesAbove, endLine - linesAbove);
  if (content.trim() === "") return asked;
  const range = { content, startLine, startColumn: 1, endLine, endColumn: 1_000_000 };
  const editor = { ...activeEditor, selectedRanges: [range] };
  return { ...asked, context: { ...asked.context, activeEditor: editor } };
}

/** Lines of the editor's file. */
async function findLines(
  name: string | undefined,
  lines: LineRange,
  { text, language, path, linesAbove }: EditTarget,
  { code }: Services,
): Promise<LineRange> {
  if (name === undefined) return lines;
  const { symbols } = await code.analyze(text, language, path);
  const ranges = flattenSymbols(symbols)
    .filter((symbol) => symbol.name === name)
    .map(({ range }) => ({
      startLine: range.startLine + linesAbove,
      endLine: range.endLine + linesAbove,
    }));
  const distance = ({ startLine }: LineRange) => Math.abs(startLine - lines.startLine);
  return ranges.toSorted((a, b) => distance(a) - distance(b))[0] ?? lines;
}
