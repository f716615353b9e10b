import { getLogger } from "@logtape/logtape";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { sayError } from "../../base/errors/to-public-error.ts";
import { describeFault } from "../../base/errors/describe-cause.ts";
import { closeCodes } from "../../base/wire/channel.ts";
import { createIdeServices } from "./ide-services.ts";
import { type ModelTimes, createPluginModels } from "./plugin-models.ts";
import { checkPluginRequest, listModels, localeOf, missingFields } from "./read-request.ts";
import { PluginRequest } from "./schema.ts";
import { FrameWriter } from "./frame-writer.ts";
import { PluginTask, type TaskParts } from "./plugin-task.ts";
import { type JsonLimits, endOfString, endOfValue, isRecord } from "../../base/text/json.ts";
import { parseText, parseValue } from "../http/read-json.ts";

export interface ConnectionParts extends Omit<TaskParts, "ide" | "models"> {
  /** Milliseconds without a message or a task after which the connection is closed. */
  idleTimeout: number;
  /** Of models on the plugin's side. */
  modelTimes: ModelTimes;
}

/**
 * One plugin on its connection: its messages are answered in their order, tasks run beside them, one at a
 * time. When the connection is over, its task is aborted.
 */
export class PluginConnection {
  readonly #parts: ConnectionParts & TaskParts;
  /** The one that was asked for last, until it is over. */
  #task: PluginTask | undefined;
  #isRunning = false;
  #knowsPlaces = false;
  #lastMessage = 0;

  constructor(parts: ConnectionParts) {
    const { channel, host, modelTimes } = parts;
    const ide = createIdeServices(channel, host.timers, () => this.#remember());
    this.#parts = { ...parts, ide, models: createPluginModels(channel, host.timers, modelTimes) };
  }

  /** Resolves when the connection is over. */
  async serve(): Promise<void> {
    const stopIdle = this.#watchIdle();
    try {
      for await (const text of this.#parts.channel.receive) {
        this.#lastMessage = this.#parts.host.timers.now();
        await this.#take(text);
      }
    } finally {
      stopIdle();
      this.#task?.stop(new AppError("aborted", { en: "The client left.", zh: "客户端已断开。" }));
    }
  }

  async #take(text: string): Promise<void> {
    const { channel, host } = this.#parts;
    const message = readPluginMessage(text, host.limits);
    const writer = new FrameWriter(channel, message.id, false);
    try {
      if (!message.ok) throw message.error;
      this.#answer(message.id, message.value);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === "internal")
        getLogger(["rightseat", "plugin"]).error("a message failed: {cause}", {
          cause: describeFault(error.cause),
        });
      const language = message.ok ? message.value["language"] : undefined;
      const locale = localeOf({ language: typeof language === "string" ? language : undefined });
      writer.fail(sayError(error, locale));
    }
    // Whoever does not read is not read.
    await channel.drained();
  }

  #answer(id: string | undefined, value: Record<string, unknown>): void {
    const { channel, host, ide, models } = this.#parts;
    // What the plugin answers is not a request, and gets no answer.
    if (value["cmd"] === undefined && value["ide_request_id"] !== undefined) return ide.take(value);
    // Some send our own cmd back with it.
    const isChat = value["cmd"] === undefined || value["cmd"] === "llm_chat";
    if (isChat && value["llm_request_id"] !== undefined) return models.take(value);
    const request = parseValue(PluginRequest, value);
    const { ide_services: services, root, queue_place: place, ide_rest_until: rest } = request;
    ide.announce(services, root);
    if (typeof rest === "number") ide.rest = rest - host.now();
    if (place !== undefined) this.#knowsPlaces = place === true;
    if (services !== undefined || root !== undefined || place !== undefined) this.#remember();
    const send = (fields: string): void => void channel.send(`{"request_id":${id},${fields}}`);
    if (request.cmd === "hello" && id === undefined) return;
    if (id === undefined) throw missingFields(["request_id"]);
    if (request.cmd === "hello")
      return send(
        `"ide_services":${JSON.stringify(ide.offered)},"queue_place":${this.#knowsPlaces}`,
      );
    if (request.cmd === "list_model")
      return send(`"models":${JSON.stringify(listModels(host.sources))}`);
    checkPluginRequest(request, host.sources);
    this.#task?.cancel();
    this.#task = new PluginTask(this.#parts, request, id, this.#knowsPlaces);
    if (!this.#isRunning) void this.#runTasks();
  }

  /** What the plugin has said about itself, as a hello that gets no answer. */
  #remember(): void {
    const { channel, ide, host } = this.#parts;
    const told = {
      ide_services: ide.offered,
      root: ide.root,
      queue_place: this.#knowsPlaces,
      // The clock of timers may begin anew.
      ...(ide.rest > 0 ? { ide_rest_until: host.now() + ide.rest } : {}),
    };
    channel.remember?.(JSON.stringify({ cmd: "hello", ...told }));
  }

  /** One after the other, so that a task that is cancelled gives its place back before the next asks for one. */
  async #runTasks(): Promise<void> {
    this.#isRunning = true;
    while (this.#task !== undefined) {
      const task: PluginTask = this.#task;
      await task.run();
      if (this.#task === task) this.#task = undefined;
      this.#lastMessage = this.#parts.host.timers.now();
    }
    this.#isRunning = false;
  }

  /** @returns ends it */
  #watchIdle(): () => void {
    const { idleTimeout, channel, host } = this.#parts;
    const { timers } = host;
    // A timer would keep the connection's owner awake.
    if (channel.remember !== undefined) return () => undefined;
    this.#lastMessage = timers.now();
    const look = (): void => {
      const idle = this.#task === undefined ? timers.now() - this.#lastMessage : 0;
      if (idle >= idleTimeout) channel.close(closeCodes.idle, "No request for too long.");
      else stop = timers.start(look, idleTimeout - idle);
    };
    let stop = timers.start(look, idleTimeout);
    return () => stop();
  }
}

// A text that came over the socket as a message with its request_id.

/** What came. `id` is the request_id as JSON, exactly as it was written; undefined where there was none. */
type Message =
  | { ok: true; id: string | undefined; value: Record<string, unknown> }
  | { ok: false; id: string | undefined; error: AppError };

const theMessage = { en: "message", zh: "消息" };

export function readPluginMessage(message: string, limits: JsonLimits): Message {
  // A byte-order mark may be passed over (RFC 8259, section 8.1).
  const text = message.startsWith("\ufeff") ? message.slice(1) : message;
  try {
    const value = parseText(text, limits, theMessage);
    if (isRecord(value)) return { ok: true, id: printId(value["request_id"], text), value };
    const problem = { en: "A message must be a JSON object.", zh: "消息必须是 JSON 对象。" };
    return { ok: false, id: undefined, error: new AppError("invalid_request", problem) };
  } catch (thrown) {
    return { ok: false, id: findId(text), error: toAppError(thrown) };
  }
}

/** Numbers that are larger than ours can be are echoed digit by digit. */
function printId(id: unknown, text: string): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id !== "number" || Number.isSafeInteger(id)) return JSON.stringify(id);
  const written = findId(text);
  return written !== undefined && Number(written) === id ? written : JSON.stringify(id);
}

const idName = /"request_id"[ \t\r\n]*:[ \t\r\n]*/y;
/** A number or a word: whole, so that no piece of a longer one is taken for it. */
const plain = /[-\w.+]+/y;
/** A message whose quotes do not match is looked through for it. */
const anywhere =
  /"request_id"\s*:\s*("(?:[^"\\]|\\.){0,1000}"|-?\d{1,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,9})?|true|false|null)(?![\w.+-])/;
/** In characters. */
const maxLook = 64 * 1_024;

/**
 * The value of the last `request_id` that is a field of the message itself, as it was written, where it is whole and
 * valid JSON: also of a message that is not.
 */
function findId(text: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    if (sign !== '"') continue;
    idName.lastIndex = at;
    if (depth === 1 && idName.test(text)) found = readValue(text, idName.lastIndex) ?? found;
    at = endOfString(text, at);
    if (at === -1) break;
  }
  return found ?? validOf(anywhere.exec(text.slice(0, maxLook))?.[1]);
}

function readValue(text: string, at: number): string | undefined {
  plain.lastIndex = at;
  if (plain.test(text)) return validOf(text.slice(at, plain.lastIndex));
  const end = /["{[]/.test(text.charAt(at)) ? endOfValue(text, at, text.length) : -1;
  return end === -1 ? undefined : validOf(text.slice(at, end));
}

function validOf(value: string | undefined): string | undefined {
  try {
    if (value !== undefined) JSON.parse(value);
    return value;
  } catch {
    return undefined;
  }
}
