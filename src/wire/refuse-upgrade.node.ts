import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** They speak of the connection, not of the answer. */
const skipped = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** Answers a request for a WebSocket with what its response holds, and ends the connection. */
export async function refuseUpgrade(
  { method }: IncomingMessage,
  socket: Duplex,
  response: Response,
): Promise<void> {
  const { status, headers } = response;
  const body = Buffer.from(await response.arrayBuffer());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    `Content-Length: ${body.byteLength}`,
    ...[...headers]
      .filter(([name]) => !skipped.has(name))
      .map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  socket.end(method === "HEAD" ? head : Buffer.concat([head, body]));
}
