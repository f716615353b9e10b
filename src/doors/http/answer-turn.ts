import type { Context } from "hono";
import { AppError } from "../../base/errors/app-error.ts";
import { toAppError } from "../../base/errors/to-app-error.ts";
import type { Admission } from "../../run/admissions.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnRequest } from "../../turn/turn-request.ts";
import type { DoorHost } from "./door.ts";
import type { DoorEnv } from "./door-env.ts";
import { collectTurn, sendSpaces } from "./collect-turn.ts";
import type { EventEncoder } from "../../run/pump-turn.ts";
import { type StreamForm, streamTurn } from "./stream-turn.ts";

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
  const { slices } = host;
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
      const whole = collectTurn({ id, events, encode, abort, figures, slices });
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
        slices,
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
