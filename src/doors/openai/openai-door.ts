import * as z from "zod";
import type { Context } from "hono";
import { invalidRequest, resolveLocale, unknownModel } from "../../turn/agents/resolve-turn.ts";
import { toErrorResponse, toPublicError } from "../../base/errors/to-public-error.ts";
import { type TurnAnswer, answerTurn, ownHead } from "../http/answer-turn.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import { readJson, readMessages } from "../http/read-json.ts";
import { findProblems } from "../../turn/context/context.ts";
import { AppError, type Message } from "../../base/errors/app-error.ts";
import type { Admission } from "../../run/admissions.ts";
import { readTalk } from "../../run/read-talk.ts";
import { type ChatMessage, readMessage, textOfPart } from "../../turn/chat-message.ts";
import type { ClientTalk } from "../../flows/loop/talk.ts";
import type { Turn, TurnRequest } from "../../turn/turn.ts";
import { type AgentDefinition, TokenLimit, findCommand } from "../../turn/agent-definition.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { printSteps } from "../../flows/click/typed-steps.ts";
import {
  ChunkStream,
  type UpstreamDelta,
  printCalls,
  printCompletion,
  printUsageChunk,
  readDeltas,
  toCompletionReason,
} from "../../model/chat/chat-chunk.ts";
import type { Action } from "../../turn/action.ts";
import { addUsage } from "../../turn/figures.ts";
import type { ChunkHead, PlainEvent, Usage } from "../../turn/turn-event.ts";
import { encodeFrame } from "../../base/wire/sse-frames.ts";
import type { EventEncoder } from "../../run/run-turn.ts";

/** `/v1/chat/completions` and `/v1/models`: agents and commands as models for every client of the OpenAI API. */
export const openAiDoor: Door = {
  name: "openai",
  errors: { under: "/v1", spell: toOpenAiError },
  mount(app, host) {
    const models = publishModels(host.sources);
    const created = Math.floor(host.now() / 1_000);
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
  let talk: ClientTalk | undefined;
  return {
    async read(admission) {
      const body = await readJson(exchange, host.limits);
      request = checkRequest(body);
      const languages = [exchange.header("accept-language")];
      const model = requireModel(models, request.model);
      talk = isOfAgent(request, isPlain(model)) ? readClientTalk(request, model) : undefined;
      const asked =
        talk === undefined
          ? readAsked(request, model, languages, host)
          : { command: model.command, variables: [] };
      return { ...readRequest(request, model, admission, languages), ...asked };
    },
    run: (admission, turn) =>
      talk === undefined ? host.run(admission, turn) : host.converse(admission, turn, talk),
    isWhole: () => request?.stream !== true,
    encoder(turn) {
      const head = ownHead(turn.id, request?.model ?? "", host.now());
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

/** @throws AppError `invalid_request`, also for what this door cannot do */
function checkRequest(body: unknown): ChatRequest {
  const problems = findProblems(ChatRequest, body);
  if (problems.length > 0) throw invalidRequest(problems);
  // The check is of this very schema.
  const request = body as ChatRequest;
  if ((request.functions ?? []).length > 0)
    throw refused("functions", {
      en: 'Functions are not taken here. Send "tools" in their place.',
      zh: "此处不接受 functions，请改用 tools。",
    });
  if ((request.n ?? 1) !== 1)
    throw refused("n", {
      en: 'There is one answer to a request. Send no "n", or 1.',
      zh: "一个请求只有一个回答，请不要发送 n，或设为 1。",
    });
  return request;
}

/** What a person asks in words. */
function readAsked(
  request: ChatRequest,
  { definition, command }: PublishedModel,
  languages: TurnRequest["languages"],
  { sources: { commands, locale }, isAboutCode, isAboutFiles }: DoorHost,
): Pick<TurnRequest, "command" | "variables" | "history" | "leftOut"> {
  const { messages, leftOut } = readMessages(request.messages);
  // The check of the roles leaves objects alone.
  const said = (messages as ChatRequest["messages"]).map((message, nth) => ({
    role: message.role,
    text: textOf(message, `messages[${nth}].content`),
  }));
  const partner = { definition, command, commands, isAboutCode, isAboutFiles };
  return {
    ...readTalk(said, { ...partner, locale: resolveLocale(languages, locale) }),
    leftOut,
  };
}

function readRequest(
  request: ChatRequest,
  { definition }: PublishedModel,
  { id, caller, signal }: Admission,
  languages: TurnRequest["languages"],
): Omit<TurnRequest, "command" | "variables" | "history"> {
  return {
    id,
    agent: definition.name,
    modelConfiguration: {
      temperature: request.temperature,
      topP: request.top_p,
      maxTokens: request.max_completion_tokens ?? request.max_tokens,
    },
    languages,
    caller,
    signal,
  };
}

/** Of an image, the model would never learn: that is refused, not dropped. */
function textOf({ role, content, refusal }: ChatRequest["messages"][number], path: string): string {
  if (typeof content === "string") return content;
  if ((content ?? undefined) === undefined && mayBeSilent.has(role))
    return typeof refusal === "string" ? refusal : "";
  if (!Array.isArray(content))
    throw refused(path, {
      en: `${path}: expected a text or a list of parts.`,
      zh: `${path}：应为文本，或由多个部分组成的列表。`,
    });
  const texts = content.map((part: unknown, nth) => {
    const text = textOfPart(part);
    if (text !== undefined) return text;
    throw refused(`${path}[${nth}]`, {
      en: `${path}[${nth}]: only text is read here. Leave out images, sound and files.`,
      zh: `${path}[${nth}]：此处只读取文本，请去掉图片、音频和文件。`,
    });
  });
  return texts.join("\n");
}

/** Whether another agent asks, which keeps the conversation with its tools itself; else a person does, in words. */
function isOfAgent({ tools, messages, response_format: format }: ChatRequest, takesTools: boolean) {
  const last = messages.at(-1)?.role;
  const isForProgram =
    last === "assistant" || last === "tool" || (format?.type ?? "text") !== "text";
  return (tools ?? []).length > 0 || (takesTools && isForProgram);
}

/** The commands that are plain questions to a model. */
const plainCommands: ReadonlySet<string> = new Set(["chat", "default"]);

function isPlain({ definition, command }: PublishedModel): boolean {
  return plainCommands.has(command) || findCommand(definition, command)?.clientTools === true;
}

/** @throws AppError `invalid_request`, also for a command that has a prompt of its own, and reads the answer */
function readClientTalk(
  { tools, messages, ...form }: ChatRequest,
  model: PublishedModel,
): ClientTalk {
  if (!isPlain(model))
    throw refused("tools", {
      en: `The command ${model.command} works with tools of its own. Ask ${model.definition.name}/chat with those of the client.`,
      zh: `指令 ${model.command} 使用自己的工具。如需使用客户端的工具，请向 ${model.definition.name}/chat 提问。`,
    });
  const read = readMessages(messages).messages.flatMap((message, nth) =>
    readForModel(message, `messages[${nth}]`),
  );
  if (read.every(({ role }) => role === "system" || role === "developer"))
    throw refused("messages", {
      en: "There is nothing but system messages.",
      zh: "只有系统消息，没有提问。",
    });
  const choice = form.tool_choice ?? "auto";
  return {
    messages: read,
    offered: (tools ?? []).map(({ function: { name, description, parameters, strict } }) => ({
      name,
      description: description ?? "",
      parameters: parameters ?? { type: "object", properties: {} },
      ...(typeof strict === "boolean" ? { strict } : {}),
    })),
    form: {
      toolChoice: typeof choice === "string" ? choice : { name: choice.function.name },
      ...(typeof form.parallel_tool_calls === "boolean"
        ? { parallelToolCalls: form.parallel_tool_calls }
        : {}),
      ...(form.response_format ? { responseFormat: form.response_format } : {}),
    },
  };
}

/** @throws AppError `invalid_request` for what the model would never learn */
function readForModel(message: unknown, path: string): ChatMessage[] {
  const read = readMessage(message);
  const { role, content }: { role?: unknown; content?: unknown } = Object(message);
  if (read === undefined && role === "assistant" && (content ?? "") === "") return [];
  const parts = Array.isArray(content) ? content : [];
  const odd = parts.findIndex(
    (part) => readMessage({ role: "user", content: [part] })?.content === "",
  );
  if (read !== undefined && odd === -1) return [read];
  throw refused(odd === -1 ? path : `${path}.content[${odd}]`, {
    en: `${path}: this message cannot be read.`,
    zh: `${path}：无法读取这条消息。`,
  });
}

/** Whoever calls a tool need not say anything. */
const mayBeSilent: ReadonlySet<string> = new Set(["assistant", "function"]);

function refused(param: string, message: Message): AppError {
  return new AppError("invalid_request", message, { param });
}

/** An agent, or a command of it, as clients of the OpenAI API see it: `rightseat`, `rightseat/explain`. */
interface PublishedModel {
  definition: AgentDefinition;
  command: string;
  /** Named by the definition; others are answered, but not listed. */
  isListed: boolean;
}

type PublishedModels = ReadonlyMap<string, PublishedModel>;

/** An agent alone chats if it lists that; else `default` chats with whoever asks something, and says what it can do. */
function publishModels({ agents, commands }: DoorHost["sources"]): PublishedModels {
  const models = new Map<string, PublishedModel>();
  for (const definition of agents.values()) {
    const listed = new Set((definition.commands ?? []).map(({ name }) => name));
    const command = listed.has("chat") ? "chat" : "default";
    models.set(definition.name, { definition, command, isListed: true });
    for (const name of new Set([...listed, ...commands])) {
      const isListed = listed.has(name);
      models.set(`${definition.name}/${name}`, { definition, command: name, isListed });
    }
  }
  return models;
}

/** @throws AppError `model_not_found` */
function requireModel(models: PublishedModels, name: string): PublishedModel {
  const model = models.get(name);
  if (model !== undefined) return model;
  const listed = [...models].flatMap(([id, { isListed }]) => (isListed ? [id] : []));
  throw unknownModel(name, listed, [...models.keys()]);
}

/**
 * What we read of a request for a chat completion (OpenAI API reference, "Create chat completion"). All
 * other fields are ignored; `content` is read part by part.
 */
const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.unknown().optional() }))
    .min(1)
    .max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: TokenLimit.nullish(),
  max_completion_tokens: TokenLimit.nullish(),
  n: z.int().nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({
          name: z.string().min(1),
          description: z.string().nullish(),
          parameters: z.record(z.string(), z.unknown()).nullish(),
          strict: z.boolean().nullish(),
        }),
      }),
    )
    .max(1_000)
    .nullish(),
  tool_choice: z
    .union([
      z.enum(["auto", "none", "required"]),
      z.looseObject({ function: z.looseObject({ name: z.string().min(1) }) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  functions: z.array(z.unknown()).nullish(),
});
type ChatRequest = z.infer<typeof ChatRequest>;

/** How an answer is written: as a stream, or as one body. */
interface Writer {
  frames?: EventEncoder["frames"];
  delta(delta: UpstreamDelta): string;
  calls(calls: ReturnType<typeof printCalls>): string;
  end(reason: ReturnType<typeof toCompletionReason>, usage: Usage | undefined): string;
}

/** An error as the OpenAI API spells it, with these four fields. */
function toOpenAiError(error: AppError, requestId: string, locale: Locale): object {
  const { type, code, message, param = null } = toPublicError(error, requestId, locale);
  return { message, type, param, code };
}

/** Turns events into an answer of the OpenAI API; next steps come as text, to be typed. */
function createOpenAiEncoder(writer: Writer, turn: Turn): EventEncoder {
  const actions: Action[] = [];
  let usage: Usage | undefined;
  let error: AppError | undefined;
  let hasCalls = false;
  const encode = (event: PlainEvent): string => {
    switch (event.type) {
      case "text-delta":
        return writer.delta({ content: event.text });
      case "reasoning-delta":
        return writer.delta({ reasoning_content: event.text });
      case "action":
        actions.push(event.action);
        return "";
      case "usage":
        usage = addUsage(usage, event.usage);
        return "";
      case "turn-error":
        error = event.error;
        return "";
      case "turn-end": {
        if (error !== undefined) {
          const message = error.sentence(turn.locale);
          const shown = { ...toOpenAiError(error, turn.id, turn.locale), message };
          return encodeFrame(JSON.stringify({ error: shown })) + encodeFrame("[DONE]");
        }
        const steps = printSteps(actions, turn);
        const last = steps === "" ? "" : writer.delta({ content: steps });
        return last + writer.end(toCompletionReason(event.reason, hasCalls), usage);
      }
      case "model-answer": {
        const { calls } = event.answer;
        hasCalls = calls.length > 0;
        return hasCalls ? writer.calls(printCalls(calls)) : "";
      }
      case "context-receipt":
      case "text-was-reasoning":
      case "upstream-event":
      // The finish reason and the empty message say it.
      case "answer-fault":
      // These clients show the text alone, and calls of our tools are ours to make.
      case "edit":
      case "tool-call":
      case "tool-result":
      case "tree-lines":
      case "model-busy":
      case "model-answers":
        return "";
    }
  };
  return writer.frames === undefined ? encode : Object.assign(encode, { frames: writer.frames });
}

/** @param tellsUsage in a chunk of its own, as `stream_options.include_usage` asks for */
function writeStream(own: ChunkHead, tellsUsage: boolean): Writer {
  const chunks = new ChunkStream(own);
  return {
    delta: (delta) => chunks.delta(delta),
    calls: (calls) =>
      chunks.delta({ tool_calls: calls.map((call, index) => ({ index, ...call })) }),
    // Under our own head: the chunks name the model that was asked for.
    frames: (bytes) =>
      readDeltas(bytes)
        .map((delta) => chunks.delta(delta))
        .join(""),
    end(reason, usage) {
      const told = usage !== undefined && tellsUsage;
      const last = told ? encodeFrame(printUsageChunk(chunks.head, usage)) : "";
      return chunks.end(reason) + last + encodeFrame("[DONE]");
    },
  };
}

function writeBody(head: ChunkHead): Writer {
  const said = { text: "", reasoning: "", calls: [] as ReturnType<typeof printCalls> };
  return {
    delta({ content, reasoning_content: thought }) {
      said.text += content ?? "";
      said.reasoning += thought ?? "";
      return "";
    },
    calls(calls) {
      said.calls = calls;
      return "";
    },
    end: (reason, usage) => printCompletion(head, said, reason, usage),
  };
}
