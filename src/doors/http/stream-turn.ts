import type { AppError } from "../../errors/app-error.ts";
import type { ContextReceipt } from "../../turn/context-receipt.ts";
import type { Slices } from "../../turn/slices.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../wire/exchange.ts";
import { PatientTimer, type Timers } from "../../wire/patient-timer.ts";
import { encodeComment } from "../../wire/sse-frame.ts";

/** Turns an event into a protocol's text or bytes, empty where it has nothing to say; `turn-end` into all that ends the stream. */
export type EventEncoder = (event: TurnEvent) => string | Uint8Array;

export interface StreamOptions {
  exchange: Exchange;
  events: AsyncIterable<TurnEvent>;
  encode: EventEncoder;
  /** Makes the response of a turn that failed before its first byte. */
  refuse(error: AppError): Response;
  /** Headers of the 200 answer, besides those of every event stream. */
  headers: Record<string, string>;
  /** How long the head is held back so that a failure can still be a status, in milliseconds. */
  firstByteHold: number;
  /** Silence after which a comment is sent, in milliseconds. */
  heartbeat: number;
  slices: Pick<Slices, "breathe">;
  timers: Timers;
}

export const eventStream = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/**
 * Writes a turn's events to the client. Until the first byte a failure is an HTTP refusal; the head
 * goes out with the first byte, or after the hold with a comment. A slow client slows the turn.
 *
 * @param onEnd called once when the stream is over, whatever the end
 * @returns the response, as soon as it is known what it is
 */
export function streamTurn(options: StreamOptions, onEnd: () => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    writeEvents(options, resolve).catch(reject).finally(onEnd);
  });
}

async function writeEvents(
  options: StreamOptions,
  resolve: (response: Response) => void,
): Promise<void> {
  const { exchange, encode, timers } = options;
  const headers: Record<string, string> = { ...eventStream, ...options.headers };
  let sink: FrameSink | undefined;
  let lastWrite = 0;
  let isBlocked = false;
  let written = 0;
  const open = (): FrameSink => {
    if (sink !== undefined) return sink;
    const opened = exchange.open(headers);
    sink = opened.sink;
    resolve(opened.response);
    return sink;
  };
  // One timer ends the hold and then beats; most answers are over before it fires at all.
  const beat = (): void => {
    const isHeld = sink === undefined;
    const silence = timers.now() - lastWrite;
    const out = open();
    if (!isBlocked && (isHeld || silence >= options.heartbeat)) {
      out.write(encodeComment("keep-alive"));
      lastWrite = timers.now();
    }
    const rest = isBlocked ? options.heartbeat : options.heartbeat - (timers.now() - lastWrite);
    timer.set(Math.max(rest, 1));
  };
  const timer = new PatientTimer(timers, beat);
  timer.set(options.firstByteHold);
  try {
    for await (const event of options.events) {
      if (event.type === "context-receipt")
        headers["x-rightseat-context"] = printReceipt(event.receipt);
      if (event.type === "turn-error" && sink === undefined) {
        resolve(options.refuse(event.error));
        return;
      }
      const piece = encode(event);
      if (event.type === "turn-end") {
        open().end(piece);
        return;
      }
      if (piece.length === 0) continue;
      const out = open();
      lastWrite = timers.now();
      if (!out.write(piece)) {
        isBlocked = true;
        await out.drained();
        isBlocked = false;
      }
      written += 1;
      // A flow that has all its events at hand would keep everybody else from theirs.
      if (written % mostAtOnce === 0) await options.slices.breathe();
    }
  } finally {
    timer.stop();
  }
}

/** So many events are written before the event loop may turn. */
const mostAtOnce = 100;
const mostReceipt = 4_096;

/** Compact JSON that fits a header: ASCII only, and short enough for every proxy. */
function printReceipt(receipt: ContextReceipt): string {
  const { arrived, budget, tokens } = receipt;
  const text = toAscii(JSON.stringify(receipt));
  // Names come from requests and may be of any length; the figures are ours.
  return text.length <= mostReceipt
    ? text
    : JSON.stringify({ command: "(too long)", arrived, budget, tokens });
}

function toAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
