import { existsSync, lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { AppError } from "../../../base/errors/app-error.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import { writeAsTurn } from "../../../workspace/directory/journal/undo.node.ts";
import { findStateFolder } from "../../../workspace/directory/journal/root-state.node.ts";
import { isUnder } from "../../../workspace/directory/resolve-path.node.ts";
import { CliError } from "../../cli-error.ts";
import { prepareWrite, type TargetFile, writeTarget } from "../../edit/write-target.ts";
import { isSystemError } from "../../fail-with.ts";
import { escapeControls } from "../show/escape-controls.ts";
import { type ProposedEdit, isFileName } from "../../../turn/proposed-edit.ts";
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
  const isRecorded = await attempt(terminal, () =>
    writeRecorded({ name, path, found: undefined }, text, texts.locale),
  );
  if (isRecorded === undefined) return false;
  terminal.err(`${texts.created(escapeControls(name))}\n`);
  if (!isRecorded) terminal.err(`${texts.notRecorded}\n`);
  return true;
}

/** A failure is told, and the conversation goes on: the person may make room, or the file writable, and try again. */
export async function attempt<Value>(
  terminal: Terminal,
  write: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await write();
  } catch (thrown) {
    const isExpected = thrown instanceof CliError || isSystemError(thrown);
    if (!isExpected) throw thrown;
    terminal.err(`${terminal.errStyle("red", escapeControls(thrown.message))}\n`);
    return undefined;
  }
}

export interface TestFile {
  /** From the directory, as the answer names it. */
  name: string;
  path: string;
  text: string;
}

/**
 * The new file that an answer proposes. Undefined where there is none, or more than one, or where nothing new
 * may be written: outside of the directory, or at a place that is taken.
 */
export function findTestFile(
  edits: readonly ProposedEdit[],
  directory: string,
): TestFile | undefined {
  const [edit, ...others] = edits.filter(({ result }) => result.status === "new-file");
  const [unit] = edit?.units ?? [];
  if (edit === undefined || unit === undefined || others.length > 0) return undefined;
  const { filePath: name } = edit;
  if (!isFileName(name)) return undefined;
  const path = resolve(directory, name);
  try {
    return isFree(path, directory) ? { name, path, text: unit.replace } : undefined;
  } catch {
    // A name that no file can have: too long, below a file, or with signs that the system refuses.
    return undefined;
  }
}

function isFree(path: string, directory: string): boolean {
  if (!isUnder(directory, path)) return false;
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  // A folder on the way may be a link that leads out.
  return isUnder(realpathSync(directory), realpathSync(nearestFolder(path)));
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : nearestFolder(folder);
}
