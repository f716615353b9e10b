import type { AppError } from "../../base/errors/app-error.ts";
import { toAppError } from "../../base/errors/to-app-error.ts";
import type { ContextReceipt } from "../../turn/context-receipt.ts";
import { type AnswerSink, type PumpOptions, pumpTurn } from "../../run/pump-turn.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import { PatientTimer, type Timers } from "../../base/wire/patient-timer.ts";
import { encodeComment } from "../../base/wire/sse-frame.ts";

interface StreamOptions extends Omit<PumpOptions, "sink"> {
  exchange: Exchange;
  /** Makes the response of a turn that failed before its first byte. */
  refuse(error: AppError): Response;
  /** Headers of the 200 answer, besides those of every event stream. */
  headers: Record<string, string>;
  /** How long the head is held back so that a failure can still be a status, in milliseconds. */
  firstByteHold: number;
  /** Silence after which a comment is sent, in milliseconds. */
  heartbeat: number;
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
    const writer = new EventWriter(options, resolve);
    pumpTurn({ ...options, sink: writer })
      .catch((thrown) => writer.fail(toAppError(thrown)))
      .catch(reject)
      .finally(() => {
        writer.close();
        onEnd();
      });
  });
}

/** Writes events, relayed or not, and keeps the connection alive between them. */
class EventWriter implements AnswerSink {
  readonly #options: StreamOptions;
  readonly #resolve: (response: Response) => void;
  readonly #headers: Record<string, string>;
  /** Ends the hold and then beats; most answers are over before it fires at all. */
  readonly #timer: PatientTimer;
  #sink: FrameSink | undefined;
  #lastWrite = 0;
  #isBlocked = false;
  #receipt: ContextReceipt | undefined;
  #isRefused = false;

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

  see(event: PlainEvent): void {
    if (event.type === "model-busy") {
      if (!this.isOpen) this.#timer.set(maxBusyHold);
    } else if (event.type === "turn-error") {
      if (!this.isOpen) this.#refuse(event.error);
    } else if (event.type === "context-receipt" || event.type === "model-answers") {
      const receipt = readReceipt(event, this.#receipt);
      if (receipt === undefined) return;
      this.#receipt = receipt;
      this.#headers["x-rightseat-context"] = printReceipt(receipt);
    }
  }

  write(piece: string | Uint8Array): boolean {
    if (this.#isRefused) return true;
    const sink = this.#sink ?? this.#open();
    this.#lastWrite = this.#options.timers.now();
    return sink.write(piece);
  }

  async drained(): Promise<void> {
    this.#isBlocked = true;
    await this.#sink?.drained();
    this.#isBlocked = false;
  }

  end(piece: string | Uint8Array): void {
    if (!this.#isRefused) (this.#sink ?? this.#open()).end(piece);
  }

  /** Ends the answer with a fault of its encoder's, as far as that can still tell it. */
  fail(error: AppError): void {
    if (!this.isOpen) return this.#refuse(error);
    const { encode } = this.#options;
    try {
      const piece = encode({ type: "turn-error", error });
      if (piece.length > 0) this.write(piece);
      this.end(encode({ type: "turn-end", reason: "error" }));
    } catch {
      this.#sink?.end();
    }
  }

  /** Lets go of the timer. Call it in every case. */
  close(): void {
    this.#timer.stop();
  }

  #open(): FrameSink {
    const { sink, response } = this.#options.exchange.open(this.#headers);
    this.#sink = sink;
    this.#resolve(response);
    return sink;
  }

  #refuse(error: AppError): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#timer.stop();
    this.#resolve(this.#options.refuse(error));
  }

  readonly #beat = (): void => {
    const { heartbeat, timers, form } = this.#options;
    const isDue = !this.isOpen || timers.now() - this.#lastWrite >= heartbeat;
    if (isDue && !this.#isBlocked) this.write(form?.silence ?? encodeComment("keep-alive"));
    const rest = this.#isBlocked ? heartbeat : heartbeat - (timers.now() - this.#lastWrite);
    this.#timer.set(Math.max(rest, 1));
  };
}

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
