import type { AppError } from "../../base/errors/app-error.ts";
import { toAppError } from "../../base/errors/to-app-error.ts";
import type { ContextReceipt } from "../../turn/context-receipt.ts";
import type { Slices } from "../../turn/slices.ts";
import type { PlainEvent, RelaySink, TurnEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import { PatientTimer, type Timers } from "../../base/wire/patient-timer.ts";
import { encodeComment } from "../../base/wire/sse-frame.ts";

/** Turns an event into a protocol's text or bytes, empty where it has nothing to say; `turn-end` into all that ends the stream. */
export type EventEncoder = (event: PlainEvent) => string | Uint8Array;

export interface StreamOptions {
  exchange: Exchange;
  events: AsyncIterable<TurnEvent>;
  encode: EventEncoder;
  /** Ends the turn, with the reason that is logged. */
  abort: (reason: AppError) => void;
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
  /** Server-sent events where absent. */
  form?: StreamForm | undefined;
}

/** What streams of other protocols have in place of server-sent events. */
export interface StreamForm {
  /** As `content-type` says it. */
  type: string;
  /** What is sent after a silence, and says nothing: a blank line where lines are JSON. */
  silence: string;
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
  const writer = new EventWriter(options, resolve);
  try {
    for await (const event of options.events) {
      if (event.type === "relay") await event.relay.pipe(writer);
      else if (event.type === "turn-error" && !writer.isOpen) {
        resolve(options.refuse(event.error));
        return;
      } else {
        try {
          if (event.type === "turn-end") return writer.end(event);
          if (!writer.take(event)) await writer.drained();
        } catch (thrown) {
          // Before the loop lets go of the turn, so that it ends as one that failed.
          options.abort(toAppError(thrown));
          throw thrown;
        }
      }
    }
  } catch (thrown) {
    writer.fail(toAppError(thrown));
  } finally {
    writer.close();
  }
}

/** Writes events, relayed or not, and keeps the connection alive between them. */
class EventWriter implements RelaySink {
  readonly #options: StreamOptions;
  readonly #resolve: (response: Response) => void;
  readonly #headers: Record<string, string>;
  /** Ends the hold and then beats; most answers are over before it fires at all. */
  readonly #timer: PatientTimer;
  #sink: FrameSink | undefined;
  #lastWrite = 0;
  #isBlocked = false;
  #receipt: ContextReceipt | undefined;
  #written = 0;

  constructor(options: StreamOptions, resolve: (response: Response) => void) {
    this.#options = options;
    this.#resolve = resolve;
    const type = options.form === undefined ? {} : { "content-type": options.form.type };
    this.#headers = { ...eventStream, ...type, ...options.headers };
    this.#timer = new PatientTimer(options.timers, this.#beat);
    this.#timer.set(options.firstByteHold);
  }

  /** The head has gone out. */
  get isOpen(): boolean {
    return this.#sink !== undefined;
  }

  take(event: PlainEvent): boolean {
    if (event.type === "model-busy") {
      if (!this.isOpen) this.#timer.set(maxBusyHold);
      return true;
    }
    const receipt = readReceipt(event, this.#receipt);
    if (receipt !== undefined) {
      this.#receipt = receipt;
      this.#headers["x-rightseat-context"] = printReceipt(receipt);
    }
    const piece = this.#options.encode(event);
    if (piece.length === 0) return true;
    const isFree = this.#write(piece);
    this.#written += 1;
    return isFree && this.#written % maxEventsAtOnce !== 0;
  }

  async drained(): Promise<void> {
    this.#isBlocked = true;
    await this.#sink?.drained();
    this.#isBlocked = false;
    // A flow that has all its events at hand would keep everybody else from theirs.
    if (this.#written % maxEventsAtOnce === 0) await this.#options.slices.breathe();
  }

  end(event: PlainEvent): void {
    this.#open().end(this.#options.encode(event));
  }

  /** Ends the answer with a fault of its encoder's, as far as that can still tell it. */
  fail(error: AppError): void {
    if (!this.isOpen) {
      this.#resolve(this.#options.refuse(error));
      return;
    }
    try {
      this.take({ type: "turn-error", error });
      this.end({ type: "turn-end", reason: "error" });
    } catch {
      this.#sink?.end();
    }
  }

  /** Lets go of the timer. Call it in every case. */
  close(): void {
    this.#timer.stop();
  }

  #open(): FrameSink {
    if (this.#sink !== undefined) return this.#sink;
    const { sink, response } = this.#options.exchange.open(this.#headers);
    this.#sink = sink;
    this.#resolve(response);
    return sink;
  }

  #write(piece: string | Uint8Array): boolean {
    const sink = this.#open();
    this.#lastWrite = this.#options.timers.now();
    return sink.write(piece);
  }

  readonly #beat = (): void => {
    const { heartbeat, timers, form } = this.#options;
    const isDue = !this.isOpen || timers.now() - this.#lastWrite >= heartbeat;
    if (isDue && !this.#isBlocked) this.#write(form?.silence ?? encodeComment("keep-alive"));
    const rest = this.#isBlocked ? heartbeat : heartbeat - (timers.now() - this.#lastWrite);
    this.#timer.set(Math.max(rest, 1));
  };
}

/** So many events are written before the event loop may turn. */
export const maxEventsAtOnce = 100;
/** How long the head is held back while a model that was busy is asked once more, in milliseconds. */
const maxBusyHold = 3_000;
const maxReceipt = 4_096;

/** The receipt as it is after an event; undefined where the event does not change it. */
export function readReceipt(
  event: PlainEvent,
  before: ContextReceipt | undefined,
): ContextReceipt | undefined {
  if (event.type === "context-receipt") return event.receipt;
  if (event.type !== "model-answers" || before === undefined) return undefined;
  return { ...before, model: event.model };
}

/** Compact JSON that fits a header: ASCII only, and short enough for every proxy. */
export function printReceipt(receipt: ContextReceipt): string {
  const { arrived, budget, tokens } = receipt;
  const text = toAscii(JSON.stringify(receipt));
  // Names come from requests and may be of any length; the figures are ours.
  return text.length <= maxReceipt
    ? text
    : JSON.stringify({ command: "(too long)", arrived, budget, tokens });
}

function toAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
