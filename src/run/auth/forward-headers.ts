import type { Exchange } from "../../base/wire/exchange.ts";
import type { ApiKeys } from "./api-keys.ts";

/** What is read of a request's head. */
export type RequestHead = Pick<Exchange, "header" | "headerNames">;

/** Reads the headers that may travel on; `userId` is the subject of the token that was shown. */
export type Forward = (head: RequestHead, userId?: string) => Record<string, string>;

/** They belong to one connection or hop, or to the body and the form of one message (RFC 9110, 7.6 and 8). */
const neverForwarded =
  /^(?:accept|accept-encoding|connection|content-(?:encoding|length|type)|expect|forwarded|host|http2-settings|keep-alive|proxy-.+|sec-websocket-.+|te|trailer|transfer-encoding|upgrade)$/;
/**
 * They say who somebody is, which way a message came, or what its body was: `*` and `c*` do not mean them, only what
 * itself begins so.
 */
const onlyNamed = /^(?:cookie2?$|x-forwarded-|content-|digest$|repr-digest$)/;

/** Whether a name or a form such as `x-ide-*` can be listed; `*` means all that may travel on. */
export function isForwardable(name: string): boolean {
  return /^(?:[a-z0-9][a-z0-9_-]*\*?|\*)$/.test(name) && !neverForwarded.test(name);
}

/**
 * @param names in lower case; one that ends in `*` stands for all that begin with it
 * @param keys no header that holds one of them anywhere travels on
 */
export function createForward(names: readonly string[], keys: ApiKeys): Forward {
  const whole = new Set(names.filter((name) => !name.endsWith("*")));
  const beginnings = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const isListed = (name: string): boolean =>
    whole.has(name) ||
    beginnings.some(
      (beginning) =>
        name.startsWith(beginning) && (!onlyNamed.test(name) || onlyNamed.test(beginning)),
    );
  return (head, userId) => {
    const ofConnection = (head.header("connection") ?? "").toLowerCase().split(/[\s,]+/);
    const forward: Record<string, string> = {};
    for (const name of head.headerNames()) {
      if (!isListed(name) || neverForwarded.test(name) || ofConnection.includes(name)) continue;
      const value = head.header(name);
      if (value === undefined || keys.areIn(value)) continue;
      // The token says who asks; a header that says somebody else is wrong, or worse.
      if (name === "x-user-id" && userId !== undefined && value !== userId) continue;
      forward[name] = value;
    }
    return forward;
  };
}
