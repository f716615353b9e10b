import type { Locale } from "../../base/errors/locale.ts";
import { loopTexts } from "../../flows/loop/loop-texts.ts";
import type { HistoryEntry, TurnEvent } from "../../turn/turn-event.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { parseJson } from "../read/read-text-file.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { type CreatePainter, createPrinter, type Printer } from "../call/show/print-answer.ts";
import { type Terminal, fitWidth } from "../call/terminal.ts";
import { showName } from "./ask/print-approval-diff.ts";
import type { CodeTexts, RunFigures } from "./code-texts.ts";

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
    terminal.err(
      `${terminal.errStyle("yellow", texts.leftOut(showName(path), escapeLine(why)))}\n`,
    );
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
