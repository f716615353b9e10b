import { cutText } from "../base/text/lines.ts";
import type { CliTexts } from "./texts.ts";
import { decodeText } from "../workspace/directory/text-encoding.node.ts";
import { openUndo } from "../workspace/directory/journal/undo.node.ts";
import { printChanges } from "../workspace/approvals.ts";
import type { WorkspaceResult } from "../workspace/workspace.ts";
import { escapeLine } from "./call/show/escape-controls.ts";
import { type Terminal, createTerminal, printUnifiedDiff } from "./call/terminal.ts";
import { CliError } from "./cli-error.ts";
import { closing } from "./fail-with.ts";
import type { Options } from "./options.ts";
import { findFolder, withState } from "./code/open-folder.ts";
import { earlyTexts, ownStateFolder } from "./read/read-settings-file.ts";

const maxShownRequest = 60;

/** `rightseat undo`: restores the state before a turn of the coding agent. */
export async function runUndo(
  written: string | undefined,
  { dir = ".", list = false, dryRun = false }: Options,
): Promise<number> {
  const texts = earlyTexts();
  if (written !== undefined && !/^[1-9]\d{0,8}$/.test(written))
    throw new CliError(texts.noTurn(written));
  const turn = written === undefined ? undefined : Number(written);
  const terminal = createTerminal(process.stdout, process.stderr);
  await using undo = await openOwnUndo(findFolder(dir, texts), texts);
  if (list) {
    const turns = await undo.listTurns();
    if (turns.length === 0) terminal.err(`${texts.nothingToUndo}\n`);
    for (const { id, time, request, isUndone } of turns.toReversed()) {
      const end = isUndone ? `  ${texts.undone}` : "";
      terminal.out(`${id}  ${showTime(time)}  ${showRequest(request)}${end}\n`);
    }
  } else if (dryRun) {
    printPlan(await undo.plan(turn), "back", terminal, process.stdout.isTTY);
    terminal.err(`${texts.undoDryRun}\n`);
  } else tellUndone(await undo.undo(turn), terminal, texts);
  return 0;
}

type Undo = Awaited<ReturnType<typeof openUndo>>;
type Undone = Extract<Awaited<ReturnType<Undo["plan"]>>, { ok: true }>["value"];

export type OwnUndo = Awaited<ReturnType<typeof openOwnUndo>>;

/** Opens what can be undone in a folder, until the end of the block. @returns methods that throw a CliError */
export async function openOwnUndo(root: string, texts: CliTexts) {
  const stateFolder = ownStateFolder();
  const opening = openUndo({ root, stateFolder, now: Date.now });
  const undo = await withState(opening, stateFolder, texts);
  const expect = (result: WorkspaceResult<Undone>): Undone => {
    if (!result.ok) throw new CliError(result.problem.message[texts.locale]);
    return result.value;
  };
  return closing({
    listTurns: () => undo.listTurns(),
    plan: async (turn?: number): Promise<Undone> => expect(await undo.plan(turn)),
    undo: async (turn?: number): Promise<Undone> => expect(await undo.undo(turn)),
    close: () => undo.close(),
  });
}

/** Prints a plan as a unified diff. @param way `back`: what undo would do; `since`: what was done */
export function printPlan(
  { files }: Undone,
  way: "back" | "since",
  terminal: Terminal,
  isScreen: boolean,
): void {
  const changes = files.flatMap(({ place: { path }, now, target, isDone }) => {
    const [from, to] = way === "back" ? [now, target] : [target, now];
    const before = from && { text: textOf(from.bytes), hash: "" };
    return isDone ? [] : [{ path, before, after: to && textOf(to.bytes) }];
  });
  printUnifiedDiff(printChanges(changes), terminal, isScreen);
}

export function tellUndone({ files, turns }: Undone, terminal: Terminal, texts: CliTexts): void {
  for (const file of files) terminal.err(`${texts.undoneFile(file)}\n`);
  for (const { id, request } of turns.toReversed())
    terminal.err(`${texts.undoneTurn(id, showRequest(request))}\n`);
}

/** A date and a time of this place. The Swedish way to write them sorts as text. */
export function showTime(time: number): string {
  return new Date(time).toLocaleString("sv-SE");
}

function showRequest(request: string): string {
  return cutText(escapeLine(request), maxShownRequest);
}

function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? "";
}
