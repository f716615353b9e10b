// What a person sees of a change: applied, refused, or to be decided.
import { fence } from "../../base/text/fence.ts";
import { applyUnits } from "../../edit/edit-session.ts";
import type { EditForm, FileEdit } from "../../edit/read/file-edit.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import { type CodeAnalysis, type CodeProblem, proseOf } from "../../code/code-analysis.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { hashOfEditor, listTree, sealAction, showFound } from "../click/seal-action.ts";
import { type Texts, textsFor } from "../texts.ts";
import type { TreeAction } from "../../turn/action.ts";
import { flattenSymbols, linesOfDeclaration, symbolAt } from "../../code/symbols.ts";
import { type ChosenPlaces, printClick } from "../click/click-prompt.ts";
import { printBlockSentence } from "../click/sentences.ts";
import { printLines } from "../place/find-names.ts";
import { type EditTarget, analyzeTarget, sentPart } from "../place/edit-target.ts";
import {
  type AppliedUnit,
  type EditError,
  type EditResult,
  type EditUnit,
  type LineRange,
  encloses,
} from "../../edit/edit-unit.ts";
import { bareUnit } from "../../edit/find/locate-unit.ts";
import { linesOf } from "../../base/text/lines.ts";
import {
  type Hunk,
  diffHunks,
  findTextChanges,
  formatUnifiedDiff,
} from "../../edit/unified-diff.ts";
import type { Prose } from "../../edit/find/guess-prose.ts";
import type { Focus } from "../../turn/focus.ts";
import { type ProposedEdit, type RefusalCode, limitEdit } from "../../turn/proposed-edit.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Services } from "../flow.ts";
import type { Page } from "./page.ts";
import { applyText, plainText } from "./forms/apply-text.ts";
import { hashText } from "../../turn/state/sealed-state.ts";

/** Shows the new code and the diff, or why nothing was changed, and the facts; returns the edit if it was applied. */
export async function* showResult(
  scene: EditScene,
  given: ProposedUnits,
  made: CheckedResult,
): AsyncGenerator<TurnEvent, AppliedEdit | undefined, void> {
  if (!made.ok) {
    yield* showRefusal(scene, given, made.error);
    return undefined;
  }
  const { edit, result } = inPlaces(scene, given, made);
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

/**
 * A unit that means all places as one unit for each, which every client knows; so are units that are found only by what is
 * known here of comments and strings.
 */
function inPlaces(
  scene: EditScene,
  edit: ProposedUnits,
  result: Extract<CheckedResult, { ok: true }>,
): { edit: ProposedUnits; result: Extract<CheckedResult, { ok: true }> } {
  const again = applyUnits(scene.target.text, edit.units, { places: edit.places });
  const isKnown = again.ok && again.text === result.text;
  if (isKnown && edit.units.every(({ everywhere }) => everywhere === undefined))
    return { edit, result };
  const plain = applyText(scene, { after: plainText(result.text) });
  return plain.result.ok
    ? { edit: { ...edit, ...plain.proposed }, result: plain.result }
    : { edit, result };
}

/** Why nothing was changed, and what was proposed; several places that fit are offered as a tree. */
export async function* showRefusal(
  scene: EditScene,
  edit: ProposedUnits,
  error: Refusal,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, services, page, target } = scene;
  const texts = textsFor(turn.locale);
  const { units } = edit;
  const printed = printUnits(units);
  const proposed = units.length === 0 ? [] : [fence(printed, "diff")];
  const fileHash = await hashOfEditor(turn);
  const analysis = await analyzeTarget(turn, services, target);
  const tree = placeTree(scene, analysis, edit, fileHash, error);
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
  for (const { filePath, units, codeEdit } of others) {
    const printed = codeEdit?.code ?? printUnits(units);
    if (printed === "") continue;
    const head = textsFor(turn.locale).otherFile(filePath ?? "");
    yield* page.block(`${head}\n\n${fence(printed, codeEdit ? "" : "diff")}\n`, "");
    if (units.length > 0) yield otherFileEvent(filePath ?? "", units);
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
 * A change as a click brings it along: its units quote the file as it is, also where the model has misquoted it.
 *
 * @param after the changed text, where that is known
 */
export function quoteFile(target: EditTarget, change: PlacedChange, after?: string): PlacedChange {
  const { units, places } = change;
  if (applyUnits(target.text, units, { places, isQuoted: true }).ok) return change;
  const applied = after === undefined ? applyUnits(target.text, units, { places }) : undefined;
  const text = applied?.ok === true ? applied.text : after;
  const plain = text === undefined ? undefined : applyText({ target }, { after: plainText(text) });
  return plain?.result.ok === true ? plain.proposed : change;
}

/**
 * The places that a unit fits: a click applies the edit there. Places that earlier clicks have chosen for
 * other units stay chosen. Undefined unless there is a choice.
 */
function placeTree(
  { turn, target }: EditScene,
  analysis: CodeAnalysis,
  change: PlacedChange,
  fileHash: string | undefined,
  { code, unit = 1, candidates = [] }: Refusal,
): TreeAction | undefined {
  if (code !== "ambiguous" || candidates.length === 0) return undefined;
  const lines = target.text.split(/\r?\n/);
  const items = candidates.map((range, nth) => {
    const { startLine } = range;
    const choice = { startLine, nth: nth + 1, of: candidates.length };
    const places = new Map([...change.places, [unit, choice]]);
    const sentence = printBlockSentence("apply-at", turn.locale, printLines(range, turn.locale));
    const shown = showFound(turn, { ...range, symbol: symbolAt(analysis, startLine) }, lines);
    const quoted = quoteFile(target, { units: change.units, places });
    const click = { printed: printUnits(quoted.units), places: quoted.places, fileHash };
    return { ...shown, prompt: printClick(sentence, click) };
  });
  return listTree(turn, "place", items);
}

/** More of the new code is shown by its diff only. */
const maxLines = 120;

/** The new code and the unified diff, as Markdown. */
function printChange(
  target: EditTarget,
  after: string,
  analysis: CodeAnalysis,
  texts: Texts,
): string {
  const lines = linesOf(after);
  const name = target.path || texts.unnamedFile;
  const hunks = diffHunks(target.text, after);
  const around = flattenSymbols(analysis.symbols).map(linesOfDeclaration);
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

/** Why a change is not made. */
export interface Refusal extends Omit<EditError, "code" | "others"> {
  code: RefusalCode;
  others?: EditError[];
}

/** What became of a change after all checks. */
export type CheckedResult = Extract<EditResult, { ok: true }> | { ok: false; error: Refusal };

/** Says what is wrong with a change that could be applied; undefined if nothing is. */
export type CheckChange = (before: string, after: string) => Promise<Refusal | undefined>;

/** What the steps of a command that edits the editor's file share. */
export interface EditScene {
  turn: Turn;
  /** What prompts and the next steps are told of the place. */
  focus: Focus;
  services: Services;
  target: EditTarget;
  page: Page;
  /** The lines that are meant, if that is less than the whole text. */
  within: LineRange | undefined;
  check: CheckChange | undefined;
  /** The templates of the prompt as they are written: paths in them are examples, and mean the editor's file. */
  examples: readonly string[];
}

/** The units that are proposed for the editor's file. */
export interface ProposedUnits {
  units: readonly EditUnit[];
  /** Where each was found, in their order; undefined for one that was not. */
  foundAt: readonly (AppliedUnit | undefined)[];
  /** The places that were chosen among several. */
  places: ChosenPlaces;
  /** In which form the answer has them; absent for clicks. */
  form?: EditForm;
}

type PlacedChange = Pick<ProposedUnits, "units" | "places">;

/** A change that was applied, and can be made again. */
export interface AppliedEdit extends ProposedUnits {
  after: string;
}

/** The comments and strings of the editor's file; undefined where they are not known. */
export async function proseOfTarget({
  services,
  target,
  turn,
}: EditScene): Promise<Prose | undefined> {
  return proseOf(await analyzeTarget(turn, services, target));
}

/** The result as it is, unless the command's own check finds something. */
export async function checkResult(
  { target, check }: EditScene,
  result: CheckedResult,
): Promise<CheckedResult> {
  const error = result.ok ? await check?.(target.text, result.text) : undefined;
  return error === undefined ? result : { ok: false, error };
}

// The facts of a proposed change, for whoever reads no prose.

/** What became of the units for the editor's file. */
export async function editEvent(
  scene: EditScene,
  { units, foundAt, form = "units" }: ProposedUnits,
  result: CheckedResult,
): Promise<TurnEvent> {
  const { turn, target } = scene;
  // Of a part of a file nobody could tell whether the file has changed.
  const isWhole = target.text === turn.context.activeEditor?.content;
  const places = result.ok ? result.units : foundAt;
  return toEvent({
    filePath: target.path,
    ...(isWhole ? { hashBefore: await hashText(target.text) } : {}),
    ...(form === "units" ? {} : { form }),
    units: units.map((unit, nth) => toUnit(unit, places[nth])),
    result: result.ok
      ? {
          status: "applied",
          changes: findTextChanges(target.text, result.text),
          ...(isWhole ? { hashAfter: await hashText(result.text) } : {}),
        }
      : toRefused(result.error),
  });
}

/** The units for a file that is not at hand. */
export function otherFileEvent(filePath: string, units: readonly EditUnit[]): TurnEvent {
  const plain = units.map((unit) => toUnit(unit, undefined));
  return toEvent({ filePath, units: plain, result: { status: "unchecked" } });
}

/** A file of its own, which nothing may be in the place of. */
export function newFileEvent(filePath: string, text: string): TurnEvent {
  const units = [{ search: "", replace: text }];
  return toEvent({ filePath, units, result: { status: "new-file" } });
}

function toEvent(edit: ProposedEdit): TurnEvent {
  return { type: "edit", edit: limitEdit(edit) };
}

function toUnit(unit: EditUnit, place: AppliedUnit | undefined): ProposedEdit["units"][number] {
  return { ...bareUnit(unit), ...(place === undefined ? {} : { place }) };
}

function toRefused({ code, unit, candidates }: Refusal): ProposedEdit["result"] {
  return {
    status: "refused",
    code,
    ...(unit === undefined ? {} : { unit }),
    ...(candidates === undefined ? {} : { candidates }),
  };
}
