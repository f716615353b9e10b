import type { AppliedUnit } from "../../edit.ts";
import { escapeLine } from "../call/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { nameLines } from "./name-lines.ts";

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
): void {
  for (const [nth, unit] of units.entries()) {
    const line = `Unit ${nth + 1}: ${describeUnit(unit, before)}`;
    terminal.err(`${unit.level === "whole-file" ? terminal.errStyle("yellow", line) : line}\n`);
  }
  for (const other of others) terminal.err(`Left out: the edit of ${escapeLine(other)}.\n`);
  const done = before === undefined ? "was created" : "was written";
  terminal.err(dryRun ? `Dry run: ${name} was not written.\n` : `${name} ${done}.\n`);
}

/** Line numbers are those before the edit. */
function describeUnit(unit: AppliedUnit, before: string | undefined): string {
  if (unit.level === "new-file")
    return `new-file, ${before === undefined ? "creates the file" : "fills the empty file"}`;
  if (unit.level === "whole-file")
    return `whole-file, replaces the whole file (${nameLines(unit)})`;
  return `${unit.level}, ${nameLines(unit)}`;
}
