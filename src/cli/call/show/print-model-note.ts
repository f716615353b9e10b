import { escapeLine } from "./escape-controls.ts";
import type { AnswerPart } from "../read-answer.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Passes an answer on and says, once, on standard error when another model answers than the one
 * that was asked for: our server falls back to its default in silence.
 *
 * @param wanted undefined where the person named none
 * @param receipt the context receipt (header `x-rightseat-context`), which is believed before the
 * chunks: those carry the name that the model has at its provider
 */
export async function* noteModel(
  parts: AsyncIterable<AnswerPart>,
  wanted: string | undefined,
  receipt: { model?: string | undefined } | undefined,
  terminal: Terminal,
): AsyncGenerator<AnswerPart, void, void> {
  let answering = receipt?.model;
  if (answering !== undefined) note(answering, wanted, terminal);
  for await (const part of parts) {
    if (part.type === "model" && receipt === undefined && answering === undefined) {
      answering = part.name;
      note(answering, wanted, terminal);
    }
    yield part;
  }
}

function note(answering: string, wanted: string | undefined, terminal: Terminal): void {
  if (wanted === undefined || answering === wanted) return;
  const text = `Model ${escapeLine(answering)} answers; ${escapeLine(wanted)} was asked for.`;
  terminal.err(`${terminal.errStyle("dim", text)}\n`);
}
