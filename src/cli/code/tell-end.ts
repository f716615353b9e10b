import { describeUpstream } from "../../base/errors/app-error.ts";
import { loopTexts } from "../../flows/loop/loop-texts.ts";
import type { ShownChange } from "../../flows/loop/coding.ts";
import { describeChange, netChanges, showAll } from "../../flows/loop/show-changes.ts";
import { escapeControls } from "../call/show/escape-controls.ts";
import { type Terminal, say, showName } from "../call/terminal.ts";
import { callTexts } from "../call/texts.ts";
import type { LocalApp } from "../create-local-app.ts";
import { exitStopped } from "../fail-with.ts";
import { quoteWord } from "./run-check.ts";
import type { CodeRun } from "./create-coding.ts";
import type { CodeTexts } from "./code-texts.ts";
import type { RunRecord } from "./progress.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";

export interface FinishParts {
  app: LocalApp;
  /** The number of the turn, for undo; undefined where nothing was written. */
  turn: number | undefined;
  record: RunRecord;
  terminal: Terminal;
  isStopped: boolean;
}

/** Says how a run ended and how to take it back. @returns the exit code */
export async function tellEnd(
  run: CodeRun,
  { app, turn, record, terminal, isStopped }: FinishParts,
): Promise<number> {
  const { texts, request, root, isJson } = run;
  const { figures } = record;
  const tell = (style: "dim" | "red" | "yellow", text: string): void => say(style, text, terminal);
  terminal.err("\n");
  if (isStopped)
    tell("yellow", figures.files === 0 ? texts.stopped : texts.stoppedAfter(figures.files));
  else if (record.failure !== undefined) tell("red", describeFailure(record, app, texts));
  const untold = await listUntold(record);
  if (untold.length > 0) {
    const { modified, file } = loopTexts(texts.locale);
    const lines = untold.map((change) => `  ${showName(file(change).replaceAll("`", ""))}`);
    tell("dim", [modified.replaceAll("*", ""), ...lines].join("\n"));
  }
  if (record.refused.size > 0) {
    const paths = [...record.refused].map((path) => `  ${showName(path)}`);
    tell("yellow", [texts.refused, ...paths, texts.allowHint].join("\n"));
  }
  if (figures.steps > 0 || figures.tokens > 0) tell("dim", texts.summary(figures));
  if (turn !== undefined) tell("dim", texts.undo(undoCommand(run)));
  if (isJson) process.stdout.write(printReport(record, { request, root }));
  if (isStopped) return exitStopped;
  return record.isSound ? 0 : 1;
}

/** What was written in a run that ended before it told of it. The report gets it, too. */
async function listUntold({ changes, edits }: RunRecord): Promise<ShownChange[]> {
  if (edits.length > 0) return [];
  const net = netChanges(changes.map((change) => ({ change })));
  for (const change of net) edits.push(await describeChange(change));
  return showAll(net);
}

function describeFailure(
  { failure }: RunRecord,
  { trouble }: LocalApp,
  { locale }: CodeTexts,
): string {
  if (failure === undefined) return "";
  const hint =
    failure.code === "internal" ? callTexts(locale).seeLog : trouble && describeUpstream(trouble);
  const lines = [failure.sentence(locale), failure.messageIn(locale), hint ?? ""];
  return [...new Set(lines)]
    .filter((line) => line !== "")
    .map(escapeControls)
    .join("\n");
}

function undoCommand({ directory }: CodeRun): string {
  return directory === "." ? "rightseat undo" : `rightseat undo --dir ${quoteWord(directory)}`;
}

/** Lines of a file that get other ones, as the coding document writes them: 1-based, inclusive. */
interface EditOperation {
  target_file: string;
  start_line: number;
  /** One less than `start_line`: lines are put in before it. */
  end_line: number;
  replacement: string;
  /** The file is gone. */
  is_deleted?: true;
  /** The change is too large to print. */
  is_cut?: true;
}

/**
 * What `--json` prints, with a line end: the shared memory of the coding document, and how the run ended. Edits are
 * numbered as the files were before the run, in their order.
 */
export function printReport(
  { history, edits, response, check, usage, end, failure }: RunRecord,
  { request, root }: { request: string; root: string },
): string {
  const report = {
    user_query: request,
    working_dir: root,
    history,
    edit_operations: edits.flatMap(listOperations),
    response: response.trim(),
    check: check ?? null,
    usage: usage ?? null,
    end: end ?? "error",
    ...(failure && { error: { code: failure.code, message: failure.messageIn("en") } }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function listOperations({
  filePath,
  result,
  units,
  isDeleted,
  isCut,
}: ProposedEdit): EditOperation[] {
  const start = { target_file: filePath, start_line: 1, end_line: 0 };
  if (isCut === true) return [{ ...start, replacement: "", is_cut: true }];
  if (result.status === "new-file") return [{ ...start, replacement: units[0]?.replace ?? "" }];
  if (result.status !== "applied") return [];
  const operations = result.changes.map(({ startLine, endLine, text }) => ({
    target_file: filePath,
    start_line: startLine,
    end_line: endLine,
    replacement: text,
  }));
  if (isDeleted !== true) return operations;
  const [all = { ...start, replacement: "" }] = operations;
  return [{ ...all, is_deleted: true }];
}
