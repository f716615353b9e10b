import { homedir } from "node:os";
import type { Locale } from "../base/errors/locale.ts";
import { decodeText } from "../workspace/directory/text-encoding.node.ts";
import { findStateFolder } from "../workspace/directory/journal/root-state.node.ts";
import type { JournalTurn } from "../workspace/directory/journal/journal.node.ts";
import { type Undo, type UndoneFile, openUndo } from "../workspace/directory/journal/undo.node.ts";
import { printChanges } from "../workspace/approvals.ts";
import type { WorkspaceResult } from "../workspace/workspace.ts";
import { escapeLine } from "./call/show/escape-controls.ts";
import { type Terminal, createTerminal, printUnifiedDiff, showName } from "./call/terminal.ts";
import { CliError } from "./cli-error.ts";
import { findFolder, withState } from "./code/open-folder.ts";
import { codeTexts } from "./code/code-texts.ts";
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
  const turn = parseTurn(written, locale);
  const terminal = createTerminal(process.stdout, process.stderr);
  const stateFolder = findStateFolder(process.env, homedir(), process.platform);
  const texts = codeTexts(locale);
  const root = findFolder(dir, texts);
  const opening = openUndo({ root, stateFolder, now: Date.now });
  const undo = await withState(opening, stateFolder, texts);
  try {
    if (list) printTurns(await undo.listTurns(), terminal, locale);
    else if (dryRun) await showPlan(undo, turn, terminal, locale);
    else await undoFiles(undo, turn, terminal, locale);
    return 0;
  } finally {
    await undo.close();
  }
}

/** @throws CliError if it is not the number of a turn */
function parseTurn(written: string | undefined, locale: Locale): number | undefined {
  if (written === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(written)) throw new CliError(undoTexts[locale].noTurn(written));
  return Number(written);
}

function printTurns(turns: readonly JournalTurn[], terminal: Terminal, locale: Locale): void {
  const texts = undoTexts[locale];
  if (turns.length === 0) terminal.err(`${texts.nothing}\n`);
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
  locale: Locale,
): Promise<void> {
  const { files } = expectPlan(await undo.plan(turn), locale);
  const changes = files.flatMap(({ place: { path }, now, target, isDone }) => {
    const before = now && { text: textOf(now.bytes), hash: "" };
    return isDone ? [] : [{ path, before, after: target && textOf(target.bytes) }];
  });
  printUnifiedDiff(printChanges(changes), terminal, process.stdout.isTTY);
  terminal.err(`${undoTexts[locale].dryRun}\n`);
}

async function undoFiles(
  undo: Undo,
  turn: number | undefined,
  terminal: Terminal,
  locale: Locale,
): Promise<void> {
  const texts = undoTexts[locale];
  const { files, turns } = expectPlan(await undo.undo(turn), locale);
  for (const file of files) terminal.err(`${texts.file(file)}\n`);
  for (const { id, request } of turns.toReversed()) {
    const shown = escapeLine(request).slice(0, maxShownRequest);
    terminal.err(`${texts.turn(id, shown)}\n`);
  }
}

/** @throws CliError that says why nothing can be undone */
function expectPlan<Value>(result: WorkspaceResult<Value>, locale: Locale): Value {
  if (!result.ok) throw new CliError(result.problem.message[locale]);
  return result.value;
}

/** Only text files are ever changed by the agent. */
function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? "";
}

const undoTexts = {
  en: {
    nothing: "There is nothing to undo in this folder.",
    noTurn: (written: string) =>
      `${escapeLine(written)} is not the number of a turn. See rightseat undo --list.`,
    undone: "(undone)",
    dryRun: "Dry run: nothing was written.",
    file: ({ place, target, isDone }: UndoneFile) =>
      `${isDone ? "As before" : target === undefined ? "Removed" : "Restored"}: ${showName(place.path)}`,
    turn: (id: number, request: string) => `Turn ${id} was undone: ${request}`,
  },
  zh: {
    nothing: "此文件夹中没有可撤销的内容。",
    noTurn: (written: string) =>
      `${escapeLine(written)} 不是运行的编号。请查看 rightseat undo --list。`,
    undone: "（已撤销）",
    dryRun: "试运行：未写入任何内容。",
    file: ({ place, target, isDone }: UndoneFile) =>
      `${isDone ? "无需改动" : target === undefined ? "已删除" : "已恢复"}：${showName(place.path)}`,
    turn: (id: number, request: string) => `已撤销第 ${id} 次运行：${request}`,
  },
} as const;
