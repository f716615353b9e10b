import * as z from "zod";
import { escapeControls, escapeLine } from "./escape-controls.ts";
import type { Terminal } from "../terminal.ts";
import type { AnswerPart } from "../read-answer.ts";

const Names = z.array(z.string()).default([]);
const Receipt = z.looseObject({
  command: z.string(),
  place: z.string().optional(),
  model: z.string().optional(),
  budget: z.number().optional(),
  tokens: z.number().optional(),
  arrived: z.record(z.string(), z.number()).default({}),
  cut: Names,
  missing: Names,
  unknown: Names,
  unused: Names,
  dropped: z.array(z.looseObject({ path: z.string(), message: z.string() })).default([]),
});
type Receipt = z.infer<typeof Receipt>;

/** Prints what became of the context (header `x-rightseat-context`) as a table on standard error. */
export function printReceipt(header: string | null, terminal: Terminal): void {
  const text = describeReceipt(header)
    .map((line) => escapeControls(line).trimEnd())
    .join("\n");
  terminal.err(`${terminal.errStyle("dim", text)}\n\n`);
}

function describeReceipt(header: string | null): string[] {
  if (header === null) return ["No context receipt came with this answer."];
  const receipt = parseReceipt(header);
  if (receipt === undefined)
    return ["The context receipt of this answer is not readable (it may have been too long)."];
  const { command, model, place, cut, missing, unknown, dropped } = receipt;
  return [
    `Context of ${command}${model === undefined ? ", which asks no model" : ` for model ${model}`} (tokens are estimates)`,
    ...tableOf(receipt),
    ...listOf("place", place === undefined ? [] : [place]),
    ...listOf("cut", cut, "; "),
    ...listOf("missing", missing),
    ...listOf("unknown", unknown),
    ...listOf(
      "dropped",
      dropped.map(({ path, message }) => `${path} (${message})`),
      "; ",
    ),
  ];
}

function tableOf({ arrived, unused, tokens, budget }: Receipt): string[] {
  const rows = Object.entries(arrived).map(([name, cost]) => ({
    name,
    cost: String(cost),
    note: unused.includes(name) ? "unused" : "",
  }));
  if (tokens !== undefined)
    rows.push({
      name: "prompt",
      cost: String(tokens),
      note: budget === undefined ? "" : `of ${budget}`,
    });
  const nameWidth = Math.max(0, ...rows.map(({ name }) => name.length));
  const costWidth = Math.max(0, ...rows.map(({ cost }) => cost.length));
  return rows.map(
    ({ name, cost, note }) => `  ${name.padEnd(nameWidth)}  ${cost.padStart(costWidth)}  ${note}`,
  );
}

function listOf(title: string, names: readonly string[], separator = ", "): string[] {
  return names.length === 0 ? [] : [`  ${title}: ${names.join(separator)}`];
}

/** @returns undefined where there is no receipt, or none that can be read */
export function parseReceipt(header: string | null): Receipt | undefined {
  if (header === null) return undefined;
  try {
    return Receipt.safeParse(JSON.parse(header)).data;
  } catch {
    return undefined;
  }
}

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
  if (answering !== undefined) tellModel(answering, wanted, terminal);
  for await (const part of parts) {
    if (part.type === "model" && receipt === undefined && answering === undefined) {
      answering = part.name;
      tellModel(answering, wanted, terminal);
    }
    yield part;
  }
}

function tellModel(answering: string, wanted: string | undefined, terminal: Terminal): void {
  if (wanted === undefined || answering === wanted) return;
  const text = `Model ${escapeLine(answering)} answers; ${escapeLine(wanted)} was asked for.`;
  terminal.err(`${terminal.errStyle("dim", text)}\n`);
}
