import type { AppliedUnit } from "../../edit.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { editTexts } from "./edit-texts.ts";

export interface AppliedEdit {
  name: string;
  before: string | undefined;
  /** Files that the answer also edits, and that were left alone. */
  others: readonly string[];
  dryRun: boolean;
}

/** Says on standard error how each unit was found, a line each, and what became of the file. */
export function printApplied(
  units: readonly AppliedUnit[],
  { name, before, others, dryRun }: AppliedEdit,
  terminal: Terminal,
  texts = editTexts("en"),
): void {
  for (const [nth, unit] of units.entries()) {
    const line = texts.applied(nth + 1, unit, before === undefined);
    terminal.err(`${unit.level === "whole-file" ? terminal.errStyle("yellow", line) : line}\n`);
  }
  for (const other of others) terminal.err(`${texts.leftOut(escapeLine(other))}\n`);
  const done = dryRun ? "dryRun" : before === undefined ? "created" : "written";
  terminal.err(`${texts[done](name)}\n`);
}
