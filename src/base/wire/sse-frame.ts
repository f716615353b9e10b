/**
 * One SSE frame: an optional `event:` line, the data, and the blank line that sends it off. Any text gives
 * exactly one frame: a line end (LF, CR or CRLF) in the data begins another `data:` line, so that a parser
 * reads LF there; one in the event's name is left out.
 */
export function encodeFrame(data: string, event?: string): string {
  const lines = hasLineEnd(data) ? data.replaceAll(lineEnds, "\ndata: ") : data;
  if (event === undefined) return `data: ${lines}\n\n`;
  return `event: ${hasLineEnd(event) ? event.replaceAll(lineEnds, "") : event}\ndata: ${lines}\n\n`;
}

/** A comment frame: parsers drop it, all its lines, and proxies and idle timers see a byte. */
export function encodeComment(text: string): string {
  return `: ${hasLineEnd(text) ? text.replaceAll(lineEnds, "\n: ") : text}\n\n`;
}

const lineEnds = /\r\n|\r|\n/g;

/** Nearly no text has one, since JSON escapes them; two searches cost less than one pattern. */
function hasLineEnd(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}
