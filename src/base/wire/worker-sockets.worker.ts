// WebSockets of the Workers runtime, whose types would replace the web's.
import { type SleepingChannel, createSleepingChannel } from "./channel.ts";
import { createTimers } from "./patient-timer.ts";

export interface RuntimeSocket {
  /** Its messages come as events from here on. */
  accept(): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number }) => void): void;
  addEventListener(type: "close" | "error", listener: () => void): void;
  /** Keeps a value beside the socket while the object that holds it sleeps. */
  serializeAttachment(value: unknown): void;
  deserializeAttachment(): unknown;
}

/** A Durable Object from outside. */
export interface DurableObject {
  fetch(request: Request): Promise<Response>;
}

export type FindObject = (name: string) => DurableObject;

/** Opens a WebSocket to an object, which is still to be accepted. @throws Error where it gives none */
export async function openSocketTo(
  object: DurableObject,
  query: Readonly<Record<string, string>>,
): Promise<RuntimeSocket> {
  const url = new URL("https://object.invalid/");
  url.search = new URLSearchParams(query).toString();
  const response = await object.fetch(new Request(url, { headers: { upgrade: "websocket" } }));
  // A field of this runtime's responses.
  const socket = Reflect.get(response, "webSocket") as RuntimeSocket | null | undefined;
  if (!socket) throw new Error(`The object answered with status ${response.status}.`);
  return socket;
}

/** The client's end and ours. */
export function createSocketPair(): { 0: RuntimeSocket; 1: RuntimeSocket } {
  const Pair = Reflect.get(globalThis, "WebSocketPair") as new () => ReturnType<
    typeof createSocketPair
  >;
  return new Pair();
}

/** The answer to a request for a WebSocket. @param protocol the chosen subprotocol */
export function upgradeWith(client: RuntimeSocket, protocol?: string): Response {
  const headers = protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
  // `webSocket` is a field of this runtime's responses.
  const opened: ResponseInit & { webSocket: unknown } = {
    status: 101,
    webSocket: client,
    headers,
  };
  return new Response(null, opened);
}

/** A channel over a socket whose owner stays awake for it. @param maxMessage in bytes */
export function acceptChannel(socket: RuntimeSocket, maxMessage: number): SleepingChannel {
  const remember = (): void => undefined;
  const channel = createSleepingChannel(socket, { maxMessage, remember, timers: createTimers() });
  // The runtime gives nothing else.
  socket.addEventListener("message", ({ data }) => channel.push(data as string | ArrayBuffer));
  socket.addEventListener("close", ({ code }) => {
    channel.finish();
    answerClose(socket, code);
  });
  socket.addEventListener("error", () => channel.finish());
  socket.accept();
  return channel;
}

/** The client waits for our half of the handshake, with its own code; these two no frame can carry. */
export function answerClose(socket: RuntimeSocket, code: number, reason?: string): void {
  if (code === 1005 || code === 1006) socket.close();
  else socket.close(code, reason);
}
