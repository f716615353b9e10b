import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, Flood } from "./attacks.ts";

const longest = 60_000;
const floodTime = 1_000;
const upgrade = [
  "GET /ws HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
  "\r\n",
].join("\r\n");

/**
 * Sends one request of an attack and reads its answer to the end.
 *
 * @param leaveAfter milliseconds after which the client leaves
 * @returns the HTTP status; 0 where the connection broke or nothing came in time
 */
export function sendAttack(
  url: string,
  attack: Pick<Attack, "headers">,
  body: string | Uint8Array,
  leaveAfter = longest,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const length = Buffer.byteLength(body);
  const fixed = { "content-type": "application/json", "content-length": length };
  const headers = { ...fixed, ...attack.headers };
  const asking = request(url, { method: "POST", headers, agent: false }, (response) => {
    response.resume().on("end", () => resolve(response.statusCode ?? 0));
    response.on("error", () => resolve(0));
  });
  asking.on("error", () => resolve(0));
  const timer = setTimeout(() => asking.destroy(), leaveAfter);
  asking.end(body);
  return promise.finally(() => clearTimeout(timer));
}

/** Floods the server over one connection. @returns the status of its first answer */
export async function sendFlood(url: string, flood: Flood): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  const opened = Promise.withResolvers<number>();
  socket.once("data", (bytes) => {
    opened.resolve(Number(bytes.toString("latin1", 9, 12)));
    if (flood.reads) socket.resume();
    else socket.pause();
  });
  if (flood.isSocket) {
    socket.write(upgrade);
    await Promise.race([opened.promise, wait(floodTime)]);
  }
  const bytes = flood.bytes();
  const send = (): void => {
    if (!socket.destroyed) socket.write(bytes, send);
  };
  send();
  await wait(floodTime);
  const status = await Promise.race([opened.promise, wait(floodTime, 0)]);
  socket.destroy();
  return status;
}
