import * as z from "zod";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { decodeText, parseJson } from "../read/read-text-file.ts";
import { type EditLevel, applyDiff } from "../../edit.ts";

const lineFeed = 10;

/**
 * Answers each line with one line, in order and at once: a driver may wait for an answer before it sends
 * the next line. Reads no further while nobody takes the answers. Blank lines are passed over.
 */
export async function answerCases(
  input: AsyncIterable<Uint8Array>,
  output: Writable,
): Promise<void> {
  for await (const line of readLines(input)) {
    const answer = answerCase(line);
    if (answer === undefined) continue;
    const isTaken = output.write(`${answer}\n`);
    if (!isTaken) await once(output, "drain");
  }
}

/**
 * Cuts bytes into lines, without their line feed, as soon as each is complete; what follows the last line
 * feed is a line if it is not empty. (`node:readline` also cuts at U+2028, which JSON strings may hold.)
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  // A line is joined once, so that a long one costs no more than its length.
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      pieces.push(chunk.subarray(from, at));
      yield Buffer.concat(pieces);
      pieces = [];
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

const EditCase = z.looseObject({
  /** The text of the file; null or absent if there is no such file. */
  before: z.string().nullish(),
  diff: z.string(),
});

interface CaseAnswer {
  /** That of the line, whatever it is; absent if the line has none. */
  id?: unknown;
  ok: boolean;
  /** The text of the file after the edit. */
  after?: string;
  /** How each unit was found. */
  units?: EditLevel[];
  /** The code, a colon, and what happened. */
  error?: string;
}

/**
 * Answers one line `{id, before, diff}` with `{id, ok, after, units}` or `{id, ok, error}`. A line that is
 * no such object is answered with an error. Undefined for a blank line.
 */
export function answerCase(line: Uint8Array): string | undefined {
  const text = decodeText(line);
  if (text?.trim() === "") return undefined;
  return encodeAnswer(text === undefined ? refuseLine("is not in UTF-8") : answerText(text));
}

function answerText(text: string): CaseAnswer {
  const value = parseJson(text);
  if (value === undefined) return refuseLine("is not valid JSON");
  const parsed = EditCase.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") ?? "";
    const what = field === "" ? "is no JSON object" : `needs a text as "${field}"`;
    return { ...idOf(value), ...refuseLine(what) };
  }
  const { before, diff } = parsed.data;
  const result = applyDiff(before ?? undefined, diff);
  return result.ok
    ? {
        ...idOf(value),
        ok: true,
        after: result.text,
        units: result.units.map(({ level }) => level),
      }
    : { ...idOf(value), ok: false, error: `${result.error.code}: ${result.error.message}` };
}

function refuseLine(what: string): CaseAnswer {
  return { ok: false, error: `bad-line: The line ${what}; write {"id", "before", "diff"}.` };
}

function idOf(value: unknown): { id?: unknown } {
  return typeof value === "object" && value !== null && "id" in value ? { id: value.id } : {};
}

/** Readers that cut at every line separator of Unicode, as `node:readline` does, must not cut a text. */
function encodeAnswer(answer: CaseAnswer): string {
  return JSON.stringify(answer)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}
