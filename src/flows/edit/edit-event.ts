// The facts of a proposed change, for whoever reads no prose.
import type { AppliedUnit, EditUnit } from "../../edit/edit-unit.ts";
import { findTextChanges } from "../../edit/unified-diff.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import { limitEdit, type ProposedEdit } from "../../turn/proposed-edit.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { CheckedResult, EditScene, ProposedUnits, Refusal } from "./edit-scene.ts";

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
