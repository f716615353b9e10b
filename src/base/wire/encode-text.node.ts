import { encodeText } from "./encode-text.ts";

/** In characters; up to here node's own encoder, which takes small buffers from a pool, is the quicker one. */
const shortText = 4_096;

/** As {@link encodeText}; of a short text the bytes lie in a buffer that others share. */
export function encodeForSocket(text: string): Uint8Array {
  return text.length <= shortText ? Buffer.from(text) : encodeText(text);
}
