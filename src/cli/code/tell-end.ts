import { describeUpstream } from "../../base/errors/upstream-facts.ts";
import { loopTexts } from "../../flows/loop/loop-texts.ts";
import { netChanges } from "../../flows/loop/net-changes.ts";
import { showAll, type ShownChange } from "../../flows/loop/print-diff.ts";
import { describeChange } from "../../flows/loop/show-changes.ts";
import { timerSlices } from "../../turn/slices.ts";
import { escapeControls } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { callTexts } from "../call/texts.ts";
import type { LocalApp } from "../create-local-app.ts";
import { exitStopped } from "../stop-on-interrupt.ts";
import { showName } from "./ask/print-approval-diff.ts";
import { quoteWord } from "./check/print-command.ts";
import type { CodeRun } from "./code-run.ts";
import type { CodeTexts } from "./code-texts.ts";
import { printReport } from "./print-report.ts";
import type { RunRecord } from "./run-record.ts";

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
  const say = (style: "dim" | "red" | "yellow", text: string): void =>
    terminal.err(`${terminal.errStyle(style, text)}\n`);
  terminal.err("\n");
  if (isStopped)
    say("yellow", figures.files === 0 ? texts.stopped : texts.stoppedAfter(figures.files));
  else if (record.failure !== undefined) say("red", describeFailure(record, app, texts));
  const untold = await listUntold(record);
  if (untold.length > 0) {
    const { modified, file } = loopTexts(texts.locale);
    const lines = untold.map((change) => `  ${showName(file(change).replaceAll("`", ""))}`);
    say("dim", [modified.replaceAll("*", ""), ...lines].join("\n"));
  }
  if (record.refused.size > 0) {
    const paths = [...record.refused].map((path) => `  ${showName(path)}`);
    say("yellow", [texts.refused, ...paths, texts.allowHint].join("\n"));
  }
  if (figures.steps > 0 || figures.tokens > 0) say("dim", texts.summary(figures));
  if (turn !== undefined) say("dim", texts.undo(undoCommand(run)));
  if (isJson) process.stdout.write(printReport(record, { request, root }));
  if (isStopped) return exitStopped;
  return record.isSound ? 0 : 1;
}

/** What was written in a run that ended before it told of it. The report gets it, too. */
async function listUntold({ changes, edits }: RunRecord): Promise<ShownChange[]> {
  if (edits.length > 0) return [];
  const net = netChanges(changes.map((change) => ({ change })));
  const { signal } = new AbortController();
  const slices = timerSlices();
  for (const change of net) edits.push(await describeChange(change, slices, signal));
  return slices.run("diff", showAll(net), signal);
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
