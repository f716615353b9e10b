import { createHash } from "node:crypto";
import { applyUnits, type EditUnit } from "../../../src/edit.ts";
import { findTextChanges } from "../../../src/edit/unified-diff.ts";
import type { ProposedEdit } from "../../../src/turn/proposed-edit.ts";

/** The edit that an answer tells when these units were applied to the text. */
export function appliedEdit(filePath: string, before: string, units: EditUnit[]): ProposedEdit {
  const result = applyUnits(before, units);
  if (!result.ok) throw new Error(result.error.message);
  const changes = findTextChanges(before, result.text);
  return {
    filePath,
    hashBefore: hash(before),
    units: units.map((unit, nth) => ({ ...unit, ...placeOf(result.units[nth]) })),
    result: { status: "applied", changes, hashAfter: hash(result.text) },
  };
}

export function newFile(filePath: string, text: string): ProposedEdit {
  const units = [{ search: "", replace: text }];
  return { filePath, units, result: { status: "new-file" } };
}

function placeOf(place: ProposedEdit["units"][number]["place"]) {
  return place === undefined ? {} : { place };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
