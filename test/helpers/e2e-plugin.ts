// A plugin over a real WebSocket.
import { WebSocket, type ClientOptions } from "ws";
import { type Frame, isLast } from "./plugin-client.ts";

export interface SocketClient {
  socket: WebSocket;
  send(message: unknown): void;
  next(): Promise<Frame>;
  ask(request: Frame): Promise<Frame[]>;
  /** How the server closed it. */
  closed: Promise<{ code: number; reason: string }>;
}

/** @throws Error with the status where the upgrade is refused */
export async function openSocket(
  url: string,
  options: ClientOptions & { path?: string; protocols?: string[] } = {},
): Promise<SocketClient> {
  const { path = "/ws", protocols = [], ...rest } = options;
  const socket = new WebSocket(url.replace(/^http/, "ws") + path, protocols, rest);
  const texts: string[] = [];
  let wake = (): void => undefined;
  const state = { isOver: false };
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => {
      state.isOver = true;
      wake();
      resolve({ code, reason: reason.toString() });
    });
  });
  socket.on("message", (data) => {
    texts.push((data as Buffer).toString());
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.on("error", reject);
    socket.once("unexpected-response", (_, response) => {
      reject(new Error(`refused with ${response.statusCode}`));
      socket.terminate();
    });
  });
  const client: SocketClient = {
    socket,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    async next() {
      while (texts.length === 0 && !state.isOver)
        await new Promise<void>((resolve) => (wake = resolve));
      const text = texts.shift();
      if (text === undefined) throw new Error("the connection is over");
      return JSON.parse(text) as Frame;
    },
    async ask(request) {
      client.send(request);
      const frames: Frame[] = [];
      for (;;) {
        const frame = await client.next();
        frames.push(frame);
        if (isLast(frame)) return frames;
      }
    },
  };
  return client;
}
