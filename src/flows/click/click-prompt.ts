// The prompts of clicks on a change that was proposed. The block below the sentence carries the units, the places
// that were chosen for them and the hash of the file, so that nothing has to be remembered for a click.
import type { ChosenPlace } from "../../edit/edit-session.ts";
import { parseAnswer } from "../../edit/read/parse-diff.ts";
import { printPrompt, readPrompt } from "./sentences.ts";

/** By the number of a unit, 1-based. */
export type ChosenPlaces = ReadonlyMap<number, ChosenPlace>;

/** What a click on a change brings along. */
export interface Change {
  /** The units, as `printUnits` prints them. */
  printed: string;
  places: ChosenPlaces;
  /** Of the whole file that it was proposed for; undefined where only a part had come. */
  fileHash: string | undefined;
}

export type EditClick = NonNullable<ReturnType<typeof readClick>>;

const headPattern =
  /^file (?:-|([0-9a-f]{16}))((?:; change \d{1,7}: place \d{1,7} of \d{1,7}, line \d{1,7})*)$/;
const placePattern = /change (\d+): place (\d+) of (\d+), line (\d+)/g;
/** Digits of the hash that a click carries: enough to notice a change, and nothing hangs on more. */
const hashLength = 16;
/** The head of a block is one line, with a few words for each unit. */
const maxHead = 100_000;

export function printClick(sentence: string, { printed, places, fileHash }: Change): string {
  return printPrompt(sentence, `${printHead(fileHash, places)}\n${printed}`, "diff");
}

/** The line above the units: which file they were made for, and the places that were chosen for them. */
export function printHead(fileHash: string | undefined, places: ChosenPlaces): string {
  const chosen = [...places].map(
    ([unit, { startLine, nth, of }]) =>
      `; change ${unit}: place ${nth} of ${of}, line ${startLine}`,
  );
  return `file ${fileHash?.slice(0, hashLength) ?? "-"}${chosen.join("")}`;
}

/** Undefined for any other line. @returns of the hash its beginning */
export function readHead(line: string) {
  const head = line.length > maxHead ? null : headPattern.exec(line);
  if (head === null) return undefined;
  const [, fileHash, chosen = ""] = head;
  const places: ChosenPlaces = new Map(
    [...chosen.matchAll(placePattern)].map(([, unit, nth, of, startLine]) => [
      Number(unit),
      { startLine: Number(startLine), nth: Number(nth), of: Number(of) },
    ]),
  );
  return { fileHash, places };
}

/** Undefined for any other prompt: a click has a sentence of its own, and below it nothing but its block. */
export function readClick(prompt: string | undefined) {
  const { sentence, block } = readPrompt(prompt) ?? {};
  const isWholeFile = sentence?.kind === "whole-file";
  const isChosen = sentence?.kind === "apply-at" || sentence?.kind === "apply-option";
  if (block === undefined || !(isWholeFile || isChosen)) return undefined;
  const end = block.indexOf("\n");
  const head = end === -1 ? undefined : readHead(block.slice(0, end));
  if (head === undefined) return undefined;
  const [file] = parseAnswer(block.slice(end + 1)).files;
  return file && { ...head, file, isWholeFile };
}

/** Whether the file is another one than that which a change was proposed for, as far as the click tells. */
export function isOfOtherFile({ fileHash }: EditClick, hash: string | undefined): boolean {
  return fileHash !== undefined && hash !== undefined && !hash.startsWith(fileHash);
}
