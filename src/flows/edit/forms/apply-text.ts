import { describeDiff } from "../../../edit/describe-error.ts";
import { EditSession, type UnitPlace } from "../../../edit/edit-session.ts";
import type { EditResult } from "../../../edit/edit-unit.ts";
import type { EditScene, ProposedUnits } from "../show-edit.ts";
import { toUnits } from "./to-units.ts";

/** The text that the file should have, with "\n" as its line ends and without a byte-order mark. */
export interface TextChange {
  after: string;
}

export interface AppliedText {
  proposed: ProposedUnits;
  places: (UnitPlace | undefined)[];
  result: EditResult;
}

/** A text as changes of it are told. */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
}

/** Applies the change as units, which clicks can make again; they come to the same text, or nothing is applied. */
export function applyText({ target }: EditScene, { after }: TextChange): AppliedText {
  const change = toUnits(plainText(target.text), after);
  const session = new EditSession(target.text, { places: change.places });
  const places: (UnitPlace | undefined)[] = [];
  for (const unit of change.units) {
    places.push(session.add(unit));
  }
  const { units, foundAt, chosen } = session;
  const applied = session.end();
  const isSame = !applied.ok || plainText(applied.text) === after;
  const message = "The code blocks cannot be put in place unit by unit.";
  const result: EditResult = isSame
    ? applied
    : { ok: false, error: describeDiff("malformed", message) };
  return { proposed: { units, foundAt, places: chosen }, places, result };
}
