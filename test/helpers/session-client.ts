// A client of the session door, without a network. Runs on Node and in workerd.
import * as z from "zod";
import type { App } from "../../src/app.ts";
import { AgentMessage, LaterMessage, MessageChunk } from "../../src/doors/session/messages.ts";
import type { AnyTool, Tool } from "../../src/tools/tool.ts";
import { type ConnectOptions, connect } from "./plugin-client.ts";
import type { MemoryPeer } from "./memory-channel.ts";
import { createFrameReader } from "../../src/base/wire/sse-frames.ts";

export type Message = Record<string, unknown>;

/** A call of `SomeFunction`, as the document's example has it. */
export const call = {
  id: "call_73xLVZDe70QgLHsURgY5BNT0",
  name: "SomeFunction",
  parameters: { operation: "result" },
};
export const returned = { statusCode: 200, body: '{"code":200,"message":"FAIL"}' };

/** A tool of the name that the document's example has. */
export function someFunction(
  run: (input: unknown, signal: AbortSignal) => Promise<Message> = async () => returned,
  effect: "read" | "write" = "read",
): AnyTool {
  const tool: Tool<Message> = {
    name: "SomeFunction",
    description: { en: "Runs something.", zh: "运行某功能。" },
    input: z.looseObject({ operation: z.string() }),
    fields: { operation: { en: "What.", zh: "操作。" } },
    effect,
    run: async (input, { signal }) => ({ success: true, ...(await run(input, signal)) }),
  };
  return tool;
}

/** The scripts of a model that calls it once and then answers. */
export const exampleScripts = [
  [
    { head: { id: "chatcmpl-1", model: "gpt-3.5-turbo" } },
    {
      type: "tool-call" as const,
      call: { id: call.id, name: call.name, arguments: JSON.stringify(call.parameters) },
    },
    {
      type: "usage" as const,
      usage: { prompt_tokens: 100, completion_tokens: 522, total_tokens: 622 },
    },
  ],
  [
    { head: { id: "chatcmpl-2", model: "gpt-3.5-turbo" } },
    "功能运行结果",
    "为FAIL。",
    { type: "usage" as const, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
  ],
];

export async function getJson(
  app: App,
  path: string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await get(app, path, headers);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

export async function get(
  app: App,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.fetch(new Request(`http://localhost${path}`, { headers }));
}

export async function post(
  app: App,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

/** Begins a session. */
export async function init(
  app: App,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await post(app, "/api/init", body, headers);
  const { id } = (await response.json()) as { id: string };
  if (typeof id !== "string") throw new Error(`refused with ${response.status}`);
  return id;
}

export async function history(app: App, id: string, query = ""): Promise<Message[]> {
  const messages = (await getJson(app, `/api/history?id=${id}${query}`)) as Message[];
  return messages.map(checked);
}

/** @throws where a message is not as its version has it */
function checked(message: Message): Message {
  if ("part" in message) MessageChunk.parse(message);
  else if ("role" in message) LaterMessage.parse(message);
  else AgentMessage.parse(message);
  return message;
}

export interface SessionSocket {
  peer: Pick<MemoryPeer, "received" | "leave" | "stall" | "resume" | "closed">;
  send(message: unknown): void;
  next(): Promise<Message>;
  /** Takes messages until one says this, which is the last of them. */
  until(message: string): Promise<Message[]>;
}

export async function follow(
  app: App,
  id: string,
  query = "",
  options: ConnectOptions = {},
): Promise<SessionSocket> {
  const client = await connect(app, { path: `/api/chat?id=${id}${query}`, ...options });
  const next = async (): Promise<Message> => checked(await client.next());
  return {
    peer: client,
    send: (message) => client.send(message),
    next,
    async until(wanted) {
      const messages: Message[] = [];
      for (;;) {
        const message = await next();
        messages.push(message);
        const said = message["message"];
        if (typeof said === "string" && said.startsWith(wanted)) return messages;
      }
    },
  };
}

export function task(text: string, taskId?: string): Message {
  const contentList = [{ type: "text", message: text }];
  return taskId === undefined ? { contentList } : { taskId, contentList };
}

/** `agent>client [TASK_START]`: who says what to whom. */
export function line({ from, to, message }: Message): string {
  return `${String(from)}>${String(to)} ${typeof message === "string" ? message : JSON.stringify(message)}`;
}

export interface SseMessage {
  id: string | undefined;
  event: string | undefined;
  message: Message;
}

/** Reads server-sent events until the stream ends, or `most` have come. */
export async function readEvents(response: Response, most = Infinity): Promise<SseMessage[]> {
  const events: SseMessage[] = [];
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return events;
  while (events.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const frame = text.slice(0, end + 2);
      text = text.slice(end + 2);
      const [parsed] = createFrameReader(1_000_000).feed(frame);
      const id = /^id: (.*)$/m.exec(frame)?.[1];
      if (parsed !== undefined)
        events.push({
          id,
          event: parsed.event,
          message: checked(JSON.parse(parsed.data) as Message),
        });
    }
  }
  if (events.length >= most) await reader.cancel();
  return events;
}
