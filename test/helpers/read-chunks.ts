// Reads a stream of OpenAI chunks as strictly as our promises are; what it finds is for the suite of doors.
import { expect } from "vitest";
import { createFrameReader } from "../../src/base/wire/sse-frames.ts";

interface Chunk {
  choices?: { delta: { content?: string }; finish_reason: string | null }[];
  error?: { code: string; message: string };
}

/** The chunks of a stream, without named events and the end marker; whether that one is there, and last. */
export function readChunks(stream: string): { chunks: Chunk[]; isWhole: boolean } {
  const frames = createFrameReader(stream.length + 1).feed(stream);
  const ends = frames.filter(({ data }) => data === "[DONE]").length;
  const isWhole = ends === 1 && stream.endsWith("data: [DONE]\n\n");
  const chunks = frames
    .filter(({ event, data }) => event === undefined && data !== "[DONE]")
    .map(({ data }) => JSON.parse(data) as Chunk);
  const reasons = chunks.flatMap(({ choices = [] }) =>
    choices.flatMap((one) => one.finish_reason ?? []),
  );
  expect(reasons.length + chunks.filter(({ error }) => error).length).toBeGreaterThan(0);
  return { chunks, isWhole };
}

export function textOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ choices }) => choices?.[0]?.delta.content ?? "").join("");
}
