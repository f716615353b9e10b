// What the fake models stream. Each content chunk carries a marker, `@SSSSSS:TTTTTTTTTTTT@`: its number in the
// stream, from 1, and the microseconds of the clock below when it was written (0 where nothing is timed). So a
// reader checks order and measures delay without parsing any JSON.
import type { ServerResponse } from "node:http";

/** How the fake model answers. */
export interface AnswerSettings {
  /** Content events of each answer. */
  chunks: number;
  /** Milliseconds between two of them; 0 sends the whole answer at once. */
  interval: number;
  /** Stops after the first content event until `POST /release`. */
  isHeld: boolean;
}

const clockRange = 1e12;
export const markerLength = 21;
/** What follows the marker in each chunk's text; a reader checks that it arrives unaltered. */
const filler = " token".repeat(4);

const head =
  '{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench",';
const usage = '"usage":{"prompt_tokens":100,"completion_tokens":100,"total_tokens":200}';

/** The first event of an answer: the role, and no text. */
export const roleChunk = frame(event('{"role":"assistant","content":"","refusal":null}', "null"));

/** All that follows the last text: finish reason, usage, end marker, and the end of the HTTP body. */
export const endChunks = [
  frame(event("{}", '"stop"')),
  frame(`data: ${head}"choices":[],${usage}}\n\n`),
  frame("data: [DONE]\n\n"),
  "0\r\n\r\n",
].join("");

/** One content event as a chunk of an HTTP body. */
export function createChunk(number: number, time: number): string {
  const marker = `@${String(number).padStart(6, "0")}:${String(time).padStart(12, "0")}@`;
  return frame(event(`{"content":"${marker}${filler}"}`, "null"));
}

/** A whole answer of `chunks` content events, untimed. */
export function createAnswer(chunks: number): Buffer {
  const contents = Array.from({ length: chunks }, (_, index) => createChunk(index + 1, 0));
  return Buffer.from([roleChunk, ...contents, endChunks].join(""));
}

/** The head goes out first, as model servers do it; what follows is framed already. */
export function openAnswer(response: ServerResponse): void {
  response.setHeader("content-type", "text/event-stream; charset=utf-8");
  response.setHeader("cache-control", "no-cache");
  response.setHeader("transfer-encoding", "chunked");
  response.flushHeaders();
  response.chunkedEncoding = false;
}

/** Writes an opened answer, a timed chunk each interval. */
export function paceAnswer(response: ServerResponse, chunks: number, interval: number): void {
  let number = 0;
  const tick = (): void => {
    number += 1;
    if (number <= chunks) return void response.write(createChunk(number, nowMicros()));
    clearInterval(timer);
    response.end(endChunks);
  };
  const timer = setInterval(tick, interval);
  response.on("close", () => clearInterval(timer));
  response.write(roleChunk);
  tick();
}

/**
 * The monotonic clock that all processes of one machine share, in whole microseconds, of which the
 * digits that a marker can hold. (`performance.now()` begins anew in every process.)
 */
export function nowMicros(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1e6 + Math.floor(nanoseconds / 1e3)) % clockRange;
}

/** Microseconds from `earlier` to `later`, also over the clock's wrap. */
export function elapsed(earlier: number, later: number): number {
  return later >= earlier ? later - earlier : later - earlier + clockRange;
}

function event(delta: string, finishReason: string): string {
  return `data: ${head}"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]}\n\n`;
}

/** Frames text as one chunk of HTTP/1.1's chunked coding. */
function frame(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
