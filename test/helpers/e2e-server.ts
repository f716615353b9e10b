// Starts the product on a free port of loopback, and reads what it answers.
import { type Socket, connect } from "node:net";
import { expect } from "vitest";
import { type RunningServer, startServer } from "../../src/start-server.node.ts";
import { createFrameReader } from "../../src/base/wire/sse-frames.ts";
import { copilotRequest } from "./copilot-request.ts";
import { type TestSettings, splitSettings } from "./test-settings.ts";

export interface TestServer extends AsyncDisposable, Omit<RunningServer, "close"> {
  close(): Promise<void>;
}

/** Nothing of the real environment is read; a test that fails must not wait for the drain. */
export async function startRightseat(settings: TestSettings = {}): Promise<TestServer> {
  const { environment, limits } = splitSettings(settings);
  const server = await startServer({
    environment: { RIGHTSEAT_PORT: "0", RIGHTSEAT_DRAIN_TIMEOUT_MS: "500", ...environment },
    limits,
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= server.close());
  return { ...server, close, [Symbol.asyncDispose]: close };
}

export const explain = JSON.stringify(copilotRequest("explain"));

export interface AskOptions {
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Told all that has come so far, each time that more comes. */
  onText?: (text: string) => void;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Asks for an explanation and reads the answer to its end. */
export async function ask(url: string, options: AskOptions = {}): Promise<Answer> {
  const { headers = {}, body = explain, signal, onText } = options;
  const response = await fetch(`${url}/agents/rightseat`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    onText?.(text);
  }
  return { status: response.status, headers: response.headers, text: text + decoder.decode() };
}

interface Chunk {
  id: string;
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  error?: { type: string; code: string; message: string; request_id: string };
}

export interface ReadAnswer {
  /** What the model and we said, joined. */
  said: string;
  /** All finish reasons; an answer has one. */
  reasons: string[];
  error: Chunk["error"];
}

/** Reads a stream as strictly as our promises are: one id, JSON in every event, the end marker last. */
export function readAnswer(text: string): ReadAnswer {
  expect(text.slice(-16)).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  const frames = createFrameReader(text.length + 1).feed(text);
  const chunks = frames
    .slice(0, -1)
    .filter(({ event }) => event === undefined)
    .map(({ data }) => JSON.parse(data) as Chunk);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  return {
    said: choices.map(({ delta }) => delta.content ?? "").join(""),
    reasons: choices.flatMap(({ finish_reason: reason }) => (reason === null ? [] : [reason])),
    error: chunks.at(-1)?.error,
  };
}

export interface RawClient {
  socket: Socket;
  /** All that has come so far. */
  readonly received: string;
  /** Resolves as soon as what has come holds the text. */
  has(text: string): Promise<void>;
  /** Resolves with all that came, when the server has ended the connection. */
  ended: Promise<string>;
}

/** A connection to the server on which a test writes its own bytes. */
export function openRaw(url: string): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  const waiting = new Set<() => void>();
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    received += bytes.toString("utf8");
    for (const look of waiting) look();
  });
  const ended = new Promise<string>((resolve) => {
    socket.once("close", () => resolve(received));
  });
  return {
    socket,
    ended,
    get received() {
      return received;
    },
    has(text) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!received.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        socket.once("close", () => reject(new Error(`The connection ended: ${received}`)));
        waiting.add(look);
        look();
      });
    },
  };
}

/** The bytes of a POST, with a length unless `headers` say how long it is. */
export function postBytes(body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body);
  const isTold = headers.some((header) => /^(?:content-length|transfer-encoding):/i.test(header));
  const lines = [
    "POST /agents/rightseat HTTP/1.1",
    "host: 127.0.0.1",
    "content-type: application/json",
    ...headers,
    ...(isTold ? [] : [`content-length: ${bytes.byteLength}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]);
}
