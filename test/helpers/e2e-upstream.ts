// A model's API on a bare TCP socket, so that a test can send every byte that a server must not.
import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";

interface HeardRequest {
  /** `POST /v1/chat/completions HTTP/1.1` */
  line: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Connection {
  socket: Socket;
  request: HeardRequest;
  /** Resolves when the other side is gone. */
  closed: Promise<void>;
  /**
   * Writes the piece again and again, each time when the one before has been taken, until the other
   * side is gone or it was written so many times.
   */
  flood: (piece: string | Uint8Array, times?: number) => Promise<void>;
  /** Breaks the connection with a TCP reset. */
  reset: () => void;
}

export interface Upstream extends AsyncDisposable {
  url: string;
  readonly requests: HeardRequest[];
  /** Connections that were ever opened, also without a request. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Bytes of all writes that were taken as a whole. */
  readonly sent: number;
}

/** Called for every request, in their order; what it throws is no failure, the other side may be gone. */
export type Answer = (connection: Connection, count: number) => void | Promise<void>;

export const eventStream =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/** A whole response with a length. */
export function response(status: string, headers: readonly string[], body = ""): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return `HTTP/1.1 ${status}\r\n${[...headers, length].join("\r\n")}\r\n\r\n${body}`;
}

export async function startUpstream(answer: Answer): Promise<Upstream> {
  const requests: HeardRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let gone = 0;
  const sentOn = (socket: Socket): number => socket.bytesWritten - socket.writableLength;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => {
      socket.once("close", () => {
        gone += sentOn(socket);
        sockets.delete(socket);
        resolve();
      });
    });
    let received = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      const found = takeRequest(received);
      if (found === undefined) return;
      received = received.subarray(found.length);
      requests.push(found.request);
      const connection: Connection = {
        socket,
        request: found.request,
        closed,
        flood: (piece, times) => flood(socket, piece, times),
        reset: () => void socket.resetAndDestroy(),
      };
      Promise.resolve(answer(connection, requests.length)).catch(() => socket.destroy());
    });
  });
  const url = await listen(server);
  return {
    url,
    requests,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get sent() {
      return [...sockets].reduce((sum, socket) => sum + sentOn(socket), gone);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server that listens has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function takeRequest(bytes: Buffer): { request: HeardRequest; length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [line = "", ...fields] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const length = headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (bytes.byteLength < length) return undefined;
  const body = bytes.toString("utf8", headEnd + 4, length);
  return { request: { line, headers, body }, length };
}

async function flood(
  socket: Socket,
  piece: string | Uint8Array,
  times = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let count = 0; count < times && !socket.destroyed; count++) {
    if (socket.write(piece)) {
      // Gives the others of this process their turn.
      await new Promise(setImmediate);
      continue;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off("drain", done);
        socket.off("close", done);
        resolve();
      };
      socket.on("drain", done);
      socket.on("close", done);
    });
  }
}
