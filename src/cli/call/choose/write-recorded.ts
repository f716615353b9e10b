import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, relative } from "node:path";
import { AppError } from "../../../base/errors/app-error.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import { writeAsTurn } from "../../../workspace/directory/journal/undo.node.ts";
import { findStateFolder } from "../../../workspace/directory/journal/root-state.node.ts";
import { isUnder } from "../../../workspace/directory/resolve-path.node.ts";
import { CliError } from "../../cli-error.ts";
import { prepareWrite, type TargetFile, writeTarget } from "../../edit/write-target.ts";
import { isSystemError } from "../../fail-with.ts";
import { escapeControls } from "../show/escape-controls.ts";
import type { TestFile } from "./find-test-file.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";

/**
 * Writes a file as the person asked for, so that `rightseat undo` takes it back: in the folder where it was called,
 * or in that of a file outside of it. A file that no journal takes, of git or an editor, is written all the same.
 *
 * @returns whether undo can take it back
 * @throws CliError if nothing was written
 */
export async function writeRecorded(
  target: TargetFile,
  text: string,
  locale: Locale,
): Promise<boolean> {
  const { path, found } = target;
  const bytes = prepareWrite(target, text);
  const here = process.cwd();
  let root = dirname(path);
  if (isUnder(here, path) && dirname(here) !== here) root = here;
  while (!existsSync(root)) root = dirname(root);
  const turn = {
    root,
    stateFolder: findStateFolder(process.env, homedir(), process.platform),
    now: Date.now,
    request: `call: ${relative(here, path)}`,
  };
  const old = found && { bytes: new Uint8Array(found.bytes), stats: found.stats };
  try {
    const recorded = await writeAsTurn(turn, path, { old, bytes });
    if (recorded.ok) return true;
    const { code, message } = recorded.problem;
    if (code === "locked") throw new CliError(message[locale]);
  } catch (thrown) {
    // Without the journal.
    if (!isSystemError(thrown) && !(thrown instanceof AppError)) throw thrown;
  }
  await writeTarget(target, text, bytes);
  return false;
}

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
