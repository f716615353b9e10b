// Lines that a click has chosen: named by a mark in the prompt, so that nothing has to be remembered for it.
import type { LineRange } from "../../edit/edit-unit.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { type Focus, noFocus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, targetOf } from "../edit/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { linesBetween } from "../place/lines-between.ts";

/** At the end of the first line of a prompt, which may hold nothing else. */
const markPattern = /(?:^|\s)\[(?:([^[\],]{1,200}), )?lines (\d{1,7})-(\d{1,7})\]$/;
/** A first line that is longer holds no mark of ours. */
const longestLine = 1_000;

interface Mark {
  text: string;
  name: string | undefined;
  lines: LineRange;
}

/**
 * Names lines in a prompt: `[parse, lines 24-33]`. It has to stand at the end of the prompt's first line.
 *
 * @param name the symbol that they hold, by which they are found again if the file has changed
 */
export function markLines({ startLine, endLine }: LineRange, name?: string): string {
  const lines = `lines ${startLine}-${endLine}`;
  const isPlain = name !== undefined && /^[^[\],]{1,200}$/.test(name);
  return isPlain ? `[${name}, ${lines}]` : `[${lines}]`;
}

/**
 * The flow, for the lines that the prompt names: they are selected in the editor, and the prompt is
 * without its mark. If a symbol of that name now stands elsewhere, it is meant. A mark of lines
 * that hold nothing is text like any other.
 */
export function atMarkedLines(flow: Flow): Flow {
  return (turn, services, focus) => {
    const mark = readMark(turn.context.userInputPrompt);
    return mark === undefined ? flow(turn, services, focus) : flowAt(flow, mark, turn, services);
  };
}

async function* flowAt(flow: Flow, mark: Mark, turn: Turn, services: Services): ReturnType<Flow> {
  const { asked, focus } = await selectMarked(turn, mark, services);
  yield* flow(asked, services, focus);
}

/** Every request with a prompt comes by here, so it must be cheap. */
function readMark(prompt: string | undefined): Mark | undefined {
  if (prompt === undefined) return undefined;
  const end = prompt.indexOf("\n");
  const line = end === -1 ? prompt : prompt.slice(0, end);
  if (line.length > longestLine) return undefined;
  const match = markPattern.exec(line.trimEnd());
  if (match === null) return undefined;
  const [text, name, first, last] = match;
  const lines = { startLine: Number(first), endLine: Number(last) };
  return { text: text.trim(), name, lines };
}

async function selectMarked(
  turn: Turn,
  mark: Mark,
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
    focus: { ...noFocus, mark: markLines({ startLine, endLine }, mark.name) },
  };
}

async function findLines(
  { name, lines }: Mark,
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

/** A client that joins the prompts of several clicks repeats it on lines of its own. */
function withoutMark(prompt: string, { text }: Mark): string {
  const [first = "", ...rest] = prompt.split("\n");
  const head = first.trimEnd().slice(0, -text.length).trimEnd();
  const others = rest.filter((line) => line.trim() !== text);
  return [...(head === "" ? [] : [head]), ...others].join("\n").trim();
}
