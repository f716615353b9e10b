import { createFrameReader } from "../../base/wire/frame-reader.ts";
import { type UpstreamDelta, parseChunk } from "./answer/upstream-chunk.ts";

const decoder = new TextDecoder();

/** Reads the deltas out of whole frames that were checked when they came in. */
export function readDeltas(frames: Uint8Array): UpstreamDelta[] {
  const text = decoder.decode(frames);
  const plain = /^data: (.*)\n\n$/.exec(text)?.[1];
  // Mostly it is one frame of one line, for which a parser would cost more than all the rest.
  if (plain !== undefined) return [parseChunk(undefined, plain)?.delta ?? {}];
  return createFrameReader(text.length + 1)
    .feed(text)
    .map(({ event, data }) => parseChunk(event, data)?.delta ?? {});
}
