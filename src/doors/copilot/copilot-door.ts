import type { Context } from "hono";
import { resolveLocale } from "../../turn/agents/resolve-turn.ts";
import { noRetry, toErrorResponse, toPublicError } from "../../base/errors/to-public-error.ts";
import { KnownMember } from "../../base/wire/known-member.ts";
import { type TurnAnswer, answerTurn, eventStream } from "../http/answer-turn.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import { readJson } from "../http/read-json.ts";
import { readRequest } from "./read-request.ts";
import { AppError } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { textsFor } from "../../flows/texts.ts";
import { confirmAction } from "../../turn/action.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import { createCopilotEncoder } from "./encode-event.ts";

export interface CopilotOptions {
  /** The end marker: `[DONE]`, or what the platform wants. */
  doneMarker: string;
}

/** Of definitions that came with requests, in characters; in memory they take some five times as much. */
const keptDefinitions = { maxText: 256 * 1_024, maxKept: 4 * 1_024 * 1_024 };

/** `POST /` and `POST /agents/:agent`: the platform's protocol (it specifies no path). */
export function copilotDoor(options: CopilotOptions): Door {
  return {
    name: "copilot",
    mount(app, host) {
      const definitions = new KnownMember("agentDefinition", keptDefinitions);
      const answer = (c: Context<DoorEnv>): Promise<Response> =>
        answerTurn(c, host, createAnswer(c, host, definitions, options));
      app.post("/", answer);
      app.post("/agents/:agent", answer);
    },
  };
}

function createAnswer(
  c: Context<DoorEnv>,
  host: DoorHost,
  definitions: KnownMember,
  { doneMarker }: CopilotOptions,
): TurnAnswer {
  const { exchange } = c.env;
  const acceptLanguage = exchange.header("accept-language");
  let language: unknown;
  return {
    async read(admission) {
      const { limits } = host;
      const body = await readJson(exchange, limits, definitions);
      language = languageOf(body);
      const envelope = { admission, pathAgent: c.req.param("agent"), acceptLanguage };
      return readRequest(body, envelope, host, definitions);
    },
    encoder: ({ id, modelId, model, locale }) =>
      createCopilotEncoder({
        head: {
          id: `chatcmpl-${id}`,
          model: modelId ?? model.name,
          created: Math.floor(host.now() / 1_000),
        },
        doneMarker,
        locale,
        requestId: id,
      }),
    refuse(error, id) {
      const named = typeof language === "string" ? language : undefined;
      const locale = resolveLocale([named, acceptLanguage], host.sources.locale);
      if (error.code !== "state_invalid" && error.code !== "state_expired")
        return toErrorResponse(error, id, toPublicError(error, id, locale));
      return refuseState(error, id, locale, { doneMarker, now: () => host.now() });
    },
  };
}

/** Also of a body that is not taken. */
function languageOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "language" in body
    ? body.language
    : undefined;
}

/** A state that cannot be used gets the status of a refusal, and for the person a stream with a way on. */
function refuseState(
  error: AppError,
  id: string,
  locale: Locale,
  { doneMarker, now }: { doneMarker: string; now: () => number },
): Response {
  const head = { id: `chatcmpl-${id}`, model: "rightseat", created: Math.floor(now() / 1_000) };
  const encode = createCopilotEncoder({ head, doneMarker, locale, requestId: id });
  const action = confirmAction({ ...textsFor(locale).startOver, command: "default" });
  const events: PlainEvent[] = [
    { type: "action", action },
    { type: "turn-error", error },
    { type: "turn-end", reason: "error" },
  ];
  const headers = { ...eventStream, ...noRetry, "x-request-id": id };
  return new Response(events.map((event) => encode(event)).join(""), {
    status: error.status,
    headers,
  });
}
