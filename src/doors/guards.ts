import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { HTTPException } from "hono/http-exception";
import { jwk } from "hono/jwk";
import { timingSafeEqual } from "hono/utils/buffer";
import { AppError } from "../errors/app-error.ts";
import { createKeySet } from "./key-set.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Caller } from "../turn/caller.ts";

export interface GuardSettings {
  /** Names that the Host header may carry, without port; undefined allows every name. */
  allowedHosts: readonly string[] | undefined;
  /** Other origins whose pages may call; `*` for all. */
  corsOrigins: readonly string[];
  apiKeys: readonly string[];
  jwksUrl?: string | undefined;
  jwtIssuer?: string | undefined;
  jwtAudience?: string | undefined;
}

const jwtAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;
const exposed = ["x-request-id", "x-rightseat-context", "retry-after"];

/** What every handler gets besides the request: its exchange. */
export interface DoorEnv {
  Bindings: { exchange: Exchange };
  Variables: { jwtPayload: unknown };
}

/**
 * Refuses what a page of another site could make a browser send: foreign Host names and origins.
 *
 * @throws AppError `host_forbidden` or `origin_forbidden`
 */
export function checkBrowser(exchange: Exchange, settings: GuardSettings): void {
  const { allowedHosts, corsOrigins } = settings;
  const host = exchange.header("host");
  // Only a request made in-process has no Host; a browser always sends one.
  if (host !== undefined && allowedHosts !== undefined && !allowedHosts.includes(hostname(host))) {
    throw new AppError(
      "host_forbidden",
      `Host ${JSON.stringify(host)} is not served here. Allow it by RIGHTSEAT_ALLOWED_HOSTS.`,
    );
  }
  const origin = exchange.header("origin");
  if (origin !== undefined && !isAllowedOrigin(origin, host ?? "", corsOrigins)) {
    throw new AppError(
      "origin_forbidden",
      `Pages of ${JSON.stringify(origin)} may not call this server. Allow them by RIGHTSEAT_CORS_ORIGINS.`,
    );
  }
}

export function allowOrigins({ corsOrigins }: GuardSettings): MiddlewareHandler {
  const origin = corsOrigins.includes("*") ? "*" : [...corsOrigins];
  return cors({ origin, allowMethods: ["GET", "POST"], exposeHeaders: exposed, maxAge: 600 });
}

/** Tells who asks. */
export type Identify = (c: Context<DoorEnv>) => Caller | Promise<Caller>;

/**
 * Lets in who shows one of the keys (as bearer token or `x-api-key`) or a token of the issuer's
 * key set. Without either setting everybody gets in.
 *
 * @returns a function that throws AppError `unauthorized`
 */
export function createIdentify(settings: GuardSettings): Identify {
  const { apiKeys: keys, jwksUrl } = settings;
  const verify = jwksUrl === undefined ? undefined : verifyTokens(settings, jwksUrl);
  if (verify === undefined && keys.length === 0) {
    return ({ env }) => ({ forward: () => forwardable(env.exchange) });
  }
  return async (c) => {
    const caller = await findByKey(keys, c.env.exchange);
    if (caller !== undefined) return caller;
    if (verify !== undefined) return verify(c);
    throw new AppError(
      "unauthorized",
      "Send a valid key, as Authorization: Bearer KEY or x-api-key: KEY.",
    );
  };
}

async function findByKey(keys: readonly string[], exchange: Exchange): Promise<Caller | undefined> {
  const authorization = exchange.header("authorization") ?? "";
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  // An IDE may send a key of its own beside ours, so both places are looked at.
  const found = [
    await findKey(keys, exchange.header("x-api-key") ?? ""),
    await findKey(keys, bearer),
  ];
  const index = Math.max(...found);
  if (index === -1) return undefined;
  const forward = forwardable(exchange);
  // A key of ours is nobody else's business, however it is written.
  if (keys.some((key) => authorization.includes(key))) delete forward["authorization"];
  return { keyId: `key-${index + 1}`, forward: () => forward };
}

function verifyTokens(settings: GuardSettings, jwksUrl: string): Identify {
  const keySet = createKeySet(jwksUrl, (...args) => fetch(...args), Date.now);
  const verify = jwk({
    keys: () => keySet.keys(),
    alg: [...jwtAlgorithms],
    verification: {
      ...(settings.jwtIssuer === undefined ? {} : { iss: settings.jwtIssuer }),
      ...(settings.jwtAudience === undefined ? {} : { aud: settings.jwtAudience }),
    },
  });
  return async (c) => {
    // The middleware would take keys that cannot be had for a bad token.
    await keySet.keys();
    try {
      await verify(c, () => Promise.resolve());
    } catch (cause) {
      if (!(cause instanceof HTTPException)) throw cause;
      keySet.doubt();
      throw new AppError("unauthorized", "Send a valid token, as Authorization: Bearer TOKEN.", {
        cause,
      });
    }
    const payload: unknown = c.get("jwtPayload");
    const subject: unknown =
      typeof payload === "object" && payload !== null ? Reflect.get(payload, "sub") : undefined;
    const forward = (): Record<string, string> => forwardable(c.env.exchange);
    return typeof subject === "string" ? { userId: subject, forward } : { forward };
  };
}

/** Compares with every key, so that the time does not tell which one was nearly right. */
async function findKey(keys: readonly string[], shown: string): Promise<number> {
  const equal = await Promise.all(keys.map((key) => timingSafeEqual(key, shown)));
  return equal.indexOf(true);
}

/** The only headers that may travel on, and only to the configured platform (promises, 3.6). */
function forwardable(exchange: Exchange): Record<string, string> {
  const forward: Record<string, string> = {};
  for (const name of ["authorization", "x-request-id", "traceparent", "accept-language"]) {
    const value = exchange.header(name);
    if (value !== undefined) forward[name] = value;
  }
  return forward;
}

function hostname(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "");
}

function isAllowedOrigin(origin: string, host: string, corsOrigins: readonly string[]): boolean {
  if (corsOrigins.includes("*") || corsOrigins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
