// The prompts of clicks on a change that was proposed: they carry its units, so that nothing has to be
// remembered for them. People do not write such marks.
import type { EditUnit } from "../edit/edit-unit.ts";
import type { FileEdit } from "../edit/file-edit.ts";
import { parseAnswer } from "../edit/parse-answer.ts";
import { printUnits } from "../edit/print-units.ts";

/** By the number of a unit (1-based) the first line (1-based) of the place that was chosen for it. */
export type ChosenPlaces = ReadonlyMap<number, number>;

export interface EditClick {
  file: FileEdit;
  places: ChosenPlaces;
  isWholeFile: boolean;
}

const wholeFileMark = "[whole file]";
const placePattern = /\[unit (\d+) at line (\d+)\]/g;

/**
 * Prints what a click sends.
 *
 * @param head a sentence for the person
 */
export function printClick(
  head: string,
  units: readonly EditUnit[],
  places: ChosenPlaces,
  isWholeFile = false,
): string {
  const chosen = [...places].map(([unit, line]) => `[unit ${unit} at line ${line}]`);
  const marks = isWholeFile ? [...chosen, wholeFileMark] : chosen;
  return `${[head, ...marks].join(" ")}\n\n${printUnits(units)}`;
}

/** Undefined for the prompt of a person. */
export function readClick(prompt: string | undefined): EditClick | undefined {
  if (prompt === undefined) return undefined;
  const [head = ""] = prompt.split("\n", 1);
  const places = new Map(
    [...head.matchAll(placePattern)].map(([, unit, line]) => [Number(unit), Number(line)]),
  );
  const isWholeFile = head.includes(wholeFileMark);
  if (places.size === 0 && !isWholeFile) return undefined;
  const [file] = parseAnswer(prompt).files;
  return file && { file, places, isWholeFile };
}
