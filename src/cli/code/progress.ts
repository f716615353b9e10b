import type { Locale } from "../../base/errors/locale.ts";
import { loopTexts } from "../../flows/loop/loop-texts.ts";
import type { EndReason, HistoryEntry, TurnEvent, Usage } from "../../turn/turn-event.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { addUsage } from "../../turn/figures.ts";
import { parseJson } from "../read/read-text-file.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { type CreatePainter, type Printer, createPrinter } from "../call/show/print-answer.ts";
import { type Terminal, fitWidth, say, showName } from "../call/terminal.ts";
import type { CodeTexts, RunFigures } from "./code-texts.ts";
import type { CheckOutcome } from "../../flows/loop/coding.ts";
import type { AppError } from "../../base/errors/app-error.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import type { FileChange } from "../../workspace/workspace.ts";

export interface ProgressParts {
  terminal: Terminal;
  /** Of the answer. */
  locale: Locale;
  texts: CodeTexts;
  /** Renders the model's words; absent: as they are. */
  createPainter: CreatePainter | undefined;
  figures: () => RunFigures;
  /** Of a line of progress; infinite where nobody watches. */
  columns: () => number;
}

/** Of a step's line, in characters. */
const maxStep = 300;

/** Shows a run as it goes: what the model says, one line for each step, and what is awaited. */
export class Progress {
  readonly #parts: ProgressParts;
  #printer: Printer;
  #isInSteps = false;

  constructor(parts: ProgressParts) {
    this.#parts = parts;
    this.#printer = this.#createPrinter();
  }

  /** Says what is awaited. */
  awaitModel(): void {
    const { terminal, texts, figures } = this.#parts;
    terminal.wait(texts.waiting(figures()));
  }

  awaitCheck(command: string): void {
    const { terminal, texts } = this.#parts;
    this.pause();
    terminal.wait(texts.checking(escapeLine(command)));
  }

  take(event: TurnEvent, text: string): void {
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

  /** Makes room for somebody else: a question, say. */
  pause(): void {
    this.rest();
    this.#isInSteps = false;
  }

  /** Ends the line that is open. */
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
    say("yellow", texts.leftOut(showName(path), escapeLine(why)), terminal);
    this.awaitModel();
  }

  #awaitTool({ name, arguments: given }: ToolCall): void {
    const { terminal, texts } = this.#parts;
    const read = parseJson(given);
    const target: unknown =
      typeof read === "object" && read !== null ? Reflect.get(read, "target_file") : undefined;
    const path = typeof target === "string" ? showName(target) : "";
    terminal.wait(texts.running(escapeLine(name), path).slice(0, maxStep));
  }

  #showStep({ tool, params, result }: HistoryEntry): void {
    const { terminal, locale } = this.#parts;
    const outcome = { ...result, success: result["success"] === true };
    const done = { tool, params, outcome, result: { id: "", content: "", isError: false } };
    const line = loopTexts(locale).step(done);
    if (line === undefined) return;
    this.rest();
    // What the model said may have left a block of code open.
    this.#printer = this.#createPrinter();
    const mark = outcome.success
      ? terminal.errStyle("green", "✓")
      : terminal.errStyle("yellow", "✗");
    // Of a line that is read as it passes, what is beyond the screen is too much.
    const text = cutLine(showName(line).replaceAll("`", ""), this.#parts.columns() - 4);
    const gap = this.#isInSteps ? "" : "\n";
    terminal.err(`${gap}  ${mark} ${outcome.success ? text : terminal.errStyle("dim", text)}\n`);
    this.#isInSteps = true;
  }

  #createPrinter(): Printer {
    const { terminal, createPainter } = this.#parts;
    return createPrinter(terminal, createPainter);
  }
}

function cutLine(text: string, columns: number): string {
  const width = Math.min(maxStep, columns);
  const start = fitWidth(text.slice(0, maxStep + 1), width);
  return start.length === text.length ? text : `${fitWidth(start, width - 1)}…`;
}

/** What a run has come to, as facts. */
export class RunRecord {
  readonly history: HistoryEntry[] = [];
  readonly edits: ProposedEdit[] = [];
  /** As they were made, also where the run ended before it told of them. */
  readonly changes: FileChange[] = [];
  /** What was said since the last step began; `finish` is none. */
  response = "";
  #isOld = false;
  usage: Usage | undefined;
  end: EndReason | undefined;
  failure: AppError | undefined;
  check: CheckOutcome | undefined;
  /** Paths that were written, deleted ones included. */
  readonly written = new Set<string>();
  /** Paths that were not written or read since nobody could be asked. */
  readonly refused = new Set<string>();

  /** @param text what the terminal prints of the event */
  take(event: TurnEvent, text = ""): void {
    switch (event.type) {
      case "text-delta":
        if (text !== "" && this.#isOld) this.response = "";
        if (text !== "") this.#isOld = false;
        this.response += text;
        break;
      case "tool-result":
        if (event.entry !== undefined) this.history.push(event.entry);
        // A last call without a response means the text that was said before it.
        this.#isOld =
          event.entry?.tool !== "finish" || event.entry.params["response"] !== undefined;
        break;
      case "model-busy":
        if (event.isVoid === true) this.response = "";
        break;
      case "edit":
        this.edits.push(event.edit);
        break;
      case "usage":
        this.usage = addUsage(this.usage, event.usage);
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
