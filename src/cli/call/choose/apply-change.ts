import { applyUnits } from "../../../edit.ts";
import { finish } from "../../../edit/steps.ts";
import { type EditClick, readClick, resolvePlaces } from "../../../flows/click/click-prompt.ts";
import { CliError } from "../../cli-error.ts";
import { editTexts } from "../../edit/edit-texts.ts";
import { printApplied } from "../../edit/print-applied.ts";
import { printEditError } from "../../edit/print-edit-error.ts";
import { readTargetFile } from "../../edit/target-file.ts";
import { writeTarget } from "../../edit/write-target.ts";
import { escapeControls } from "../show/escape-controls.ts";
import type { Choice } from "./list-choices.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";

export type FoundChange = EditClick;

/** Files with CRLF are never quoted byte by byte. */
const asQuoted: readonly string[] = ["exact", "line-ends"];

export interface WrittenChange {
  before: string;
  after: string;
}

/** The change that an answer has shown: its buttons carry the units. Undefined if there is none. */
export function findChange(choices: readonly Choice[]): FoundChange | undefined {
  for (const { prompt, node } of choices) {
    // A node is one of several places, of which none is chosen yet.
    if (node !== undefined) continue;
    const click = finish(readClick(prompt));
    const { units = [], error } = click?.file ?? {};
    if (click !== undefined && error === undefined && units.length > 0) return click;
  }
  return undefined;
}

/**
 * Applies the change to the file on the disk, which may differ from what was sent, and says so; it says
 * how only where a unit does not stand there as it is quoted. A failure is told, too.
 *
 * @returns the texts before and after, undefined if nothing was written
 */
export function applyChange(
  file: string,
  change: FoundChange,
  terminal: Terminal,
  texts: CallTexts,
): WrittenChange | undefined {
  try {
    return writeChange(file, change, terminal, texts);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    // The conversation goes on: the person may make the file writable, and try again.
    terminal.err(`${terminal.errStyle("red", escapeControls(thrown.message))}\n`);
    return undefined;
  }
}

function writeChange(
  file: string,
  change: FoundChange,
  terminal: Terminal,
  texts: CallTexts,
): WrittenChange | undefined {
  const told = editTexts(texts.locale);
  const target = readTargetFile(file);
  const before = target.found?.text;
  const places = finish(resolvePlaces(change, before ?? ""));
  const result = applyUnits(before, change.file.units, { places });
  if (!result.ok) {
    printEditError(result.error, { name: file, before: before ?? "" }, terminal, told);
    return undefined;
  }
  writeTarget(target, result.text);
  if (result.units.every(({ level }) => asQuoted.includes(level)))
    terminal.err(`${told.written(file)}\n`);
  else {
    const edit = { name: file, before, others: [], dryRun: false };
    printApplied(result.units, edit, terminal, told);
  }
  return { before: before ?? "", after: result.text };
}
