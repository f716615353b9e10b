import { once } from "node:events";
import type { Writable } from "node:stream";
import { answerCase } from "./answer-case.ts";
import { readLines } from "./read-lines.ts";

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
