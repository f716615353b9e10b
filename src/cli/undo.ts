import { cliTexts } from "./texts.ts";
import { homedir } from "node:os";
import { decodeText } from "../workspace/directory/text-encoding.node.ts";
import { findStateFolder } from "../workspace/directory/journal/root-state.node.ts";
import { openUndo } from "../workspace/directory/journal/undo.node.ts";
import { printChanges } from "../workspace/approvals.ts";
import type { WorkspaceResult } from "../workspace/workspace.ts";
import { escapeLine } from "./call/show/escape-controls.ts";
import { createTerminal, printUnifiedDiff } from "./call/terminal.ts";
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
  const texts = cliTexts(terminalLocale(process.env) ?? "en");
  if (written !== undefined && !/^[1-9]\d{0,8}$/.test(written))
    throw new CliError(texts.noTurn(written));
  const turn = written === undefined ? undefined : Number(written);
  const terminal = createTerminal(process.stdout, process.stderr);
  const stateFolder = findStateFolder(process.env, homedir(), process.platform);
  const opening = openUndo({ root: findFolder(dir, texts), stateFolder, now: Date.now });
  const undo = await withState(opening, stateFolder, texts);
  const expect = <Value>(result: WorkspaceResult<Value>): Value => {
    if (!result.ok) throw new CliError(result.problem.message[texts.locale]);
    return result.value;
  };
  try {
    if (list) {
      const turns = await undo.listTurns();
      if (turns.length === 0) terminal.err(`${texts.nothingToUndo}\n`);
      for (const { id, time, request, isUndone } of turns.toReversed()) {
        // The Swedish way to write a date sorts as text.
        const date = new Date(time).toLocaleString("sv-SE");
        const end = isUndone ? `  ${texts.undone}` : "";
        terminal.out(`${id}  ${date}  ${showRequest(request)}${end}\n`);
      }
    } else if (dryRun) {
      const { files } = expect(await undo.plan(turn));
      const changes = files.flatMap(({ place: { path }, now, target, isDone }) => {
        const before = now && { text: textOf(now.bytes), hash: "" };
        return isDone ? [] : [{ path, before, after: target && textOf(target.bytes) }];
      });
      printUnifiedDiff(printChanges(changes), terminal, process.stdout.isTTY);
      terminal.err(`${texts.undoDryRun}\n`);
    } else {
      const { files, turns } = expect(await undo.undo(turn));
      for (const file of files) terminal.err(`${texts.undoneFile(file)}\n`);
      for (const { id, request } of turns.toReversed())
        terminal.err(`${texts.undoneTurn(id, showRequest(request))}\n`);
    }
    return 0;
  } finally {
    await undo.close();
  }
}

function showRequest(request: string): string {
  const shown = escapeLine(request);
  return shown.length > maxShownRequest ? `${shown.slice(0, maxShownRequest)}…` : shown;
}

/** Only text files are ever changed by the agent. */
function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? "";
}
