import { isSystemError } from "../../fail-with.ts";
import { CliError } from "../../cli-error.ts";
import { writeTarget } from "../../edit/write-target.ts";
import { escapeControls } from "../show/escape-controls.ts";
import type { TestFile } from "./find-test-file.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";

/**
 * Writes a file that is not there yet, and says so. A failure is told, too, also if somebody else has
 * made the file in the meantime.
 *
 * @returns whether it was written
 */
export function writeTestFile(
  { name, path, text }: TestFile,
  terminal: Terminal,
  texts: CallTexts,
): boolean {
  try {
    writeTarget({ name, path, found: undefined }, text);
  } catch (thrown) {
    const isExpected = thrown instanceof CliError || isSystemError(thrown);
    if (!isExpected) throw thrown;
    // The conversation goes on: the person may make room, and try again.
    terminal.err(`${terminal.errStyle("red", escapeControls(thrown.message))}\n`);
    return false;
  }
  terminal.err(`${texts.created(escapeControls(name))}\n`);
  return true;
}
