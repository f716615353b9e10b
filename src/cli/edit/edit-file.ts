import { sep } from "node:path";
import { applyCodeEdit, type EditResult, formatUnifiedDiff } from "../../edit.ts";
import { readPipedText } from "../call/collect/read-piped-text.ts";
import type { Terminal } from "../call/terminal.ts";
import { CliError } from "../cli-error.ts";
import { applyToFile } from "./apply-to-file.ts";
import { explainError } from "./explain-error.ts";
import { printApplied } from "./print-applied.ts";
import { printEditError } from "./print-edit-error.ts";
import { printUnifiedDiff } from "./print-unified-diff.ts";
import { selectUnits } from "./select-units.ts";
import { readTargetFile } from "./target-file.ts";
import { writeTarget } from "./write-target.ts";

export interface EditFileOptions {
  /** Shows the unified diff on standard output, and writes nothing. */
  dryRun: boolean;
  /** Prints the result as JSON on standard output, and no sentences. */
  json: boolean;
  terminal: Terminal;
  /** Standard output is looked at by a person. */
  isScreen: boolean;
}

/**
 * Applies what stands on standard input to a file: all of it, or nothing.
 *
 * @returns whether it was applied
 * @throws CliError if there is nothing to apply, or the file cannot be read or written
 */
export async function editFile(
  file: string,
  { dryRun, json, terminal, isScreen }: EditFileOptions,
): Promise<boolean> {
  const text = await readPipedText();
  if (text === undefined)
    throw new CliError("edit needs a diff on standard input: rightseat edit --file FILE < DIFF.");
  const { units, codeEdit, error, others } = selectUnits(text, file);
  const target = readTargetFile(file);
  const before = target.found?.text;
  const applied: EditResult =
    error !== undefined
      ? { ok: false, error }
      : codeEdit === undefined
        ? await applyToFile(file, before, units)
        : applyCodeEdit(before, codeEdit);
  const result = applied.ok ? applied : { ...applied, error: explainError(applied.error, text) };
  if (result.ok && !dryRun) writeTarget(target, result.text);
  if (json) {
    terminal.out(`${JSON.stringify(result)}\n`);
    return result.ok;
  }
  if (!result.ok) {
    printEditError(result.error, { name: file, before: before ?? "" }, terminal);
    return false;
  }
  if (dryRun) {
    const diff = formatUnifiedDiff(file.replaceAll(sep, "/"), before, result.text);
    printUnifiedDiff(diff, terminal, isScreen);
  }
  printApplied(result.units, { name: file, before, others, dryRun }, terminal);
  return true;
}
