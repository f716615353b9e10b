import type { Readable, Writable } from "node:stream";

/** Where the person types, and where they see what they are asked. */
export interface PromptStreams {
  input: Readable;
  output: Writable;
}
