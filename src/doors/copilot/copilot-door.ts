import { type Context, Hono } from "hono";
import { AppError } from "../../errors/app-error.ts";
import { toAppError } from "../../errors/to-app-error.ts";
import { toErrorResponse } from "../../errors/to-public-error.ts";
import { type Locale, parseLocale } from "../../errors/locale.ts";
import type { Services } from "../../flows/flow.ts";
import { resolveFlow } from "../../flows/flows.ts";
import { textsFor } from "../../flows/texts.ts";
import { confirmAction } from "../../turn/action.ts";
import { settle } from "../../turn/settle.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { ActiveTurns } from "../active-turns.ts";
import type { DoorEnv, Identify } from "../guards.ts";
import { type BodyLimits, readJson } from "../read-json.ts";
import { eventStream, streamTurn } from "../stream-turn.ts";
import { type TurnSources, createTurn, resumeTurn } from "./create-turn.ts";
import { createCopilotEncoder } from "./encode-event.ts";

export interface CopilotDoor extends TurnSources, Services {
  limits: BodyLimits;
  doneMarker: string;
  firstByteHold: number;
  heartbeat: number;
  createId: () => string;
  now: () => number;
  identify: Identify;
  /** Headers that the guards want on every answer (CORS). */
  extraHeaders(c: Context<DoorEnv>): Record<string, string>;
  turns: ActiveTurns;
}

/** `POST /` and `POST /agents/:agent`: the platform's protocol (it specifies no path). */
export function copilotDoor(door: CopilotDoor): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>();
  app.post("/", (c) => answerRequest(c, door));
  app.post("/agents/:agent", (c) => answerRequest(c, door));
  return app;
}

async function answerRequest(c: Context<DoorEnv>, door: CopilotDoor): Promise<Response> {
  const id = door.createId();
  const controller = new AbortController();
  const { exchange } = c.env;
  exchange.onClose(() => controller.abort(new AppError("aborted", "The client left.")));
  // Nobody is made to wait for a promise where there is nothing to check.
  const identified = door.identify(c);
  const caller = identified instanceof Promise ? await identified : identified;
  const ended = door.turns.begin(id, controller, caller);
  try {
    const body = await readJson(exchange, door.limits);
    const input = {
      id,
      body,
      caller,
      pathAgent: c.req.param("agent"),
      acceptLanguage: exchange.header("accept-language"),
      signal: controller.signal,
    };
    const resumed = resumeTurn(input, door);
    const turn = resumed === undefined ? createTurn(input, door) : await resumed;
    return await stream(turn, exchange, door, c, ended);
  } catch (thrown) {
    const error = toAppError(thrown);
    ended(undefined, error);
    if (error.code === "state_invalid" || error.code === "state_expired") {
      return refuseState(
        error,
        id,
        parseLocale(exchange.header("accept-language")) ?? door.locale,
        door,
      );
    }
    return toErrorResponse(error, id);
  }
}

/** A state that cannot be used gets the status of a refusal, and for the person a stream with a way on. */
function refuseState(error: AppError, id: string, locale: Locale, door: CopilotDoor): Response {
  const head = {
    id: `chatcmpl-${id}`,
    model: "rightseat",
    created: Math.floor(door.now() / 1_000),
  };
  const encode = createCopilotEncoder({ head, doneMarker: door.doneMarker, locale, requestId: id });
  const events: TurnEvent[] = [
    {
      type: "action",
      action: confirmAction({ ...textsFor(locale).startOver, command: "default" }),
    },
    { type: "turn-error", error },
    { type: "turn-end", reason: "error" },
  ];
  const headers = { ...eventStream, "x-request-id": id };
  return new Response(events.map(encode).join(""), { status: error.status, headers });
}

function stream(
  turn: Turn,
  exchange: Exchange,
  door: CopilotDoor,
  c: Context<DoorEnv>,
  ended: ReturnType<ActiveTurns["begin"]>,
): Promise<Response> {
  const { id, locale } = turn;
  let failure: AppError | undefined;
  const encode = createCopilotEncoder({
    head: {
      id: `chatcmpl-${id}`,
      model: turn.modelId ?? turn.model.name,
      created: Math.floor(door.now() / 1_000),
    },
    doneMarker: door.doneMarker,
    locale,
    requestId: id,
  });
  return streamTurn(
    {
      exchange,
      events: settle(resolveFlow(turn)(turn, door), turn.signal),
      encode(event) {
        if (event.type === "turn-error") failure = event.error;
        return encode(event);
      },
      refuse(error) {
        failure = error;
        return toErrorResponse(error, id);
      },
      headers: { ...door.extraHeaders(c), "x-request-id": id },
      firstByteHold: door.firstByteHold,
      heartbeat: door.heartbeat,
    },
    () => ended(turn, failure),
  );
}
