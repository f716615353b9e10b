import { applyUnits, type EditUnit, parseAnswer } from "../../edit.ts";
import { printApplied } from "../edit/print-applied.ts";
import { printEditError } from "../edit/print-edit-error.ts";
import { readTargetFile } from "../edit/target-file.ts";
import { writeTarget } from "../edit/write-target.ts";
import type { Choice } from "./list-choices.ts";
import type { Terminal } from "./terminal.ts";

/** The change that an answer has shown: its buttons carry the units. Undefined if there is none. */
export function findChange(choices: readonly Choice[]): EditUnit[] | undefined {
  for (const { prompt, node } of choices) {
    // A node is one of several places, of which none is chosen yet.
    if (node !== undefined) continue;
    const [file] = parseAnswer(prompt).files;
    if (file !== undefined && file.error === undefined && file.units.length > 0) return file.units;
  }
  return undefined;
}

/**
 * Applies the change to the file on the disk, which may differ from what was sent, and says how.
 *
 * @throws CliError if the file cannot be read or written
 */
export function applyChange(file: string, units: readonly EditUnit[], terminal: Terminal): void {
  const target = readTargetFile(file);
  const before = target.found?.text;
  const result = applyUnits(before, units);
  if (!result.ok) {
    printEditError(result.error, { name: file, before: before ?? "" }, terminal);
    return;
  }
  writeTarget(target, result.text);
  printApplied(result.units, { name: file, before, others: [], dryRun: false }, terminal);
}
