import { type CliTexts, cliTexts } from "./texts.ts";
import { homedir } from "node:os";
import { decodeText } from "../workspace/directory/text-encoding.node.ts";
import { findStateFolder } from "../workspace/directory/journal/root-state.node.ts";
import type { JournalTurn } from "../workspace/directory/journal/journal.node.ts";
import { type Undo, openUndo } from "../workspace/directory/journal/undo.node.ts";
import { printChanges } from "../workspace/approvals.ts";
import type { WorkspaceResult } from "../workspace/workspace.ts";
import { escapeLine } from "./call/show/escape-controls.ts";
import { type Terminal, createTerminal, printUnifiedDiff } from "./call/terminal.ts";
import { CliError } from "./cli-error.ts";
import { findFolder, withState } from "./code/open-folder.ts";
import { terminalLocale } from "./read/read-settings-file.ts";

/** The options of `rightseat undo`, as they were written. */
export interface UndoOptions {
  dir?: string;
  list?: boolean;
  dryRun?: boolean;
}

/** Of a request in the list of turns, in UTF-16 code units. */
const maxShownRequest = 60;

/**
 * `rightseat undo`: restores the state before a turn of the coding agent.
 *
 * @returns the exit code
 * @throws CliError if there is nothing to undo, or files were changed since
 */
export async function runUndo(
  written: string | undefined,
  { dir = ".", list = false, dryRun = false }: UndoOptions,
): Promise<number> {
  const locale = terminalLocale(process.env) ?? "en";
  const texts = cliTexts(locale);
  const turn = parseTurn(written, texts);
  const terminal = createTerminal(process.stdout, process.stderr);
  const stateFolder = findStateFolder(process.env, homedir(), process.platform);
  const root = findFolder(dir, texts);
  const opening = openUndo({ root, stateFolder, now: Date.now });
  const undo = await withState(opening, stateFolder, texts);
  try {
    if (list) printTurns(await undo.listTurns(), terminal, texts);
    else if (dryRun) await showPlan(undo, turn, terminal, texts);
    else await undoFiles(undo, turn, terminal, texts);
    return 0;
  } finally {
    await undo.close();
  }
}

/** @throws CliError if it is not the number of a turn */
function parseTurn(written: string | undefined, texts: CliTexts): number | undefined {
  if (written === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(written)) throw new CliError(texts.noTurn(written));
  return Number(written);
}

function printTurns(turns: readonly JournalTurn[], terminal: Terminal, texts: CliTexts): void {
  if (turns.length === 0) terminal.err(`${texts.nothingToUndo}\n`);
  for (const { id, time, request, isUndone } of turns.toReversed()) {
    const shown = escapeLine(request);
    const cut = shown.length > maxShownRequest ? `${shown.slice(0, maxShownRequest)}…` : shown;
    // The Swedish way to write a date sorts as text.
    const date = new Date(time).toLocaleString("sv-SE");
    terminal.out(`${id}  ${date}  ${cut}${isUndone ? `  ${texts.undone}` : ""}\n`);
  }
}

async function showPlan(
  undo: Undo,
  turn: number | undefined,
  terminal: Terminal,
  texts: CliTexts,
): Promise<void> {
  const { files } = expectPlan(await undo.plan(turn), texts);
  const changes = files.flatMap(({ place: { path }, now, target, isDone }) => {
    const before = now && { text: textOf(now.bytes), hash: "" };
    return isDone ? [] : [{ path, before, after: target && textOf(target.bytes) }];
  });
  printUnifiedDiff(printChanges(changes), terminal, process.stdout.isTTY);
  terminal.err(`${texts.undoDryRun}\n`);
}

async function undoFiles(
  undo: Undo,
  turn: number | undefined,
  terminal: Terminal,
  texts: CliTexts,
): Promise<void> {
  const { files, turns } = expectPlan(await undo.undo(turn), texts);
  for (const file of files) terminal.err(`${texts.undoneFile(file)}\n`);
  for (const { id, request } of turns.toReversed()) {
    const shown = escapeLine(request).slice(0, maxShownRequest);
    terminal.err(`${texts.undoneTurn(id, shown)}\n`);
  }
}

/** @throws CliError that says why nothing can be undone */
function expectPlan<Value>(result: WorkspaceResult<Value>, texts: CliTexts): Value {
  if (!result.ok) throw new CliError(result.problem.message[texts.locale]);
  return result.value;
}

/** Only text files are ever changed by the agent. */
function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? "";
}
