// What the log of a session holds, and what a model is told of it.
import { isRecord, parseJson } from "../base/text/json.ts";
import type { AssistantMessage, ChatMessage, ToolCall, UserMessage } from "../turn/chat-message.ts";

/** Who says something, or hears it. `client` is the program, `user` the person. */
type Party = "system" | "user" | "agent" | "llm" | "tool" | "client" | "reflection";

/** A piece of what a person says; an image is an address or a `data:` URL. */
export interface Content {
  type: "text" | "imageUrl";
  message: string;
}

export interface FunctionCall {
  id: string;
  name: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** A call that the client is asked: to make it, or, with a `hash`, whether it may be made. */
export interface ClientCall extends FunctionCall {
  /** Of the description that has the function, as its client named it. */
  openToolId?: string;
  /** Where it goes. */
  target?: string;
  /** Of the call and of where it goes; who allows it says the same. */
  hash?: string;
}

export interface ToolReturn {
  /** Of the call. */
  id: string;
  result: Readonly<Record<string, unknown>>;
}

/** Where a task is. It ends with `done`, `stop`, or `exception`; what failed says `problem`. */
export type Status = "start" | "toolsStart" | "toolsDone" | "done" | "stop" | "exception";

export interface StatusMessage {
  status: Status;
  problem?: Problem;
}

/** For a client: an HTTP status, and a sentence for the person. */
export interface Problem {
  code: number;
  message: string;
}

/** What a model found of an answer. */
export interface Score {
  /** From 0 to 10. */
  score: number;
  description?: string;
}

/** What models found of an answer before it counted, with the fields of the protocol. */
export interface Reflection {
  isPass: boolean;
  messageScore: {
    contentList: readonly Content[];
    messageType: "text";
    message: string;
    reflectScoreList: readonly Score[];
  };
  passScore: number;
  /** Which answer of its task it is, from 1 on, and how many there are at most. */
  count: number;
  maxCount: number;
}

export interface Completions {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  id: string;
  model: string;
}

type Said =
  | Content
  | { type: "contentList"; message: readonly Content[] }
  | { type: "functionCallList"; message: readonly FunctionCall[] }
  | { type: "functionCall"; message: ClientCall }
  | { type: "toolReturn"; message: ToolReturn }
  | { type: "reflection"; message: Reflection }
  | { type: "status"; message: StatusMessage };

/** Who says what to whom. */
export type Line = Said & {
  from: Party;
  to: Party;
  /** Of an answer of the model. */
  completions?: Completions;
  /** Of the model's: which answer of its task it is, from 0 on. */
  answer?: number;
};

export type Entry = Line & {
  session: string;
  task: string;
  /** The task that this one works for, where the session is a sub-agent. */
  parent?: string;
  /** Milliseconds since 1970. */
  time: number;
};

/** A list of one is that one. */
export function sayContents(contents: readonly Content[]): Said {
  const [only] = contents;
  return contents.length === 1 && only !== undefined
    ? { type: only.type, message: only.message }
    : { type: "contentList", message: contents };
}

/** What a client is told of where a task is. */
export function sayStatus(status: Status, problem?: Problem): Line {
  const message = problem === undefined ? { status } : { status, problem };
  return { from: "agent", to: "client", type: "status", message };
}

/** Whether the task that this belongs to ends with it. */
export function isEnd({ type, to, message }: Pick<Entry, "type" | "to" | "message">): boolean {
  if (type !== "status" || to !== "client") return false;
  return ends.has((message as StatusMessage).status);
}

const ends: ReadonlySet<Status> = new Set(["done", "stop", "exception"]);

/** The tasks of the session itself that have begun and not ended, in their order. */
export function listOpen(entries: readonly Entry[], session: string): string[] {
  const open = new Set<string>();
  for (const entry of entries)
    if (entry.session !== session) continue;
    else if (isEnd(entry)) open.delete(entry.task);
    else if (isStart(entry)) open.add(entry.task);
  return [...open];
}

export function isStart({ type, message }: Entry): boolean {
  return type === "status" && message.status === "start";
}

/** Calls as a client reads them: what a model wrote that is no object is kept under `value`. */
export function toFunctionCall({ id, name, arguments: written }: ToolCall): FunctionCall {
  const value = parse(written.trim() === "" ? "{}" : written);
  return { id, name, parameters: isRecord(value) ? value : { value } };
}

/** What came of a call as a client reads it: an object, and whether it worked only where that says something. */
export function toToolReturn(id: string, content: string, isError: boolean): ToolReturn {
  const value = parse(content);
  if (!isRecord(value)) return { id, result: isError ? { error: value } : { result: value } };
  const { success, ...rest } = value;
  const saysMore = Object.keys(rest).length > 0;
  return { id, result: typeof success === "boolean" && saysMore ? rest : value };
}

function parse(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/**
 * What a model is told of a conversation: of each finished task, and of `current`, in the order in which they began,
 * whatever came between their messages. A call that was cut off has no result here.
 */
export function toMessages(
  entries: readonly Entry[],
  session: string,
  current: string,
): ChatMessage[] {
  const open = new Set(listOpen(entries, session));
  open.delete(current);
  const told = entries.filter((entry) => entry.session === session && !open.has(entry.task));
  return [...Map.groupBy(told, ({ task }) => task).values()].flatMap(tellTask);
}

function tellTask(entries: readonly Entry[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  /** What the model said before its calls, which is one message with them. */
  let said: string | undefined;
  let calls: readonly FunctionCall[] = [];
  let results = new Map<string, string>();
  const flush = (): void => {
    if (said !== undefined || calls.length > 0) messages.push(tellAnswer(said, calls));
    for (const [id, content] of results) messages.push({ role: "tool", tool_call_id: id, content });
    said = undefined;
    calls = [];
    results = new Map();
  };
  for (const entry of entries) {
    if (entry.from === "user") messages.push(tellPerson(entry));
    else if (entry.from === "tool" && entry.type === "toolReturn")
      results.set(entry.message.id, JSON.stringify(entry.message.result));
    else if (entry.from === "llm" && entry.type === "functionCallList") {
      if (calls.length > 0) flush();
      calls = entry.message;
    } else if (entry.from === "llm" && entry.type === "text") {
      flush();
      said = entry.message;
    } else if (entry.type === "reflection") {
      const { isPass, count, maxCount } = entry.message;
      // The model was asked once more.
      if (!isPass && count < maxCount) said = undefined;
    }
  }
  flush();
  return messages;
}

function tellAnswer(said: string | undefined, calls: readonly FunctionCall[]): AssistantMessage {
  const content = said ?? null;
  if (calls.length === 0) return { role: "assistant", content };
  const written = calls.map(({ id, name, parameters }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(parameters) },
  }));
  return { role: "assistant", content, tool_calls: written };
}

function tellPerson(entry: Line): UserMessage {
  if (entry.type === "text") return { role: "user", content: entry.message };
  const contents =
    entry.type === "contentList" ? entry.message : entry.type === "imageUrl" ? [entry] : [];
  return { role: "user", content: contents.map(toPart) };
}

function toPart({ type, message }: Content): Exclude<UserMessage["content"], string>[number] {
  return type === "text"
    ? { type, text: message }
    : { type: "image_url", image_url: { url: message } };
}
