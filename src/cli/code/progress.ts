import { isRecord, parseJson } from "../../base/text/json.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { CliTexts, RunFigures } from "../texts.ts";
import { loopTexts, tellStep } from "../../flows/loop/loop-texts.ts";
import type {
  ContextReceipt,
  EndReason,
  HistoryEntry,
  TurnEvent,
  Usage,
} from "../../turn/turn-event.ts";
import type { Action } from "../../turn/action.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { type PersonQuestion, readUnanswered } from "../../tools/ask-person.ts";
import { addUsage } from "../../turn/figures.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import { type Printer, createPrinter } from "../call/show/print-answer.ts";
import { type Terminal, fitWidth, say, showWholeName } from "../call/terminal.ts";
import type { CheckOutcome, ShownChange } from "../../flows/loop/coding.ts";
import { type AppError, describeUpstream } from "../../base/errors/app-error.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { describeChange, netChanges, showAll } from "../../flows/loop/show-changes.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { LocalApp } from "../create-local-app.ts";
import { exitStopped } from "../fail-with.ts";
import { quoteWord } from "./run-check.ts";
import type { Config } from "../../setup/config.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import type { PathTest } from "../../workspace/search/match-glob.ts";

export interface CodeRun {
  config: Config;
  agent: AgentDefinition;
  texts: CliTexts;
  /** The real path of the folder that the agent works on. */
  root: string;
  directory: string;
  request: string;
  check?: readonly string[] | undefined;
  isYes: boolean;
  allows: PathTest;
  model: string | undefined;
  key: string | undefined;
  isJson?: boolean;
  isPlain?: boolean;
  /** It is one message of a conversation. */
  isTalk?: boolean;
  tools: readonly AnyTool[];
  /** Commands that may run again, see `createAskCall`. */
  allowed: Set<string>;
  /** The folder has settings of its own, which do not count. */
  hasIgnoredSettings?: boolean;
}

export interface ProgressParts {
  terminal: Terminal;
  texts: CliTexts;
  /** Of a line of progress; infinite where absent. */
  columns?: () => number;
  /** Edits are shown as the answer prints them: the terminal does not show them in its own way. */
  showsEdits?: boolean;
  /** Shows events in place of the terminal. @param words of the answer that are shown */
  show?: (event: TurnEvent, words: string, record: RunRecord) => void;
}

const maxStep = 300;

export class Progress {
  readonly #parts: ProgressParts;
  readonly record = new RunRecord();
  /** Hears that something was said. */
  onWords: (() => void) | undefined;
  #printer: Printer;
  #isInSteps = false;

  constructor(parts: ProgressParts) {
    this.#parts = parts;
    this.#printer = createPrinter(parts.terminal);
  }

  awaitModel(): void {
    const { terminal, texts } = this.#parts;
    terminal.wait(texts.waiting(this.record.figures));
  }

  awaitCheck(command: string): void {
    const { terminal, texts } = this.#parts;
    this.pause();
    terminal.wait(texts.checking(escapeLine(command)));
  }

  take(event: TurnEvent): void {
    const text = event.type === "text-delta" ? this.wordsOf(event) : "";
    this.record.take(event, text);
    if (text !== "") this.onWords?.();
    if (this.#parts.show !== undefined) return this.#parts.show(event, text, this.record);
    switch (event.type) {
      case "text-delta":
        this.#say("text", text);
        break;
      case "reasoning-delta":
        this.#say("reasoning", event.text);
        break;
      case "context-receipt":
        for (const file of event.receipt.leftOut ?? []) this.#sayLeftOut(file);
        break;
      case "tool-call":
        this.#awaitTool(event.call);
        break;
      case "tool-result":
        if (event.entry !== undefined) this.#showStep(event.entry);
        this.awaitModel();
        break;
      default:
    }
  }

  /** What is printed of a piece of the answer. */
  wordsOf({ text, brief }: { text: string; brief?: string }): string {
    return this.#parts.showsEdits === true ? text : (brief ?? text);
  }

  /** Makes room for somebody else: a question, say. */
  pause(): void {
    this.rest();
    this.#isInSteps = false;
  }

  rest(): void {
    this.#printer.finish();
    this.#parts.terminal.rest();
  }

  #say(voice: "text" | "reasoning", text: string): void {
    if (text === "" || (this.#isInSteps && text.trim() === "")) return;
    if (this.#isInSteps) {
      this.#isInSteps = false;
      this.#parts.terminal.err("\n");
      this.#printer.print(voice, text.replace(/^\n+/, ""));
    } else this.#printer.print(voice, text);
  }

  #sayLeftOut({ path, why }: { path: string; why: string }): void {
    const { terminal, texts } = this.#parts;
    this.pause();
    say("yellow", texts.notAlong(showWholeName(path), escapeLine(why)), terminal);
    this.awaitModel();
  }

  #awaitTool({ name, arguments: given }: ToolCall): void {
    const path = showWholeName(fileOfCall(parseJson(given)));
    const step = `${escapeLine(name)} ${path}`.trimEnd();
    this.#parts.terminal.wait(step.slice(0, maxStep));
  }

  #showStep(entry: HistoryEntry): void {
    const { terminal, texts } = this.#parts;
    const line = describeStep(entry, texts.locale);
    if (line === undefined) return;
    this.rest();
    // What the model said may have left a block of code open.
    this.#printer = createPrinter(terminal);
    const isDone = entry.result["success"] === true;
    const mark = isDone ? terminal.errStyle("green", "✓") : terminal.errStyle("yellow", "✗");
    // Of a line that is read as it passes, what is beyond the screen is too much.
    const columns = (this.#parts.columns?.() ?? Infinity) - 4;
    const text = cutLine(showWholeName(line).replaceAll("`", ""), columns);
    const gap = this.#isInSteps ? "" : "\n";
    terminal.err(`${gap}  ${mark} ${isDone ? text : terminal.errStyle("dim", text)}\n`);
    this.#isInSteps = true;
  }
}

/** The file that a call is about, by its arguments; "" where they name none. */
export function fileOfCall(read: unknown): string {
  const target = isRecord(read) ? read["target_file"] : undefined;
  return typeof target === "string" ? target : "";
}

/** A step in one line, in Markdown; undefined for what is not shown. */
export function describeStep({ tool, params, result }: HistoryEntry, locale: Locale) {
  const outcome = { ...result, success: result["success"] === true };
  return tellStep({ tool, params, outcome }, locale);
}

function cutLine(text: string, columns: number): string {
  const width = Math.min(maxStep, columns);
  const start = fitWidth(text.slice(0, maxStep + 1), width);
  return start.length === text.length ? text : `${fitWidth(start, width - 1)}…`;
}

export class RunRecord {
  readonly history: HistoryEntry[] = [];
  readonly edits: ProposedEdit[] = [];
  readonly actions: Action[] = [];
  /** As they were made, also where the run ended before it told of them. */
  readonly changes: FileChange[] = [];
  /** What was said since the last step began; `finish` is none. */
  response = "";
  #isOld = false;
  /** All that was said and counts. */
  said = "";
  /** Where the model's present answer begins in it. */
  #start = 0;
  receipt: ContextReceipt | undefined;
  /** Tokens of the last prompt and its answer. */
  used = 0;
  usage: Usage | undefined;
  end: EndReason | undefined;
  failure: AppError | undefined;
  check: CheckOutcome | undefined;
  /** What the model has asked, and nobody could answer. */
  question: PersonQuestion | undefined;
  readonly written = new Set<string>();
  readonly beyondUndo = new Set<string>();
  /** Paths that were not written or read, and calls that were not made, since nobody could be asked. */
  readonly refused = new Set<string>();

  take(event: TurnEvent, text = ""): void {
    switch (event.type) {
      case "text-delta":
        if (text !== "" && this.#isOld) this.response = "";
        if (text !== "") this.#isOld = false;
        this.response += text;
        this.said += text;
        break;
      case "text-was-reasoning":
        this.said = this.said.slice(0, this.#start);
        break;
      case "context-receipt":
        this.receipt = event.receipt;
        this.used = event.receipt.tokens ?? 0;
        break;
      case "tool-result":
        this.#start = this.said.length;
        if (event.entry !== undefined) this.history.push(event.entry);
        this.question = readUnanswered(event.entry?.result);
        // A last call without a response means the text that was said before it.
        this.#isOld =
          event.entry?.tool !== "finish" || event.entry.params["response"] !== undefined;
        break;
      case "model-busy":
        if (event.isVoid !== true) break;
        this.response = "";
        this.said = this.said.slice(0, this.#start);
        break;
      case "action":
        this.actions.push(event.action);
        break;
      case "edit":
        this.edits.push(event.edit);
        break;
      case "usage":
        this.usage = addUsage(this.usage, event.usage);
        this.used = event.usage.prompt_tokens + event.usage.completion_tokens;
        break;
      case "turn-error":
        this.failure ??= event.error;
        break;
      case "turn-end":
        this.end = event.reason;
        break;
      default:
    }
  }

  get figures(): RunFigures {
    const { history, written, usage } = this;
    const steps = history.filter(({ tool }) => tool !== "finish").length;
    return { steps, files: written.size, tokens: usage?.total_tokens ?? 0 };
  }

  /** Whether the run ended as it was meant to, and nothing was left undone for want of somebody to ask. */
  get isSound(): boolean {
    const { check, end, failure, refused } = this;
    if (failure !== undefined || end !== "stop" || refused.size > 0) return false;
    return check === undefined || (check.ran && check.passed);
  }
}

/** Paths that undo does not cover, of which so many are named. */
const maxBeyond = 50;

/** The run has ended with a question that nobody could answer. */
export const exitUnanswered = 3;

/** Says how a run ended and how to take it back. @param turn of the journal, if something was written. @returns the exit code */
export async function tellEnd(
  run: CodeRun,
  { record, terminal, signal }: { record: RunRecord; terminal: Terminal; signal: AbortSignal },
  { app, undoWith }: { app: LocalApp; undoWith: string },
  turn: number | undefined,
): Promise<number> {
  const { texts, request, root, isJson } = run;
  const isStopped = signal.aborted;
  const { figures } = record;
  const tell = (style: "dim" | "red" | "yellow", ...lines: string[]): void =>
    say(style, lines.join("\n"), terminal);
  const show = (path: string): string => `  ${showWholeName(path)}`;
  terminal.err("\n");
  if (isStopped)
    tell("yellow", figures.files === 0 ? texts.stopped : texts.stoppedAfter(figures.files));
  else if (record.failure !== undefined) tell("red", describeFailure(record.failure, app, texts));
  const untold = await listUntold(record);
  if (untold.length > 0) {
    const { modified, file } = loopTexts(texts.locale);
    const lines = untold.map((change) => show(file(change).replaceAll("`", "")));
    tell("dim", modified.replaceAll("*", ""), ...lines);
  }
  if (record.refused.size > 0)
    tell("yellow", texts.notDone, ...[...record.refused].map(show), texts.allowHint);
  if (record.question !== undefined) {
    const choices = record.question.choices.map((each) => `  • ${escapeLine(each)}`);
    tell("yellow", texts.unanswered, ...choices);
  }
  // The status line of a conversation tells its tokens.
  if (run.isTalk !== true && figures.steps + figures.tokens > 0)
    tell("dim", texts.summary(figures));
  if (record.beyondUndo.size > 0) {
    const shown = [...record.beyondUndo].slice(0, maxBeyond).map(show);
    const more = record.beyondUndo.size - shown.length;
    tell("yellow", texts.beyondUndo, ...shown, ...(more > 0 ? [`  … ${more}`] : []));
  }
  if (turn !== undefined) tell("dim", texts.undo(undoWith));
  if (isJson) process.stdout.write(printReport(record, { request, root }));
  if (isStopped) return exitStopped;
  if (record.question !== undefined && record.failure === undefined) return exitUnanswered;
  return record.isSound ? 0 : 1;
}

/** What was written in a run that ended before it told of it. The report gets it, too. */
async function listUntold({ changes, edits }: RunRecord): Promise<ShownChange[]> {
  if (edits.length > 0) return [];
  const net = netChanges(changes.map((change) => ({ change })));
  for (const change of net) edits.push(await describeChange(change));
  return showAll(net);
}

/** What a turn failed of, for the person. */
export function describeFailure(failure: AppError, { trouble }: LocalApp, texts: CliTexts) {
  const hint = failure.code === "internal" ? texts.seeLog : trouble && describeUpstream(trouble);
  const lines = [failure.sentence(texts.locale), failure.messageIn(texts.locale), hint ?? ""];
  return [...new Set(lines)]
    .filter((line) => line !== "")
    .map(escapeControls)
    .join("\n");
}

export function undoCommand({ directory }: CodeRun): string {
  return directory === "." ? "rightseat undo" : `rightseat undo --dir ${quoteWord(directory)}`;
}

/**
 * What `--json` prints, with a line end: the shared memory of the coding document, and how the run ended. Edits are
 * numbered as the files were before the run, in their order.
 */
export function printReport(
  { history, edits, response, check, usage, end, failure, question }: RunRecord,
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
    ...(question && { question }),
    ...(failure && { error: { code: failure.code, message: failure.messageIn("en") } }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/**
 * Lines of a file that get other ones, as the coding document writes them: 1-based, inclusive; where `end_line` is one
 * less than `start_line`, lines are put in before it. `is_cut`: the change is too large to print.
 */
function listOperations({ filePath, result, units, isDeleted, isCut }: ProposedEdit): object[] {
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
