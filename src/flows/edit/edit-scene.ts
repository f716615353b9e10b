import type {
  AppliedUnit,
  EditError,
  EditResult,
  EditUnit,
  LineRange,
} from "../../edit/edit-unit.ts";
import type { EditForm } from "../../edit/read/file-edit.ts";
import type { Prose } from "../../edit/find/guess-prose.ts";
import { proseOf } from "../../code/code-analysis.ts";
import type { Focus } from "../../turn/focus.ts";
import { type ProposedEdit, type RefusalCode, limitEdit } from "../../turn/proposed-edit.ts";
import type { Turn } from "../../turn/turn.ts";
import type { ChosenPlaces } from "../click/click-prompt.ts";
import { type EditTarget, analyzeTarget } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import type { Page } from "./page.ts";
import { findTextChanges } from "../../edit/unified-diff.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";

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
    result: result.ok ? await toApplied(scene, result.text, isWhole) : toRefused(result.error),
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

function toUnit(
  { search, replace }: EditUnit,
  place: AppliedUnit | undefined,
): ProposedEdit["units"][number] {
  return { search, replace, ...(place === undefined ? {} : { place }) };
}

async function toApplied(
  { target }: EditScene,
  after: string,
  isWhole: boolean,
): Promise<ProposedEdit["result"]> {
  const changes = findTextChanges(target.text, after);
  return {
    status: "applied",
    changes,
    ...(isWhole ? { hashAfter: await hashText(after) } : {}),
  };
}

function toRefused({ code, unit, candidates }: Refusal): ProposedEdit["result"] {
  return {
    status: "refused",
    code,
    ...(unit === undefined ? {} : { unit }),
    ...(candidates === undefined ? {} : { candidates }),
  };
}
