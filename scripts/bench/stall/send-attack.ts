import { request } from "node:http";
import type { Attack } from "./attack.ts";

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
