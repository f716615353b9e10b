import type { Context } from "hono";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { escapeUnits } from "../../base/errors/names.ts";
import type { Admission } from "../../run/admissions.ts";
import type { Turn, TurnRequest } from "../../turn/turn.ts";
import type { DoorEnv, DoorHost } from "./door.ts";
import { type EventEncoder, type PumpOptions, pumpTurn } from "../../run/run-turn.ts";
import type { ChunkHead, ContextReceipt, PlainEvent, TurnEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import { BytePieces, encodeText } from "../../base/wire/bytes.ts";
import { createPatientTimer, repeat } from "../../base/wire/patient-timer.ts";
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
    figures.status = 200;
    if (answer.isWhole?.() === true) {
      const whole = collectTurn(admission, events, encode);
      if (exchange.noticesByWriting !== true) return await whole;
      return await sendSpaces(exchange, id, whole.catch(fail), host);
    }
    const abort = (reason: AppError): void => admission.abort(reason);
    const headers = { ...host.extraHeaders(c), "x-request-id": id };
    const { form } = answer;
    const stream = { exchange, events, encode, abort, refuse, headers, form, host };
    return await streamTurn(stream, () => admission.end(turn));
  } catch (thrown) {
    return fail(thrown);
  }
}

/** The head of our own chunks of a chat completion. @param now milliseconds since 1970 */
export function ownHead(id: string, model: string, now: number): ChunkHead {
  return { id: `chatcmpl-${id}`, model, created: Math.floor(now / 1_000) };
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
async function collectTurn(
  admission: Admission,
  events: PumpOptions["events"],
  encode: EventEncoder,
): Promise<Response> {
  const body = new BytePieces();
  const headers = new Headers({ ...wholeAnswer, "x-request-id": admission.id });
  const readReceipt = createReceiptReader();
  let failure: AppError | undefined;
  const write = (piece: string | Uint8Array): boolean => {
    body.add(typeof piece === "string" ? encodeText(piece) : piece);
    return true;
  };
  const fail = (error: AppError): void => {
    failure ??= error;
    // Before the turn ends with it, and is logged.
    admission.figures.status = error.status;
  };
  const see = (event: PlainEvent): void => {
    if (event.type === "turn-error") fail(event.error);
    const receipt = readReceipt(event);
    if (receipt !== undefined) headers.set(receiptHeader, receipt);
  };
  await pumpTurn({
    events,
    encode,
    sink: { see, write, drained: () => Promise.resolve(), end: write },
    abort(error) {
      fail(error);
      admission.abort(error);
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
    };
    const stop = repeat(timers, beat, heartbeat);
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
    const writer = createEventWriter(options, resolve);
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
function createEventWriter(options: StreamOptions, resolve: (response: Response) => void) {
  const { exchange, encode, form, host } = options;
  const { timers, stream } = host;
  const type = form === undefined ? {} : { "content-type": form.type };
  const headers: Record<string, string> = { ...eventStream, ...type, ...options.headers };
  const readReceipt = createReceiptReader();
  /** There when the head has gone out. */
  let sink: FrameSink | undefined;
  let lastWrite = 0;
  let [isBlocked, isRefused] = [false, false];

  const open = (): FrameSink => {
    const opened = exchange.open(headers);
    sink = opened.sink;
    resolve(opened.response);
    return sink;
  };
  const write = (piece: string | Uint8Array): boolean => {
    if (isRefused) return true;
    const opened = sink ?? open();
    lastWrite = timers.now();
    return opened.write(piece);
  };
  const end = (piece: string | Uint8Array): void => {
    if (!isRefused) (sink ?? open()).end(piece);
  };
  const refuse = (error: AppError): void => {
    if (isRefused) return;
    isRefused = true;
    timer.stop();
    resolve(options.refuse(error));
  };
  /** Ends the hold and then beats; most answers are over before it fires at all. */
  const timer = createPatientTimer(timers, () => {
    const isDue = sink === undefined || timers.now() - lastWrite >= stream.heartbeat;
    if (isDue && !isBlocked) write(form?.silence ?? encodeComment("keep-alive"));
    const passed = isBlocked ? 0 : timers.now() - lastWrite;
    timer.set(Math.max(stream.heartbeat - passed, 1));
  });
  timer.set(stream.firstByteHold);

  return {
    write,
    end,
    see(event: PlainEvent): void {
      if (event.type === "model-busy") {
        if (sink === undefined) timer.set(maxBusyHold);
      } else if (event.type === "turn-error") {
        if (sink === undefined) refuse(event.error);
      } else if (event.type === "context-receipt" || event.type === "model-answers") {
        const receipt = readReceipt(event);
        if (receipt !== undefined) headers[receiptHeader] = receipt;
      }
    },
    async drained(): Promise<void> {
      isBlocked = true;
      await sink?.drained();
      isBlocked = false;
    },
    /** Ends the answer with a fault of its encoder's, as far as that can still tell it. */
    fail(error: AppError): void {
      if (sink === undefined) return refuse(error);
      try {
        const piece = encode({ type: "turn-error", error });
        if (piece.length > 0) write(piece);
        end(encode({ type: "turn-end", reason: "error" }));
      } catch {
        sink.end();
      }
    },
    /** Lets go of the timer. Call it in every case. */
    close: () => timer.stop(),
  };
}

/** How long the head is held back while a model that was busy is asked once more, in milliseconds. */
const maxBusyHold = 3_000;
const receiptHeader = "x-rightseat-context";
const maxReceipt = 4_096;

/** Gives the receipt as text for its header, each time that an event changes it. */
function createReceiptReader() {
  let receipt: ContextReceipt | undefined;
  return (event: PlainEvent): string | undefined => {
    if (event.type === "context-receipt") ({ receipt } = event);
    else if (event.type === "model-answers" && receipt !== undefined)
      receipt = { ...receipt, model: event.model };
    else return undefined;
    return printReceipt(receipt);
  };
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
