/**
 * One SSE frame: an optional `event:` line, the data, and the blank line that sends it off. Any text gives
 * exactly one frame: a line end (LF, CR or CRLF) in the data begins another `data:` line, so that a parser
 * reads LF there; one in the event's name is left out.
 */
export function encodeFrame(data: string, event?: string): string {
  // Nearly no text has a line end, since JSON escapes them; two searches cost less than one pattern.
  const hasLineEnd = data.includes("\n") || data.includes("\r");
  const lines = hasLineEnd ? data.replaceAll(lineEnds, "\ndata: ") : data;
  if (event === undefined) return `data: ${lines}\n\n`;
  return `event: ${event.replaceAll(lineEnds, "")}\ndata: ${lines}\n\n`;
}

/** A comment frame: parsers drop it, all its lines, and proxies and idle timers see a byte. */
export function encodeComment(text: string): string {
  return `: ${text.replaceAll(lineEnds, "\n: ")}\n\n`;
}

const lineEnds = /\r\n|\r|\n/g;
