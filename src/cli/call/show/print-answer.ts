import { type Escaper, createEscaper, escapeControls } from "./escape-controls.ts";
import type { AnswerPart } from "../read-answer.ts";
import type { ProposedEdit } from "../../../turn/proposed-edit.ts";
import type { ShownAction } from "./print-actions.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";

export interface PrintedAnswer {
  actions: ShownAction[];
  /** The changes that it proposes. */
  edits: ProposedEdit[];
  failed: boolean;
  /** A limit, or a filter, has ended it. */
  isCut?: true;
  /** Of the failure, where the stream told one. */
  code?: string;
}

/** Renders the text of an answer, which comes as the model wrote it. */
export type CreatePainter = (terminal: Terminal) => Escaper;

/**
 * Prints an answer as it comes: text to standard output; reasoning (dimmed)
 * and errors (red) to standard error, so that `> file` keeps the answer alone.
 *
 * @param createPainter renders the text; without it, control characters are escaped
 * @returns the actions, to be shown when it is complete, and the changes
 */
export async function printAnswer(
  parts: AsyncIterable<AnswerPart>,
  terminal: Terminal,
  texts: CallTexts,
  createPainter?: CreatePainter,
): Promise<PrintedAnswer> {
  const actions: ShownAction[] = [];
  const edits: ProposedEdit[] = [];
  let failed = false;
  let isCut: true | undefined;
  let code: string | undefined;
  const printer = createPrinter(terminal, createPainter);
  try {
    for await (const part of parts) {
      switch (part.type) {
        case "text-delta":
          printer.print("text", part.text);
          break;
        case "reasoning-delta":
          printer.print("reasoning", part.text);
          break;
        case "action":
          actions.push(part.action);
          break;
        case "edit":
          edits.push(part.edit);
          break;
        case "model":
          break;
        case "cut":
          isCut = true;
          printer.finish();
          terminal.err(
            `${terminal.errStyle("yellow", texts.modelStopped(escapeControls(part.reason)))}\n`,
          );
          break;
        case "failure":
          printer.finish();
          failed = true;
          code ??= part.code;
          printFailure(part, terminal);
          break;
      }
    }
  } finally {
    printer.finish();
  }
  return {
    actions,
    edits,
    failed,
    ...(isCut === undefined ? {} : { isCut }),
    ...(code === undefined ? {} : { code }),
  };
}

type Voice = "text" | "reasoning";

export interface Printer {
  print(voice: Voice, text: string): void;
  /** Ends the line that is open. */
  finish(): void;
}

/** Keeps the voices apart: each begins on a line of its own, and every line gets its end. */
export function createPrinter(
  terminal: Terminal,
  createPainter: CreatePainter = createEscaper,
): Printer {
  let voice: Voice = "text";
  let isLineOpen = false;
  const painters = { text: createPainter(terminal), reasoning: createEscaper() };
  const write = (text: string): void => {
    if (text === "") return;
    isLineOpen = !text.endsWith("\n");
    if (voice === "text") terminal.out(text);
    else terminal.err(terminal.errStyle("dim", text));
  };
  const finish = (): void => {
    write(painters[voice].finish());
    if (isLineOpen) write("\n");
  };
  return {
    print(next, text) {
      if (next !== voice) {
        finish();
        if (voice === "reasoning") terminal.err("\n");
        voice = next;
      }
      write(painters[voice].feed(text));
    },
    finish,
  };
}

function printFailure(
  { sentence, message }: AnswerPart & { type: "failure" },
  terminal: Terminal,
): void {
  const lines = [sentence, message].filter((line) => line !== "").map(escapeControls);
  terminal.err(`${terminal.errStyle("red", lines.join("\n"))}\n`);
}
