// One plan of context for all built-in prompts: what of the editor's file they show, and what other files of the
// request define of it.
import { type ActiveEditor, cursorLineOf, focusOf } from "../../turn/context/active-editor.ts";
import { countLines } from "../../turn/context/text-lines.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { symbolAt } from "../../code/symbols.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { type FilePlan, linesAround } from "../../prompt/plan/file-plan.ts";
import { costOfLines } from "../../prompt/plan/choose-lines.ts";
import { planFile } from "../../prompt/plan/plan-file.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import { listOtherFiles, printOtherDefinitions } from "./other-files.ts";

/** Of the model's window so much is for the file. */
const shareOfWindow = 1 / 3;

/** What a prompt is told by the plan. */
export interface PlannedContext {
  file?: FilePlan;
  /** Definitions from other files; "" where there is none. */
  definitions?: string;
}

export interface PlanOptions {
  /** The texts of the prompt: what they print as a whole needs no definitions out of it. */
  templates: readonly string[];
  /** Without a place all of a file is meant; else a long one is shown in outline. */
  meansWhole: boolean;
}

/**
 * A file that takes no more than its share of the model's window is shown whole, and then mostly nothing is
 * parsed. Of a longer one the place is shown with what belongs to it.
 */
export async function planContext(
  turn: Turn,
  services: Services,
  focus: Focus,
  options: PlanOptions,
): Promise<PlannedContext> {
  const editor = turn.context.activeEditor;
  if (editor === undefined) return {};
  const seen = focusOf(editor);
  const target = targetOf(editor, seen);
  if (!hasCode(target)) return {};
  const share = Math.floor(turn.model.contextWindow * shareOfWindow);
  const maxTokens = Math.min(share, services.maxFileTokens);
  const isSmall = fits(target.text, maxTokens);
  const others = listOtherFiles(turn, options.templates);
  if (isSmall && others.length === 0) {
    const place = placeIn(editor, seen, focus, target) ?? firstLine(seen);
    return { file: { isWhole: true, maxTokens, place, parts: () => linesAround(place) } };
  }
  const analysis = await analyzeTarget(turn, services, target);
  const meant = placeIn(editor, seen, focus, target, analysis);
  const { parts, names } = planFile(analysis, meant);
  const place = meant ?? firstLine(seen);
  const rest = meant === undefined && !options.meansWhole ? [] : linesAround(place);
  const isWhole = isSmall || (meant === undefined && options.meansWhole);
  const all = isWhole ? [...parts, ...rest] : parts;
  const file = { isWhole, maxTokens, place, parts: () => all };
  return { file, definitions: await printOtherDefinitions(turn, services, names, others) };
}

/** What the editor shows or has selected. */
type SeenLines = ReturnType<typeof focusOf>;

function fits(text: string, maxTokens: number): boolean {
  // A token is hardly ever longer; long texts are not counted then.
  if (text.length > maxTokens * 8) return false;
  return costOfLines(text, countLines(text)) <= maxTokens;
}

/** What is meant, where that is less than the file: what the flow knows, the selection, the code at the cursor, what is visible. */
function placeIn(
  editor: ActiveEditor,
  { kind, startLine, endLine }: SeenLines,
  { place }: Focus,
  { text }: EditTarget,
  analysis?: CodeAnalysis,
): LineRange | undefined {
  if (place !== undefined && !(place.startLine <= 1 && place.endLine >= countLines(text)))
    return place;
  if (kind === "selection") return { startLine, endLine };
  const line = cursorLineOf(editor);
  if (line !== undefined) {
    const { range } = (analysis && symbolAt(analysis, line)) ?? {};
    return range ?? { startLine: line, endLine: line };
  }
  return kind === "visible" ? { startLine, endLine } : undefined;
}

function firstLine({ startLine }: SeenLines): LineRange {
  return { startLine, endLine: startLine };
}
