import { isSystemError } from "../../fail-with.ts";
import { CliError } from "../../cli-error.ts";
import { escapeControls } from "../show/escape-controls.ts";
import type { TestFile } from "./find-test-file.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";
import { writeRecorded } from "./write-recorded.ts";

/**
 * Writes a file that is not there yet, and says so. A failure is told, too, also if somebody else has
 * made the file in the meantime.
 *
 * @returns whether it was written
 */
export async function writeTestFile(
  { name, path, text }: TestFile,
  terminal: Terminal,
  texts: CallTexts,
): Promise<boolean> {
  let isRecorded: boolean;
  try {
    isRecorded = await writeRecorded({ name, path, found: undefined }, text, texts.locale);
  } catch (thrown) {
    const isExpected = thrown instanceof CliError || isSystemError(thrown);
    if (!isExpected) throw thrown;
    // The conversation goes on: the person may make room, and try again.
    terminal.err(`${terminal.errStyle("red", escapeControls(thrown.message))}\n`);
    return false;
  }
  terminal.err(`${texts.created(escapeControls(name))}\n`);
  if (!isRecorded) terminal.err(`${texts.notRecorded}\n`);
  return true;
}
