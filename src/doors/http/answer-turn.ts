import type { Context } from "hono";
import { AppError } from "../../base/errors/app-error.ts";
import { toAppError } from "../../base/errors/to-app-error.ts";
import type { Admission } from "../../run/admissions.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnRequest } from "../../turn/turn-request.ts";
import type { DoorHost } from "./door.ts";
import type { DoorEnv } from "./door-env.ts";
import { type EventEncoder, type PumpOptions, pumpTurn } from "../../run/pump-turn.ts";
import { type StreamForm, printReceipt, readReceipt, streamTurn } from "./stream-turn.ts";
import type { ContextReceipt } from "../../turn/context-receipt.ts";
import type { TurnFigures } from "../../turn/figures/turn-figures.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import type { Exchange, FrameSink } from "../../base/wire/exchange.ts";
import { BytePieces } from "../../base/wire/byte-pieces.ts";
import { encodeText } from "../../base/wire/encode-text.ts";

/** What tells one door from another. */
export interface TurnAnswer {
  /** Reads the request, body and all. May throw AppError. */
  read(admission: Admission): Promise<TurnRequest>;
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
    const events = host.run(admission, turn);
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
        ...host.stream,
        timers: host.timers,
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
async function admit({ env }: Context<DoorEnv>, host: DoorHost): Promise<Admission> {
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
