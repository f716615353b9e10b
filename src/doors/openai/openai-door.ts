import type { Context } from "hono";
import { resolveLocale } from "../../turn/agents/resolve-turn.ts";
import { toErrorResponse } from "../../base/errors/to-public-error.ts";
import { type TurnAnswer, answerTurn } from "../http/answer-turn.ts";
import type { Door, DoorHost } from "../http/door.ts";
import type { DoorEnv } from "../http/door-env.ts";
import { readJson } from "../http/read-json.ts";
import { createOpenAiEncoder, toOpenAiError, writeBody, writeStream } from "./encode-event.ts";
import {
  type PublishedModel,
  type PublishedModels,
  publishModels,
  requireModel,
} from "./published-models.ts";
import { checkRequest, readRequest } from "./read-request.ts";
import type { ChatRequest } from "./schema.ts";

/** `/v1/chat/completions` and `/v1/models`: agents and commands as models for every client of the OpenAI API. */
export const openAiDoor: Door = {
  name: "openai",
  errors: { under: "/v1", spell: toOpenAiError },
  mount(app, host) {
    const models = publishModels(host.sources);
    const created = seconds(host);
    const show = ([id, { definition }]: [string, PublishedModel]): object => ({
      id,
      object: "model",
      created,
      owned_by: definition.publisher || "rightseat",
    });
    const find = async (c: Context<DoorEnv>): Promise<Response> => {
      await host.identify(c.env.exchange);
      const { agent, command } = c.req.param() as { agent: string; command?: string };
      const id = command === undefined ? agent : `${agent}/${command}`;
      return c.json(show([id, requireModel(models, id)]));
    };
    app.post("/v1/chat/completions", (c) => answerTurn(c, host, createAnswer(c, host, models)));
    app.get("/v1/models", async (c) => {
      await host.identify(c.env.exchange);
      const listed = [...models].filter(([, { isListed }]) => isListed);
      return c.json({ object: "list", data: listed.map(show) });
    });
    app.get("/v1/models/:agent", find);
    app.get("/v1/models/:agent/:command", find);
  },
};

function createAnswer(c: Context<DoorEnv>, host: DoorHost, models: PublishedModels): TurnAnswer {
  const { exchange } = c.env;
  let request: ChatRequest | undefined;
  return {
    async read(admission) {
      const body = await readJson(exchange, host.limits, host.slices, admission.signal);
      request = checkRequest(body, host.sources.maxProblems);
      const languages = [exchange.header("accept-language")];
      return readRequest(request, requireModel(models, request.model), admission, languages, host);
    },
    isWhole: () => request?.stream !== true,
    encoder(turn) {
      const head = {
        id: `chatcmpl-${turn.id}`,
        model: request?.model ?? "",
        created: seconds(host),
      };
      const tellsUsage = request?.stream_options?.include_usage === true;
      const isStream = request?.stream === true;
      return createOpenAiEncoder(isStream ? writeStream(head, tellsUsage) : writeBody(head), turn);
    },
    refuse(error, id) {
      const locale = resolveLocale([exchange.header("accept-language")], host.sources.locale);
      return toErrorResponse(error, id, toOpenAiError(error, id, locale));
    },
  };
}

function seconds(host: DoorHost): number {
  return Math.floor(host.now() / 1_000);
}
