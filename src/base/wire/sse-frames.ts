import { createParser } from "eventsource-parser";

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

/** One SSE event: `data` lines joined by LF; `event` is undefined where the stream named none. */
export interface Frame {
  event: string | undefined;
  data: string;
}

export interface FrameReader {
  /** Feeds decoded text, cut anywhere, and answers the frames that it completed, in order. */
  feed(text: string): Frame[];
  /** Answers what an unterminated last frame holds. Call once, at the end of the stream. */
  finish(): Frame[];
}

/** Thrown by `feed` when one event grew past the limit. */
export class FrameTooLarge extends Error {
  override readonly name = "FrameTooLarge";
}

/**
 * The one reader of SSE text, lenient as the HTML standard demands: LF, CR and CRLF, comments,
 * several data lines, a leading byte-order mark.
 *
 * @param maxFrame the most characters that one event may hold before `feed` throws FrameTooLarge
 */
export function createFrameReader(maxFrame: number): FrameReader {
  let ready: Frame[] = [];
  let overflow = false;
  const parser = createParser({
    maxBufferSize: maxFrame,
    onEvent({ event, data }) {
      if (data.length > maxFrame) overflow = true;
      else ready.push({ event, data });
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") overflow = true;
    },
  });
  const take = (text: string): Frame[] => {
    if (!overflow) parser.feed(text);
    if (overflow) throw new FrameTooLarge("An event of the stream is larger than allowed.");
    const frames = ready;
    ready = [];
    return frames;
  };
  return { feed: take, finish: () => take("\n\n") };
}
