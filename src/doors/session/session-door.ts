import type { Context } from "hono";
import * as z from "zod";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { type Locale, parseLocale } from "../../base/errors/locale.ts";
import { sayError } from "../../base/errors/to-public-error.ts";
import { type Channel, closeCodes } from "../../base/wire/channel.ts";
import type { FrameSink } from "../../base/wire/exchange.ts";
import { repeat, sleep } from "../../base/wire/patient-timer.ts";
import { encodeComment, encodeFrame } from "../../base/wire/sse-frames.ts";
import type { LoopLimits } from "../../flows/loop/coding.ts";
import type { AskedTask, Session, SessionLimits, StartedTask } from "../../session/session.ts";
import {
  type SessionParts,
  type Sessions,
  createSessions,
  createSharedConnections,
} from "../../session/sessions.ts";
import { type Line, type Status, isEnd, sayStatus } from "../../session/entry.ts";
import type { FollowOptions, Told } from "../../session/session-log.ts";
import type { Caller } from "../../turn/chat-model.ts";
import { eventStream } from "../http/answer-turn.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import { parseText, parseValue, readJson } from "../http/read-json.ts";
import { createSockets, keepHeaders } from "../http/sockets.ts";
import {
  AllowBody,
  type AnswerBody,
  InitBody,
  Protocol,
  ResultBody,
  TaskBody,
  answerIn,
  contentsOf,
  printTaskChunk,
  printMessage,
  toOptions,
  versions,
} from "./schema.ts";

export interface SessionDoorOptions extends SessionLimits, LoopLimits {
  maxConnectionsPerKey: number;
  /** Of a session's description or a task, in bytes. */
  maxMessage: number;
}

/** Where sessions are kept, and what seals what is secret there. */
type SessionDoorParts = Pick<SessionParts, "store" | "seal">;

type Ctx = Context<DoorEnv>;

/** How a client follows a session. */
interface Listening {
  protocol: Protocol;
  locale: Locale;
  after?: number | undefined;
  /** It wants pieces of answers, too. */
  hasDeltas: boolean;
}

/** `/api`: the protocol of a server of sessions, over HTTP, server-sent events and WebSockets. */
export function sessionDoor(options: SessionDoorOptions, parts: SessionDoorParts): Door {
  let close = (): Promise<void> => Promise.resolve();
  return {
    name: "session",
    mount(app, host) {
      close = mountDoor(app, host, options, parts);
    },
    close: () => close(),
  };
}

/** @returns ends all that is open */
function mountDoor(
  app: Parameters<Door["mount"]>[0],
  host: DoorHost,
  options: SessionDoorOptions,
  parts: SessionDoorParts,
): () => Promise<void> {
  const { maxConnectionsPerKey, maxMessage: maxBody } = options;
  const sessions = createSessions({ ...host, ...parts, limits: options, loopLimits: options });
  const house = { host, sessions };
  const connections = createSharedConnections(maxConnectionsPerKey, { ...host, ...parts });
  const sockets = createSockets({ path: "/api/chat", maxConnectionsPerKey, connections });
  /** Aborted when the server goes down: who follows hears the rest, and no more. */
  const closing = new AbortController();
  const streams = new Set<Promise<void>>();

  const find = async (c: Ctx) => {
    const protocol = protocolOf(c);
    const caller = await host.identify(c.env.exchange);
    return { session: await sessions.find(idOf(c), caller), caller, protocol };
  };
  const read = async <Output>(c: Ctx, schema: z.ZodType<Output>): Promise<Output> => {
    const body = await readJson(c.env.exchange, { ...host.limits, maxBody });
    return parseValue(schema, body);
  };
  /** Takes the answer to a call that the client was asked. */
  const answer = async (c: Ctx, schema: AnswerBody): Promise<Response> => {
    const { session, protocol } = await find(c);
    await sessions.answer(session, await read(c, schema));
    return c.json(nameSession(session.id, protocol));
  };
  /** @param task of which alone the messages are wanted: the stream ends with it */
  const stream = (c: Ctx, session: Session, listening: Listening, task?: StartedTask): Response => {
    const { exchange } = c.env;
    const left = new AbortController();
    exchange.onClose(() => left.abort());
    const headers = { ...eventStream, ...host.extraHeaders(c), "x-request-id": host.createId() };
    const { sink, response } = exchange.open(headers);
    const signals = { signal: left.signal, finish: closing.signal };
    const told = tellStream(sink, session, house, { ...listening, ...signals, task });
    streams.add(told);
    void told.finally(() => streams.delete(told));
    return response;
  };

  app.get("/api/version", (c) => c.json({ version: versions[protocolOf(c)] }));
  app.post("/api/init", async (c) => {
    const protocol = protocolOf(c);
    const caller = await host.identify(c.env.exchange);
    const id = await sessions.init(toOptions(await read(c, InitBody)), caller);
    return c.json(nameSession(id, protocol));
  });
  app.get("/api/history", async (c) => {
    const { session, protocol } = await find(c);
    const entries = await session.log.read(numberOf(c, "from", 0), numberOf(c, "limit", 1));
    return c.json(entries.map((entry) => printMessage(entry, protocol)));
  });
  app.get("/api/stop", async (c) => {
    refuseForeignPages(c);
    const { session, protocol } = await find(c);
    // Of a form that was left empty all are meant.
    const taskId = c.req.query("taskId") || undefined;
    await sessions.stop(session, taskId);
    return c.json({ ...nameSession(session.id, protocol), ...(taskId && { taskId }) });
  });
  app.get("/api/clear", async (c) => {
    refuseForeignPages(c);
    const { session, protocol } = await find(c);
    await sessions.clear(session);
    return c.json(nameSession(session.id, protocol));
  });
  // A WebSocket, or the session's messages as server-sent events.
  app.get("/api/chat", async (c) => {
    const listening = listeningOf(c, host);
    if (c.env.exchange.header("upgrade")?.toLowerCase() !== "websocket")
      return stream(c, (await find(c)).session, listening);
    const id = idOf(c);
    return sockets.open(c, host, async (caller) => {
      const session = await sessions.find(id, caller);
      return {
        owner: session.id,
        serve: (channel) => serveSocket(channel, session, house, caller, listening),
      };
    });
  });
  // Begins a task, or finds it again by its name, and answers with its messages.
  app.post("/api/chat", async (c) => {
    const listening = listeningOf(c, host);
    const { session, caller } = await find(c);
    const body = await read(c, TaskBody);
    const started = await sessions.start(session, toAsked(body, keepHeaders(caller), listening));
    const hasDeltas = listening.hasDeltas && body.stream !== false;
    return stream(c, session, { ...listening, hasDeltas }, started);
  });
  app.post("/api/callback", (c) => answer(c, ResultBody));
  app.post("/api/approve", (c) => answer(c, AllowBody));

  return async () => {
    // Every task's last messages go out before who still listens is left.
    await sessions.settled();
    closing.abort();
    await Promise.all(streams);
    sockets.close();
    await connections.close();
  };
}

interface House {
  host: DoorHost;
  sessions: Sessions;
}

interface Telling extends Listening, Pick<FollowOptions, "signal" | "finish"> {
  task: StartedTask | undefined;
}

async function tellStream(
  sink: FrameSink,
  session: Session,
  { host, sessions }: House,
  { task, protocol, locale, ...following }: Telling,
): Promise<void> {
  // Whoever has seen all of a task has to hear that it is over, so it is read from its start.
  const [after, seen] =
    task === undefined ? [following.after, -1] : [task.at - 1, following.after ?? -1];
  // So that proxies and clients know that the connection lives.
  const beat = (): void => void sink.write(encodeComment("keep-alive"));
  const stopBeats = repeat(host.timers, beat, host.stream.heartbeat);
  const tellEnd = (line: Line): void => {
    const entry = session.log.entry(task?.task ?? "", line);
    sink.write(encodeFrame(JSON.stringify(printMessage(entry, protocol))));
  };
  try {
    // Clients wait for the head, and perhaps nothing is said for long.
    if (task === undefined) sink.write(encodeComment("listening"));
    for await (const told of sessions.follow(session, { ...following, after, task: task?.task })) {
      if (told.kind === "over") {
        // The end of the task is not in the log any more.
        if (task !== undefined && told.isCleared) tellEnd(sayStatus("stop"));
        else if (task !== undefined) throw sessionGone();
        break;
      }
      if (task !== undefined && !concerns(told, task.task)) continue;
      if (told.kind === "delta" || told.at > seen) {
        const frame = printFrame(told, print(told, host.now(), session.id, protocol));
        if (!sink.write(frame)) await sink.drained();
      }
      if (task !== undefined && told.kind === "entry" && told.entry.task === task.task)
        if (told.entry.session === session.id && isEnd(told.entry)) break;
    }
  } catch (thrown) {
    tellEnd(failed(toAppError(thrown), locale));
  } finally {
    sink.end();
    stopBeats();
  }
}

/** Messages that a socket may send at once; after that one comes in a pause, in milliseconds. */
const burst = 100;
const pause = 50;

/** One socket, until it is over: its tasks begin in their order, and all messages of the session are told. */
async function serveSocket(
  channel: Channel,
  opened: Session,
  { host, sessions }: House,
  caller: Caller,
  listening: Listening,
): Promise<void> {
  const { id } = opened;
  const { timers } = host;
  const { protocol, locale } = listening;
  const gone = new AbortController();
  const { signal } = gone;
  let session = opened;
  let hasDeltas = false;
  /** When as many messages would have come as may, each after a pause. */
  let due = -Infinity;

  const tellAll = async (): Promise<void> => {
    let { after } = listening;
    try {
      while (!signal.aborted) {
        const options = { after, hasDeltas: listening.hasDeltas, signal };
        for await (const told of sessions.follow(session, options)) {
          if (told.kind === "over" && told.isCleared)
            return channel.close(closeCodes.normal, "The session was cleared.");
          if (told.kind === "over" || (told.kind === "delta" && !hasDeltas)) continue;
          if (!channel.send(print(told, host.now(), id, protocol))) await channel.drained();
        }
        if (signal.aborted) return;
        // What was said was forgotten after a long silence, and something new begins.
        session = await sessions.find(id, caller);
        after = -1;
      }
    } catch (thrown) {
      const error = toAppError(thrown);
      const code = error.code === "not_found" ? closeCodes.notFound : closeCodes.failed;
      channel.close(code, sayError(error, locale));
    }
  };

  const take = async (text: string): Promise<void> => {
    if (text.trim() === "ping" || text.trim() === '"ping"') return void channel.send("pong");
    let task: string | undefined;
    try {
      const message = parseText(text, host.limits, theMessage);
      const answered = answerIn(message);
      if (answered !== undefined) {
        const found = await sessions.find(id, caller);
        return await sessions.answer(found, parseValue(answered, message));
      }
      task = TaskBody.shape.taskId.safeParse(Object(message).taskId).data ?? undefined;
      const body = parseValue(TaskBody, message);
      hasDeltas ||= listening.hasDeltas && body.stream === true;
      await sessions.start(await sessions.find(id, caller), toAsked(body, caller, listening));
    } catch (thrown) {
      // Only this client hears that its task did not begin, or that its answer does not count.
      const error = toAppError(thrown);
      const isLater = protocol === "0.8" && error.code === "session_busy";
      const line = failed(error, locale, isLater ? "start" : "exception");
      const entry = session.log.entry(task ?? host.createId(), line);
      channel.send(JSON.stringify(printMessage(entry, protocol)));
    }
  };

  const told = tellAll();
  try {
    for await (const text of channel.receive) {
      await take(text);
      // Whoever does not read is not read.
      await channel.drained();
      // Who sends too much is read more slowly.
      const now = timers.now();
      due = Math.max(due, now - burst * pause) + pause;
      if (due > now) await sleep(due - now, timers, signal);
    }
  } finally {
    gone.abort();
    await told;
  }
}

const theMessage = { en: "message", zh: "消息" };

function toAsked(
  body: z.infer<typeof TaskBody>,
  caller: Caller,
  { protocol, locale }: Listening,
): AskedTask {
  const contents = contentsOf(body);
  return { task: body.taskId ?? undefined, contents, caller, locale, canAllow: protocol !== "0.4" };
}

/** A store that was emptied knows it no more. */
function sessionGone(): AppError {
  return new AppError("internal", {
    en: "This session is gone, and the task with it. Begin a new one.",
    zh: "该会话已不存在，任务也已丢失。请新建会话。",
  });
}

/** @param status of 0.8: a task that is rejected tells it as its start */
function failed(error: AppError, locale: Locale, status: Status = "exception") {
  return sayStatus(status, { code: error.status, message: sayError(error, locale) });
}

/** Whether a message belongs to a task or to a sub-agent of it. */
function concerns(told: Told, task: string): boolean {
  if (told.kind !== "entry") return told.kind === "delta" && told.task === task;
  return told.entry.task === task || told.entry.parent === task;
}

type Shown = Exclude<Told, { kind: "over" }>;

function print(told: Shown, now: number, session: string, protocol: Protocol): string {
  const isEntry = told.kind === "entry";
  return JSON.stringify(
    isEntry ? printMessage(told.entry, protocol) : printTaskChunk(session, told, now),
  );
}

/** A frame of a message has its position as id; a browser that connects again names it. */
function printFrame(told: Shown, json: string): string {
  if (told.kind === "delta") return encodeFrame(json, "chunk");
  const isCall = told.entry.type === "functionCall";
  return `id: ${told.at}\n${isCall ? encodeFrame(json, "functionCall") : encodeFrame(json)}`;
}

function idOf(c: Ctx): string {
  return checkQuery("id", z.string().min(1), c.req.query("id") ?? c.req.query("sessionId"));
}

function protocolOf(c: Ctx): Protocol {
  const given = c.req.query("protocol") ?? "0.4";
  return checkQuery("protocol", Protocol, given.replace(/^(\d+\.\d+)\.\d+$/, "$1"));
}

function listeningOf(c: Ctx, { sources }: DoorHost): Listening {
  const protocol = protocolOf(c);
  const last = c.env.exchange.header("last-event-id") ?? "";
  const after = numberOf(c, "after", -1);
  return {
    protocol,
    locale: parseLocale(c.env.exchange.header("accept-language")) ?? sources.locale,
    // A browser that connects again sends the same address, and what it has seen since.
    after: /^\d{1,9}$/.test(last) ? Number(last) : after,
    hasDeltas: protocol === "0.8",
  };
}

function numberOf(c: Ctx, name: string, least: number): number | undefined {
  const given = c.req.query(name);
  const number = /^-?\d{1,9}$/.test(given ?? "") ? Number(given) : given;
  return checkQuery(name, z.int().min(least).optional(), number);
}

/** @throws AppError `invalid_request` with the name */
function checkQuery<Output>(name: string, schema: z.ZodType<Output>, given: unknown): Output {
  return parseValue(z.record(z.string(), schema), { [name]: given })[name] as Output;
}

function nameSession(id: string, protocol: Protocol): object {
  return protocol === "0.4" ? { id } : { sessionId: id };
}

/**
 * A page of another site can make a browser send a GET, by an image say. Browsers tell so; what they send without an
 * Origin is not looked at elsewhere.
 *
 * @throws AppError `origin_forbidden`
 */
function refuseForeignPages(c: Ctx): void {
  const { exchange } = c.env;
  const site = exchange.header("sec-fetch-site") ?? "none";
  if (exchange.header("origin") !== undefined || ["none", "same-origin"].includes(site)) return;
  throw new AppError("origin_forbidden", {
    en: "Pages of other sites may not stop or clear sessions.",
    zh: "其他网站的页面不能停止或清空会话。",
  });
}
