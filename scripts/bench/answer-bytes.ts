import * as marker from "./marker.ts";

/** What follows the marker in each chunk's text; a reader checks that it arrives unaltered. */
export const filler = " token".repeat(4);

const head =
  '{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench",';

/** The first event of an answer: the role, and no text. */
export const roleBytes = frame(event('{"role":"assistant","content":"","refusal":null}', "null"));

/** All that follows the last text: finish reason, usage, end marker, and the end of the HTTP body. */
export const endBytes = Buffer.concat([
  frame(event("{}", '"stop"')),
  frame(
    `data: ${head}"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":100,"total_tokens":200}}\n\n`,
  ),
  frame("data: [DONE]\n\n"),
  Buffer.from("0\r\n\r\n"),
]);

const template = frame(event(`{"content":"${marker.emptyMarker}${filler}"}`, "null"));
const markerStart = template.indexOf(marker.at);

/** One content event as a chunk of an HTTP body. */
export function createChunk(number: number, time: number): Buffer {
  const bytes = Buffer.from(template);
  marker.writeDigits(bytes, markerStart + marker.numberOffset, marker.numberDigits, number);
  if (time > 0) marker.writeDigits(bytes, markerStart + marker.timeOffset, marker.timeDigits, time);
  return bytes;
}

/** A whole answer of `chunks` content events, untimed. */
export function createAnswer(chunks: number): Buffer {
  const contents = Array.from({ length: chunks }, (_, index) => createChunk(index + 1, 0));
  return Buffer.concat([roleBytes, ...contents, endBytes]);
}

function event(delta: string, finishReason: string): string {
  return `data: ${head}"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]}\n\n`;
}

/** Frames text as one chunk of HTTP/1.1's chunked coding. */
function frame(text: string): Buffer {
  return Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`, "latin1");
}
