import type { Context } from "hono";
import { resolveLocale } from "../../turn/agents/resolve-turn.ts";
import { noRetry, toErrorResponse, toPublicError } from "../../base/errors/to-public-error.ts";
import { isRecord } from "../../base/text/json.ts";
import { KnownMember } from "../../base/wire/known-member.ts";
import { type TurnAnswer, answerTurn, eventStream, ownHead } from "../http/answer-turn.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import { readJson } from "../http/read-json.ts";
import { readRequest } from "./read-request.ts";
import { AppError } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { textsFor } from "../../flows/texts.ts";
import {
  type Action,
  type TreeAction,
  confirmAction,
  maxActions,
  maxNodes,
} from "../../turn/action.ts";
import type { ChunkHead, PlainEvent, Usage } from "../../turn/turn-event.ts";
import type { EventEncoder } from "../../run/run-turn.ts";
import { ChunkStream, type FinishReason, printChunk } from "../../model/chat/chat-chunk.ts";
import { addUsage } from "../../turn/figures.ts";
import { encodeFrame } from "../../base/wire/sse-frames.ts";

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
  const createEncoder = (id: string, model: string, locale: Locale): EventEncoder =>
    createCopilotEncoder({
      head: ownHead(id, model, host.now()),
      doneMarker,
      locale,
      requestId: id,
    });
  return {
    async read(admission) {
      const { limits } = host;
      const body = await readJson(exchange, limits, definitions);
      // Also of a body that is not taken.
      language = isRecord(body) ? body["language"] : undefined;
      const envelope = { admission, pathAgent: c.req.param("agent"), acceptLanguage };
      return readRequest(body, envelope, host, definitions);
    },
    encoder: ({ id, modelId, model, locale }) => createEncoder(id, modelId ?? model.name, locale),
    refuse(error, id) {
      const named = typeof language === "string" ? language : undefined;
      const locale = resolveLocale([named, acceptLanguage], host.sources.locale);
      if (error.code !== "state_invalid" && error.code !== "state_expired")
        return toErrorResponse(error, id, toPublicError(error, id, locale));
      return refuseState(error, id, locale, createEncoder(id, "rightseat", locale));
    },
  };
}

/** A state that cannot be used gets the status of a refusal, and for the person a stream with a way on. */
function refuseState(error: AppError, id: string, locale: Locale, encode: EventEncoder): Response {
  const action = confirmAction({ ...textsFor(locale).startOver, command: "default" });
  const events: PlainEvent[] = [
    { type: "action", action },
    { type: "turn-error", error },
    { type: "turn-end", reason: "error" },
  ];
  const headers = { ...eventStream, ...noRetry, "x-request-id": id };
  const body = events.map((event) => encode(event)).join("");
  return new Response(body, { status: error.status, headers });
}

interface EncoderOptions {
  /** The head of our own chunks; frames of a model bring theirs. */
  head: ChunkHead;
  doneMarker: string;
  locale: Locale;
  requestId: string;
}

/**
 * Turns events into the platform's SSE: OpenAI chunks with one id, `copilot_action` frames, one
 * finish reason, and the end marker (platform document, response; 3.3 and 3.4 of our promises). A proposed
 * edit is a chunk without text whose `rightseat.edit` other clients pass over.
 */
export function createCopilotEncoder(options: EncoderOptions): EventEncoder {
  const { head, doneMarker, locale, requestId } = options;
  const chunks = new ChunkStream(head);
  let usage: Usage | undefined;
  let error: AppError | undefined;
  const actions = createActionPrinter();

  /** The last chunk and the end marker; after an error the chunk holds a sentence for the person. */
  const printEnd = (reason: FinishReason): string => {
    const counted = usage === undefined ? {} : { usage };
    const last =
      error === undefined
        ? printChunk(chunks.head, {}, reason, counted)
        : printChunk(chunks.head, { content: `\n\n${error.sentence(locale)}` }, "error", {
            ...counted,
            error: toPublicError(error, requestId, locale),
          });
    return encodeFrame(last) + encodeFrame(doneMarker);
  };
  const encode = (event: PlainEvent): string => {
    switch (event.type) {
      case "text-delta":
        return chunks.delta({ content: event.text });
      case "reasoning-delta":
        return chunks.delta({ reasoning_content: event.text });
      case "action": {
        const json = actions.print(event.action);
        return json === undefined ? "" : encodeFrame(json, "copilot_action");
      }
      case "answer-fault": {
        const { text, retry } = event;
        const button = retry === undefined ? "" : encode({ type: "action", action: retry });
        return chunks.delta({ content: text }) + button;
      }
      case "edit":
        return chunks.delta({}, { rightseat: { edit: event.edit } });
      case "upstream-event":
        return encodeFrame(event.data, event.event);
      case "usage":
        usage = addUsage(usage, event.usage);
        return "";
      case "turn-error":
        error = event.error;
        return "";
      case "turn-end": {
        const note = actions.hasLeftOut
          ? chunks.delta({ content: `\n\n${textsFor(locale).leftOut}\n` })
          : "";
        const reason = event.reason === "aborted" ? "error" : event.reason;
        return note + printEnd(reason);
      }
      case "context-receipt":
      case "text-was-reasoning":
      // The platform document has no words for what a flow of ours calls.
      case "tool-call":
      case "tool-result":
      case "tree-lines":
      case "model-busy":
      case "model-answer":
      case "model-answers":
        return "";
    }
  };
  return Object.assign(encode, { frames: chunks.frames.bind(chunks) });
}

/** Of all actions of one answer as JSON, in characters. A state or a prompt may hold what the person has sent. */
const maxLength = 4 * 1024 * 1024;

/** Prints the actions of one answer, within what a client can take. */
export function createActionPrinter() {
  let count = 0;
  let length = 0;
  let hasLeftOut = false;
  return {
    /** The action's JSON, with fewer nodes where it is a tree of too many; undefined where there is no room for it. */
    print(action: Action): string | undefined {
      const shown = action.action === "tree" ? cutTree(action) : action;
      hasLeftOut ||= shown !== action;
      // What would be too long even without quotes is not printed first: each node may hold the whole prompt.
      const hasRoom = count < maxActions && length + countText(shown) <= maxLength;
      const json = hasRoom ? JSON.stringify(shown) : undefined;
      if (json === undefined || length + json.length > maxLength) {
        hasLeftOut = true;
        return undefined;
      }
      count++;
      length += json.length;
      return json;
    },
    /** Whether anything was left out. */
    get hasLeftOut(): boolean {
      return hasLeftOut;
    },
  };
}

/** The characters of all texts in a value of JSON: no more than it takes printed. */
function countText(action: Action): number {
  let length = 0;
  const all: unknown[] = [action];
  // What is found in it is added to the list while it is gone through.
  for (const value of all)
    for (const item of Object.values(Object(value)))
      if (typeof item === "string") length += item.length;
      else if (typeof item === "object") all.push(item);
  return length;
}

/** Parents come before their children, so that the first nodes are a tree, too. */
function cutTree(action: TreeAction): TreeAction {
  if (action.data.nodes.length <= maxNodes) return action;
  return { ...action, data: { ...action.data, nodes: action.data.nodes.slice(0, maxNodes) } };
}
