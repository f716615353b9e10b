import { once } from "node:events";
import type { Writable } from "node:stream";
import { answerCase } from "./answer-case.ts";

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
