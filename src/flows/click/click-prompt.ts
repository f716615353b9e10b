// The prompts of clicks on a change that was proposed: they carry its units, so that nothing has to be
// remembered for them. Marks at the end of the first line tell them from what people write.
import { type ChosenPlace, EditSession } from "../../edit/edit-session.ts";
import type { Prose } from "../../edit/find/guess-prose.ts";
import type { FileEdit } from "../../edit/read/file-edit.ts";
import { parseInSteps } from "../../edit/read/parse-answer.ts";
import type { Steps } from "../../edit/steps.ts";

/** By the number of a unit, 1-based. */
export type ChosenPlaces = ReadonlyMap<number, ChosenPlace>;

export interface EditClick {
  file: FileEdit;
  places: ChosenPlaces;
  isWholeFile: boolean;
}

/** What a click asks for besides its units. */
export type ClickWish = "whole file" | "chosen";

const wholeFileMark = "[whole file]";
const chosenMark = "[chosen]";
const placePattern = /\[unit (\d+) at line (\d+), place (\d+) of (\d+)\]/g;

/**
 * Prints what a click sends.
 *
 * @param head a sentence for the person
 * @param printed the units
 */
export function printClick(
  head: string,
  printed: string,
  places: ChosenPlaces,
  wish?: ClickWish,
): string {
  const chosen = [...places].map(
    ([unit, { startLine, nth, of }]) =>
      `[unit ${unit} at line ${startLine}, place ${nth} of ${of}]`,
  );
  const marks = wish === undefined ? chosen : [...chosen, `[${wish}]`];
  return `${[head, ...marks].join(" ")}\n\n${printed}`;
}

/** Undefined for the prompt of a person. */
export function* readClick(prompt: string | undefined): Steps<EditClick | undefined> {
  if (prompt === undefined) return undefined;
  const [head = ""] = prompt.split("\n", 1);
  const places = new Map(
    [...head.matchAll(placePattern)].map(([, unit, startLine, nth, of]) => [
      Number(unit),
      { startLine: Number(startLine), nth: Number(nth), of: Number(of) },
    ]),
  );
  const isWholeFile = head.endsWith(wholeFileMark);
  if (places.size === 0 && !isWholeFile && !head.endsWith(chosenMark)) return undefined;
  const [file] = (yield* parseInSteps(prompt)).files;
  return file && { file, places, isWholeFile };
}

/**
 * The first lines of the chosen places in a text that may have changed since: the second of three places is
 * still the second of three. Where they are more or fewer by now, nothing is chosen.
 *
 * @param prose the comments and strings of the text, as far as they are known
 */
export function* resolvePlaces(
  { file, places }: EditClick,
  text: string,
  prose?: Prose,
): Steps<Map<number, number>> {
  const session = new EditSession(text, { prose });
  const lines = new Map<number, number>();
  for (const [index, unit] of file.units.entries()) {
    const place = yield* session.addInSteps(unit);
    const choice = places.get(index + 1);
    if (choice === undefined || place === undefined || place.ok) continue;
    const { candidates = [] } = place.error;
    const chosen = candidates.length === choice.of ? candidates[choice.nth - 1] : undefined;
    if (chosen !== undefined) lines.set(index + 1, chosen.startLine);
  }
  return lines;
}
