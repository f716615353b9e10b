// What the session server's document writes, in its spellings (README of version 0.4), and those of its version 0.8.
import * as z from "zod";
import { isRecord } from "../../base/text/json.ts";
import { LlmConfig } from "../../model/own-model.ts";
import type { ClientAnswer } from "../../session/asked-calls.ts";
import type { Completions, Content, Entry, StatusMessage } from "../../session/entry.ts";
import type { SessionOptions } from "../../session/session.ts";
import { ToolPolicy } from "../../tools/specs/policy.ts";

export const Protocol = z.enum(["0.4", "0.8"]);
export type Protocol = z.infer<typeof Protocol>;

/** As `/version` tells them. */
export const versions: Record<Protocol, string> = { "0.4": "0.4.0", "0.8": "0.8.0" };

/** Some clients write what they leave out as null. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value ?? {};
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

const OwnLlmConfig = z.preprocess(withoutNulls, LlmConfig);
const Id = z.string().min(1).max(64);
const SubSession = z
  .looseObject({
    id: Id.nullish(),
    sessionId: Id.nullish(),
    name: z
      .string()
      .refine((name) => /^[\w-]{1,64}$/.test(name), "must be 1 to 64 letters, digits, _ and -")
      .nullish(),
    description: z.string().max(1_024).nullish(),
  })
  .refine(({ id, sessionId }) => (id ?? sessionId) !== undefined, {
    path: ["id"],
    message: "is missing",
  });

/** In seconds: a year. */
const longestTimeout = 31_536_000;

/** The body of `POST /init`. */
export const InitBody = z.looseObject({
  llmConfig: OwnLlmConfig,
  systemPrompt: z.string().nullish(),
  openSpecList: z.array(z.looseObject({})).max(100).nullish(),
  /** As 0.8 lists functions that the client itself runs. */
  clientOpenTool: z.looseObject({ opentool: z.looseObject({}) }).nullish(),
  /** Of the operator's; what they are is nothing that a client may say. */
  mcpServers: z.array(z.string().max(200)).max(50).nullish(),
  sessionList: z
    .array(SubSession)
    .max(50)
    .refine(areDistinct, "has two sessions of the same name")
    .nullish(),
  toolPolicy: ToolPolicy.nullish(),
  timeoutSeconds: z.int().min(1).max(longestTimeout).nullish(),
  taskPipelineStrategy: z.enum(["parallel", "serial", "reject"]).nullish(),
  // Nothing could be rejected: no call of an answer is thrown away.
  toolPipelineStrategy: z.enum(["parallel", "serial"]).nullish(),
  reflectPromptList: z
    .array(z.looseObject({ llmConfig: OwnLlmConfig, prompt: z.string().min(1) }))
    .max(10)
    .nullish(),
});

function areDistinct(list: readonly z.infer<typeof SubSession>[]): boolean {
  const names = list.map(({ id, sessionId, name }) => name ?? id ?? sessionId);
  return new Set(names).size === names.length;
}

/** With the document's defaults. */
export function toOptions(body: z.infer<typeof InitBody>): SessionOptions {
  return {
    llmConfig: body.llmConfig,
    systemPrompt: body.systemPrompt ?? "",
    openSpecList: [
      ...(body.openSpecList ?? []),
      ...(body.clientOpenTool
        ? [{ protocol: "opentool", openSpec: body.clientOpenTool.opentool }]
        : []),
    ],
    toolPolicy: body.toolPolicy ?? undefined,
    mcpServers: body.mcpServers ?? [],
    sessionList: (body.sessionList ?? []).map(({ id, sessionId, name, description }) => ({
      id: id ?? sessionId ?? "",
      ...(name ? { name } : {}),
      ...(description ? { description } : {}),
    })),
    timeoutSeconds: body.timeoutSeconds ?? 3_600,
    strategy: body.taskPipelineStrategy ?? "parallel",
    toolStrategy: body.toolPipelineStrategy ?? "parallel",
    reflectors: (body.reflectPromptList ?? []).map(({ llmConfig, prompt }) => ({
      llmConfig,
      prompt,
    })),
  };
}

/** An address, or the image itself; the model's server reads it, nobody here. */
const imageForm = /^(?:https?:\/\/[^\s]+|data:image\/[\w.+-]+;base64,[\w+/=]+)$/;

const WireContent = z
  .looseObject({ type: z.enum(["text", "imageUrl"]), message: z.string() })
  .refine(({ type, message }) => type === "text" || imageForm.test(message), {
    path: ["message"],
    message: "must be an http(s) address, or data:image/...;base64,...",
  });

const WireContents = z.array(WireContent).min(1).max(100);

/** What a client asks: the body of `POST /chat`, and a message of its socket. */
export const TaskBody = z
  .looseObject({
    taskId: z
      .string()
      .refine(
        (task) => /^[\x21-\x7e]{1,64}$/.test(task),
        "must be 1 to 64 ASCII letters, digits and signs",
      )
      .nullish(),
    contentList: WireContents.nullish(),
    /** As 0.8 calls it. */
    content: WireContents.nullish(),
    /** On 0.8: whether the answer comes in chunks, too. */
    stream: z.boolean().nullish(),
  })
  .refine(({ contentList, content }) => (contentList ?? content) !== undefined, {
    path: ["contentList"],
    message: "is missing",
  });

export function contentsOf(body: z.infer<typeof TaskBody>): Content[] {
  const list = body.contentList ?? body.content ?? [];
  return list.map(({ type, message }) => ({ type, message }));
}

/** The body of `POST /callback`, and a message of the socket: what came of a `functionCall`. */
export const ResultBody = z.looseObject({ id: z.string().min(1).max(400), result: z.unknown() });

/** The body of `POST /approve`, and a message of the socket: whether the call of a `functionCall` with a hash may be made. */
export const AllowBody = z.looseObject({
  id: z.string().min(1).max(400),
  hash: z.string().min(1).max(200),
  allow: z.boolean(),
});
export type AnswerBody = z.ZodType<ClientAnswer>;

/** What a message of the socket is read as that begins no task. */
export function answerIn(message: unknown): AnswerBody | undefined {
  if (!isRecord(message) || ["content", "contentList"].some((name) => Object.hasOwn(message, name)))
    return undefined;
  if (Object.hasOwn(message, "allow")) return AllowBody;
  return Object.hasOwn(message, "result") ? ResultBody : undefined;
}

/** A message as the protocol prints it, with the fields and the order of the document. */
export function printMessage(entry: Entry, protocol: Protocol): object {
  const { session, task, parent, from, to, type, message, completions, time } = entry;
  const isLater = protocol === "0.8";
  const name = (word: string): string => (isLater && laterNames[word]) || word;
  const said = type === "status" ? (isLater ? describeStatus : sayStatus)(message, task) : message;
  return {
    sessionId: session,
    taskId: isLater ? task : (parent ?? task),
    ...(isLater && parent !== undefined ? { parentTaskId: parent } : {}),
    [name("from")]: name(from),
    to: name(to),
    type: type === "status" && !isLater ? "text" : name(type),
    [name("message")]: said,
    ...(completions && { completions: printCompletions(name("tokenUsage"), completions) }),
    createTime: printTime(time),
  };
}

/** A piece of an answer that is being written, for clients of 0.8. */
export function printTaskChunk(
  session: string,
  { task, text }: { task: string; text: string },
  time: number,
): object {
  return {
    sessionId: session,
    taskId: task,
    role: "assistant",
    to: "agent",
    type: "text",
    part: text,
    createTime: printTime(time),
  };
}

/** What 0.8 calls otherwise. */
const laterNames: Readonly<Record<string, string>> = {
  from: "role",
  message: "content",
  tokenUsage: "usage",
  system: "developer",
  llm: "assistant",
  functionCallList: "toolCalls",
  status: "taskStatus",
};

const words = {
  start: "[TASK_START]",
  toolsStart: "[TOOLS_START]",
  toolsDone: "[TOOLS_DONE]",
  done: "[TASK_DONE]",
  stop: "[TASK_STOP]",
  exception: "[TASK_STOP]",
} satisfies Record<StatusMessage["status"], string>;

/** Clients look at the beginning: what a task failed of comes right behind it, in the same text. */
function sayStatus({ status, problem }: StatusMessage): string {
  return problem === undefined ? words[status] : `${words[status]}${JSON.stringify(problem)}`;
}

function describeStatus({ status, problem }: StatusMessage, taskId: string): object {
  return { status, taskId, ...(problem === undefined ? {} : { description: problem }) };
}

function printCompletions(name: string, { id, model, ...counts }: Completions): object {
  return { [name]: counts, id, model };
}

/** Ahead of UTC, in hours: the document's zone, whatever the zone of the machine is. */
const zone = 8;

/** `2023-06-18T15:45:30.000+0800` */
function printTime(time: number): string {
  const local = new Date(time + zone * 3_600_000).toISOString();
  return local.replace("Z", `+0${zone}00`);
}
