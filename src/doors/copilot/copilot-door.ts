import { type Context, Hono } from "hono";
import { AppError } from "../../errors/app-error.ts";
import { toAppError } from "../../errors/to-app-error.ts";
import { toErrorResponse } from "../../errors/to-public-error.ts";
import { parseLocale } from "../../errors/locale.ts";
import type { Services } from "../../flows/flow.ts";
import { resolveFlow } from "../../flows/flows.ts";
import { settle } from "../../turn/settle.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { Timers } from "../../wire/patient-timer.ts";
import type { ActiveTurns } from "../../run/active-turns.ts";
import type { Identify } from "../../auth/guards.ts";
import type { DoorEnv } from "../http/door-env.ts";
import { type BodyLimits, readJson } from "../http/read-json.ts";
import { streamTurn } from "../http/stream-turn.ts";
import { type TurnSources, createTurn, resumeTurn } from "./create-turn.ts";
import { createCopilotEncoder } from "./encode-event.ts";
import { refuseState } from "./refuse-state.ts";

export interface CopilotDoor extends TurnSources, Services {
  limits: BodyLimits;
  doneMarker: string;
  firstByteHold: number;
  heartbeat: number;
  timers: Timers;
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
  const identified = door.identify(exchange);
  const caller = identified instanceof Promise ? await identified : identified;
  const ended = door.turns.begin(id, controller, caller);
  let body: unknown;
  try {
    body = await readJson(exchange, door.limits, door.slices, controller.signal, door.definitions);
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
      const locale =
        parseLocale(languageOf(body)) ?? parseLocale(exchange.header("accept-language"));
      return refuseState(error, id, locale ?? door.locale, door);
    }
    return toErrorResponse(error, id);
  }
}

/** Of a body that was not taken. */
function languageOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("language" in body)) return undefined;
  return typeof body.language === "string" ? body.language : undefined;
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
      timers: door.timers,
      slices: door.slices,
    },
    () => ended(turn, failure),
  );
}
