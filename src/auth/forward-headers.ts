import type { Exchange } from "../wire/exchange.ts";
import type { ApiKeys } from "./api-keys.ts";

/** What is read of a request's head. */
export type RequestHead = Pick<Exchange, "header" | "headerNames">;

/** Reads the headers that may travel on; `userId` is the subject of the token that was shown. */
export type Forward = (head: RequestHead, userId?: string) => Record<string, string>;

/** They belong to one connection, or to the body and the form of one message (RFC 9110, 7.6.1 and 8). */
const neverForwarded: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Whether a name or a form such as `x-ide-*` can be listed; the forms themselves match no header of these. */
export function isForwardable(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]*\*?$/.test(name) && !neverForwarded.has(name);
}

/**
 * @param names in lower case; one that ends in `*` stands for all that begin with it
 * @param keys no header that holds one of them anywhere travels on
 */
export function createForward(names: readonly string[], keys: ApiKeys): Forward {
  const whole = new Set(names.filter((name) => !name.endsWith("*")));
  const beginnings = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const isListed = (name: string): boolean =>
    whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  return (head, userId) => {
    const ofConnection = (head.header("connection") ?? "").toLowerCase().split(/[\s,]+/);
    const forward: Record<string, string> = {};
    for (const name of head.headerNames()) {
      if (!isListed(name) || neverForwarded.has(name) || ofConnection.includes(name)) continue;
      const value = head.header(name);
      if (value === undefined || keys.areIn(value)) continue;
      // The token says who asks; a header that says somebody else is wrong, or worse.
      if (name === "x-user-id" && userId !== undefined && value !== userId) continue;
      forward[name] = value;
    }
    return forward;
  };
}
