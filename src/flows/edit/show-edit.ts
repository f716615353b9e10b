// What a person sees of a change: applied, refused, or to be decided.
import { fence } from "../../base/text/fence.ts";
import type { FileEdit } from "../../edit/read/file-edit.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import type { CodeAnalysis, CodeProblem } from "../../code/code-analysis.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { editEvent, otherFileEvent } from "./edit-event.ts";
import type {
  AppliedEdit,
  CheckedResult,
  EditScene,
  ProposedUnits,
  Refusal,
} from "./edit-scene.ts";
import { hashOfEditor } from "../click/editor-hash.ts";
import { listTree, sealAction } from "../click/seal-action.ts";
import { printChange } from "./print-change.ts";
import { textsFor } from "../texts/texts.ts";
import type { TreeAction } from "../../turn/action.ts";
import { symbolAt } from "../../code/symbols.ts";
import { firstWords } from "../click/choose-place.ts";
import { type Change, printClick } from "../click/click-prompt.ts";
import { printBlockSentence } from "../click/sentences.ts";
import { printLines } from "../place/place-words.ts";
import { analyzeTarget } from "../place/edit-target.ts";

/** Shows the new code and the diff, or why nothing was changed, and the facts; returns the edit if it was applied. */
export async function* showResult(
  scene: EditScene,
  edit: ProposedUnits,
  result: CheckedResult,
): AsyncGenerator<TurnEvent, AppliedEdit | undefined, void> {
  if (!result.ok) {
    yield* showRefusal(scene, edit, result.error);
    return undefined;
  }
  const { target, page, turn, services } = scene;
  const texts = textsFor(turn.locale);
  const { text } = result;
  const analysis = await analyzeTarget(turn, services, { ...target, text });
  const change = printChange(target, text, analysis, texts);
  yield* page.block(`${change}\n`, "");
  const problem = await findNewProblem(scene, analysis);
  if (problem !== undefined) {
    const line = problem.range.startLine;
    yield* page.block(`${texts.brokenSyntax(line, texts.problem(problem))}\n`);
  }
  yield await editEvent(scene, edit, result);
  return { ...edit, after: result.text };
}

/** Why nothing was changed, and what was proposed; several places that fit are offered as a tree. */
export async function* showRefusal(
  scene: EditScene,
  edit: ProposedUnits,
  error: Refusal,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, services, page, target } = scene;
  const texts = textsFor(turn.locale);
  const { units, places } = edit;
  const printed = printUnits(units);
  const proposed = units.length === 0 ? [] : [fence(printed, "diff")];
  const change = { printed, places, fileHash: await hashOfEditor(turn) };
  const tree = placeTree(scene, await analyzeTarget(turn, services, target), change, error);
  if (tree !== undefined) {
    const head = texts.choosePlace(error.unit ?? 1);
    yield* page.block(`${[head, ...proposed].join("\n\n")}\n`, `${head}\n`);
    yield await editEvent(scene, edit, { ok: false, error });
    yield await sealAction(turn, services, tree);
    return;
  }
  const { nearest } = error;
  const near = nearest === undefined ? [] : [texts.nearest, fence(nearest.diff, "diff")];
  const head = texts.notApplied(texts.refusals[error.code]);
  const parts = units.length === 0 ? [head, ...near] : [head, ...near, texts.proposed];
  yield* page.block(`${[...parts, ...proposed].join("\n\n")}\n`, `${head}\n`);
  yield await editEvent(scene, edit, { ok: false, error });
}

/** Edits of other files are shown, since only the editor's file is at hand to apply them to. */
export async function* showOthers(
  { turn, page }: EditScene,
  others: readonly FileEdit[],
): AsyncGenerator<TurnEvent, void, void> {
  for (const { filePath, units } of others) {
    if (units.length === 0) continue;
    const head = textsFor(turn.locale).otherFile(filePath ?? "");
    const printed = printUnits(units);
    yield* page.block(`${head}\n\n${fence(printed, "diff")}\n`, "");
    yield otherFileEvent(filePath ?? "", units);
  }
}

/** The first that was not there before, if there are more of them now. */
async function findNewProblem(
  scene: EditScene,
  { problems }: CodeAnalysis,
): Promise<CodeProblem | undefined> {
  if (problems.length === 0) return undefined;
  const before = await analyzeTarget(scene.turn, scene.services, scene.target);
  if (problems.length <= before.problems.length) return undefined;
  const known = new Set(before.problems.map(({ kind, text }) => `${kind} ${text}`));
  return problems.find(({ kind, text }) => !known.has(`${kind} ${text}`)) ?? problems[0];
}

/**
 * The places that a unit fits: a click applies the edit there. Places that earlier clicks have chosen for
 * other units stay chosen. Undefined unless there is a choice.
 */
function placeTree(
  { turn, target }: EditScene,
  analysis: CodeAnalysis,
  change: Change,
  { code, unit = 1, candidates = [] }: Refusal,
): TreeAction | undefined {
  if (code !== "ambiguous" || candidates.length === 0) return undefined;
  const texts = textsFor(turn.locale);
  const lines = target.text.split(/\r?\n/);
  const items = candidates.map((range, nth) => {
    const { startLine, endLine } = range;
    const text = firstWords(lines.slice(startLine - 1, endLine));
    const symbol = symbolAt(analysis, startLine);
    const around = [symbol?.container, symbol?.name].filter((part) => part).join(".");
    const choice = { startLine, nth: nth + 1, of: candidates.length };
    const places = new Map([...change.places, [unit, choice]]);
    const sentence = printBlockSentence("apply-at", turn.locale, printLines(range, turn.locale));
    const name = texts.place(startLine, endLine, around, text);
    return { name, description: text, prompt: printClick(sentence, { ...change, places }) };
  });
  return listTree(turn, "place", items);
}
