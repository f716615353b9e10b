const encoder = new TextEncoder();

/** One SSE frame: an optional `event:` line, one `data:` line, and the blank line that sends it off. */
export function encodeFrame(data: string, event?: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}

/** A comment frame: parsers drop it, proxies and idle timers see a byte. */
export function encodeComment(text: string): string {
  return `: ${text}\n\n`;
}

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}
