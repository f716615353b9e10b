import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { Exchange } from "../../base/wire/exchange.ts";

/** What every handler gets besides the request: its exchange. */
export interface DoorEnv {
  Bindings: { exchange: Exchange };
}

const exposed = ["x-request-id", "x-rightseat-context", "retry-after"];

/** @param corsOrigins other origins whose pages may call; `*` for all */
export function allowOrigins(corsOrigins: readonly string[]): MiddlewareHandler {
  const origin = corsOrigins.includes("*") ? "*" : [...corsOrigins];
  return cors({ origin, allowMethods: ["GET", "POST"], exposeHeaders: exposed, maxAge: 600 });
}
