// A model's API as it answers on the wire; nothing here may come from node:.
import type {
  ChatApi,
  UpstreamRequest,
  UpstreamResponse,
  UpstreamTransport,
} from "../../src/model/chat/chat-api.ts";
import { type ModelRow, openAiCompatibleModel } from "../../src/model/chat/openai-compatible.ts";
import { AppError } from "../../src/base/errors/app-error.ts";
import type { ChatModel, ChatRequest } from "../../src/turn/chat-model.ts";
import type { EndReason, ModelEvent } from "../../src/turn/turn-event.ts";
import { createTimers } from "../../src/base/wire/patient-timer.ts";

const head =
  '"id":"chatcmpl-up","object":"chat.completion.chunk","created":1763600000,"model":"up-1"';

/** One chunk's JSON. */
export function chunk(delta: object, finish: string | null = null, more = ""): string {
  const choice = `{"index":0,"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`;
  return `{${head},"choices":[${choice}]${more}}`;
}

export const usageChunk = `{${head},"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`;

export const frame = (data: string): string => `data: ${data}\n\n`;

/** A whole answer of one delta for each text, with usage and end marker. */
export function answerOf(...texts: string[]): string {
  const frames = [
    chunk({ role: "assistant", content: "" }),
    ...texts.map((text) => chunk({ content: text })),
    chunk({}, "stop"),
    usageChunk,
    "[DONE]",
  ];
  return frames.map(frame).join("");
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /**
   * What comes, piece by piece; a number is a pause in milliseconds, an Error breaks the connection,
   * "hang" stays silent until the end.
   */
  body?: readonly (Uint8Array | Error | number | "hang")[];
}

export interface FakeTransport extends UpstreamTransport {
  readonly requests: UpstreamRequest[];
  /** How many answers were let go before their end. */
  readonly cancelled: number;
}

/** A transport whose n-th call gives the n-th answer (the last one again and again); an Error is thrown. */
export function fakeTransport(...answers: (FakeAnswer | Error)[]): FakeTransport {
  const requests: UpstreamRequest[] = [];
  let cancelled = 0;
  return {
    requests,
    get cancelled() {
      return cancelled;
    },
    async send(request) {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return toResponse(answer ?? {}, request.signal, () => cancelled++);
    },
  };
}

/** A transport whose answers do not end within a test; it counts the pieces that were taken. */
export function endlessTransport(): UpstreamTransport & { readonly taken: number } {
  const piece = bytesOf(frame(chunk({ content: "x".repeat(8_000) })));
  let taken = 0;
  return {
    get taken() {
      return taken;
    },
    async send() {
      return {
        status: 200,
        header: (name) => (name === "content-type" ? "text/event-stream" : undefined),
        discard: () => undefined,
        body: (async function* () {
          for (; taken < 900; taken += 1) yield piece;
        })(),
      };
    },
  };
}

function toResponse(
  { status = 200, headers = {}, body = [] }: FakeAnswer,
  signal: AbortSignal,
  onCancel: () => void,
): UpstreamResponse {
  const all: Record<string, string> = { "content-type": "text/event-stream", ...headers };
  return {
    status,
    header: (name) => all[name],
    discard: onCancel,
    body: play(body, signal, onCancel),
  };
}

async function* play(
  body: NonNullable<FakeAnswer["body"]>,
  signal: AbortSignal,
  onCancel: () => void,
): AsyncGenerator<Uint8Array> {
  let isOver = false;
  try {
    for (const piece of body) {
      if (piece instanceof Error) throw piece;
      if (piece === "hang") await aborted(signal);
      else if (typeof piece === "number") await new Promise((resume) => setTimeout(resume, piece));
      else yield piece;
    }
    isOver = true;
  } finally {
    if (!isOver) onCancel();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

export const defaultApi: Omit<ChatApi, "transport"> = {
  limits: { maxEvent: 1024 * 1024, maxAnswer: 8 * 1024 * 1024 },
  times: { firstToken: 60_000, idle: 30_000, total: 600_000 },
  retry: { retries: 1, backoff: 1, maxWait: 1_000 },
  random: () => 0.5,
  createId: () => "made",
  now: () => 1_763_600_000_500,
  timers: createTimers(),
};

/** An OpenAI-compatible model over a transport. */
export function modelOver(
  transport: UpstreamTransport,
  api: Partial<ChatApi> = {},
  more: Partial<ModelRow> = {},
): ChatModel {
  const row: ModelRow = {
    name: "up",
    baseUrl: "http://up.example/v1",
    model: "up-1",
    apiKey: "key-of-ours",
    contextWindow: 32_768,
    answerReserve: 4_096,
    maxTokensField: "max_tokens",
    streamUsage: true,
    ...more,
  };
  return openAiCompatibleModel(row, { ...defaultApi, transport, ...api });
}

/** The platform's model. */
export function platformOver(transport: UpstreamTransport): ChatModel {
  const row = { name: "platform", baseUrl: "https://platform.example/v2", isPlatform: true };
  const sizes = { contextWindow: 32_768, answerReserve: 4_096 };
  return openAiCompatibleModel({ ...row, ...sizes }, { ...defaultApi, transport });
}

/** Asks a model, and tells what came: the text, the events, and the end or the error. */
export async function askModel(
  model: ChatModel,
  asked: ChatRequest,
): Promise<{ text: string; events: ModelEvent[]; end?: EndReason; error?: AppError }> {
  const { signal } = new AbortController();
  let text = "";
  const events: ModelEvent[] = [];
  try {
    const stream = model.stream(asked, { signal, caller: { forward: () => ({}) } });
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return { text, events, end: next.value };
      events.push(next.value);
      if (next.value.type === "text-delta") text += next.value.text;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text, events, error };
  }
}
