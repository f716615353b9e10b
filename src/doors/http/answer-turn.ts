import type { Context } from "hono";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { escapeUnits } from "../../base/errors/names.ts";
import type { Admission } from "../../run/admissions.ts";
import type { Turn, TurnRequest } from "../../turn/turn.ts";
import type { DoorEnv, DoorHost } from "./door.ts";
import {
  type AnswerSink,
  type EventEncoder,
  type PumpOptions,
  pumpTurn,
} from "../../run/run-turn.ts";
import type { ContextReceipt, PlainEvent, TurnEvent } from "../../turn/turn-event.ts";
import type { TurnFigures } from "../../turn/figures.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import { BytePieces, encodeText } from "../../base/wire/bytes.ts";
import { PatientTimer } from "../../base/wire/patient-timer.ts";
import { encodeComment } from "../../base/wire/sse-frames.ts";

/** What tells one door from another. */
export interface TurnAnswer {
  /** Reads the request, body and all. May throw AppError. */
  read(admission: Admission): Promise<TurnRequest>;
  /** What runs in place of the turn's command. */
  run?(admission: Admission, turn: Turn): AsyncGenerator<TurnEvent, void, void>;
  encoder(turn: Turn): EventEncoder;
  /**
   * Whether the answer goes out when it is whole, as one JSON body of all that the encoder gives; then every
   * failure is a refusal. Asked after `read`; absent: it is streamed.
   */
  isWhole?(): boolean;
  /** What the stream has in place of server-sent events. */
  form?: StreamForm;
  /** The response where nothing of an answer has been sent. */
  refuse(error: AppError, id: string): Response;
}

/**
 * Answers a request with a turn: who asks, leave to run, the request, the turn, its events.
 * Whatever fails before the first byte is a refusal.
 *
 * @throws AppError where there is no admission
 */
export async function answerTurn(
  c: Context<DoorEnv>,
  host: DoorHost,
  answer: TurnAnswer,
): Promise<Response> {
  const { exchange } = c.env;
  const admission = await admit(c, host);
  const { id, figures } = admission;
  const refuse = (error: AppError): Response => {
    figures.status = error.status;
    return answer.refuse(error, id);
  };
  const fail = (thrown: unknown): Response => {
    const error = toAppError(thrown);
    const refusal = refuse(error);
    admission.end(undefined, error);
    return refusal;
  };
  try {
    const turn = host.resolve(await answer.read(admission));
    const events = answer.run?.(admission, turn) ?? host.run(admission, turn);
    const encode = answer.encoder(turn);
    const abort = (reason: AppError): void => admission.abort(reason);
    figures.status = 200;
    if (answer.isWhole?.() === true) {
      const whole = collectTurn({ id, events, encode, abort, figures });
      if (exchange.noticesByWriting !== true) return await whole;
      return await sendSpaces(exchange, id, whole.catch(fail), host);
    }
    return await streamTurn(
      {
        exchange,
        events,
        encode,
        abort,
        refuse,
        headers: { ...host.extraHeaders(c), "x-request-id": id },
        form: answer.form,
        host,
      },
      () => admission.end(turn),
    );
  } catch (thrown) {
    return fail(thrown);
  }
}

/**
 * Leave to run a turn for whoever asks; aborted when the client leaves.
 *
 * @throws AppError `unauthorized`, `keys_unavailable`, `draining`, `overloaded`, `rate_limited`
 */
export async function admit({ env }: Context<DoorEnv>, host: DoorHost): Promise<Admission> {
  const { exchange } = env;
  // Nobody is made to wait for a promise where there is nothing to check.
  const identified = host.identify(exchange);
  const caller = identified instanceof Promise ? await identified : identified;
  const admission = host.admit(caller);
  exchange.onClose(() =>
    admission.abort(new AppError("aborted", { en: "The client left.", zh: "客户端已断开。" })),
  );
  return admission;
}

interface CollectOptions extends Omit<PumpOptions, "sink"> {
  id: string;
  /** Get the status of a refusal before the turn ends with it. */
  figures: Pick<TurnFigures, "status">;
}

const wholeAnswer = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/**
 * Waits for the end of a turn and answers with one JSON body: all that the encoder gave.
 *
 * @throws AppError of which the turn failed
 */
async function collectTurn({ id, figures, abort, ...turn }: CollectOptions): Promise<Response> {
  const body = new BytePieces();
  const headers = new Headers({ ...wholeAnswer, "x-request-id": id });
  let receipt: ContextReceipt | undefined;
  let failure: AppError | undefined;
  const write = (piece: string | Uint8Array): boolean => {
    body.add(typeof piece === "string" ? encodeText(piece) : piece);
    return true;
  };
  const fail = (error: AppError): void => {
    failure ??= error;
    figures.status = error.status;
  };
  const see = (event: PlainEvent): void => {
    if (event.type === "turn-error") fail(event.error);
    const changed = readReceipt(event, receipt);
    if (changed === undefined) return;
    receipt = changed;
    headers.set("x-rightseat-context", printReceipt(receipt));
  };
  await pumpTurn({
    ...turn,
    sink: { see, write, drained: () => Promise.resolve(), end: write },
    abort(error) {
      fail(error);
      abort(error);
    },
  });
  if (failure !== undefined) throw failure;
  // The pieces are our own, never in shared memory.
  return new Response(body.take() as Uint8Array<ArrayBuffer>, { headers });
}

/**
 * Writes to whoever waits for a whole answer, so that it is noticed when they have left: after a silence the head
 * goes out, and spaces, which readers of JSON pass over. What is refused from then on is a body with a status of 200.
 */
export function sendSpaces(
  exchange: Exchange,
  id: string,
  answer: Promise<Response>,
  { timers, stream: { heartbeat } }: Pick<DoorHost, "timers" | "stream">,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let sink: FrameSink | undefined;
    const beat = (): void => {
      if (sink === undefined) {
        const opened = exchange.open({ ...wholeAnswer, "x-request-id": id });
        sink = opened.sink;
        resolve(opened.response);
      }
      sink.write(" ");
      stop = timers.start(beat, heartbeat);
    };
    let stop = timers.start(beat, heartbeat);
    const send = async (response: Response): Promise<void> => {
      stop();
      if (sink === undefined) resolve(response);
      else sink.end(await response.text());
    };
    answer.then(send).catch(reject);
  });
}

interface StreamOptions extends Omit<PumpOptions, "sink"> {
  exchange: Exchange;
  /** Makes the response of a turn that failed before its first byte. */
  refuse(error: AppError): Response;
  /** Headers of the 200 answer, besides those of every event stream. */
  headers: Record<string, string>;
  host: Pick<DoorHost, "stream" | "timers">;
  /** Server-sent events where absent. */
  form: StreamForm | undefined;
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
function streamTurn(options: StreamOptions, onEnd: () => void): Promise<Response> {
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
    const { timers, stream } = options.host;
    this.#timer = new PatientTimer(timers, this.#beat);
    this.#timer.set(stream.firstByteHold);
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
    this.#lastWrite = this.#options.host.timers.now();
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
    const { host, form } = this.#options;
    const { timers, stream } = host;
    const isDue = !this.isOpen || timers.now() - this.#lastWrite >= stream.heartbeat;
    if (isDue && !this.#isBlocked) this.write(form?.silence ?? encodeComment("keep-alive"));
    const passed = this.#isBlocked ? 0 : timers.now() - this.#lastWrite;
    this.#timer.set(Math.max(stream.heartbeat - passed, 1));
  };
}

/** How long the head is held back while a model that was busy is asked once more, in milliseconds. */
const maxBusyHold = 3_000;
const maxReceipt = 4_096;

/** The receipt as it is after an event; undefined where the event does not change it. */
function readReceipt(
  event: PlainEvent,
  before: ContextReceipt | undefined,
): ContextReceipt | undefined {
  if (event.type === "context-receipt") return event.receipt;
  if (event.type !== "model-answers" || before === undefined) return undefined;
  return { ...before, model: event.model };
}

/** Compact JSON that fits a header: ASCII only, and short enough for every proxy. */
function printReceipt(receipt: ContextReceipt): string {
  const { arrived, budget, tokens } = receipt;
  const text = JSON.stringify(receipt).replace(/[^\x20-\x7e]/g, escapeUnits);
  // Names come from requests and may be of any length; the figures are ours.
  return text.length <= maxReceipt
    ? text
    : JSON.stringify({ command: "(too long)", arrived, budget, tokens });
}
