import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, Flood } from "./attack.ts";

export interface AttackAnswer {
  /** HTTP status; 0 where the connection broke or nothing came in time. */
  status: number;
  milliseconds: number;
}

const longest = 60_000;

/**
 * Sends one request of an attack and reads its answer to the end.
 *
 * @param leaveAfter milliseconds after which the client leaves
 */
export function sendAttack(
  url: string,
  attack: Pick<Attack, "headers">,
  body: string | Uint8Array,
  leaveAfter?: number,
): Promise<AttackAnswer> {
  return new Promise((resolve) => {
    const start = performance.now();
    const end = (status: number): void => {
      clearTimeout(timer);
      resolve({ status, milliseconds: performance.now() - start });
    };
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...attack.headers,
    };
    const asking = request(url, { method: "POST", headers, agent: false }, (response) => {
      response
        .resume()
        .on("end", () => end(response.statusCode ?? 0))
        .on("error", () => end(0));
    });
    asking.on("error", () => end(0));
    const timer = setTimeout(() => asking.destroy(), leaveAfter ?? longest);
    asking.end(body);
  });
}

const floodTime = 1_000;
const upgrade = [
  "GET /ws HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
];

/** Floods the server over one connection. @returns the status of its first answer */
export async function sendFlood(url: string, flood: Flood): Promise<AttackAnswer> {
  const start = performance.now();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  let status = 0;
  const opened = new Promise<void>((resolve) => {
    socket.once("data", (bytes) => {
      status = Number(bytes.toString("latin1", 9, 12));
      if (flood.reads) socket.resume();
      else socket.pause();
      resolve();
    });
  });
  if (flood.isSocket) {
    socket.write(`${upgrade.join("\r\n")}\r\n\r\n`);
    await Promise.race([opened, wait(floodTime)]);
  }
  const bytes = flood.bytes();
  const send = (): void => {
    if (!socket.destroyed) socket.write(bytes, send);
  };
  send();
  await wait(floodTime);
  await Promise.race([opened, wait(floodTime)]);
  socket.destroy();
  return { status, milliseconds: performance.now() - start };
}
