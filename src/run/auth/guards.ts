import { AppError } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import { createApiKeys, holdsKey } from "./api-keys.ts";
import type { KeySetDeps } from "./key-set.ts";
import { type TokenSettings, createTokenCheck } from "./verify-token.ts";
import type { Caller } from "../../turn/chat-model.ts";
import type { Exchange } from "../../base/wire/exchange.ts";

export interface GuardSettings extends TokenSettings {
  /** Names that the Host header may carry, without port; undefined allows every name. */
  allowedHosts: readonly string[] | undefined;
  /** Other origins whose pages may call; `*` for all. */
  corsOrigins: readonly string[];
  apiKeys: readonly string[];
  /** Of the plugin door, as `createKeyRing` takes them: they let nobody in here, and do not travel on either. */
  pluginKeys?: readonly string[];
  /** Headers that travel on to the platform, as `createForward` takes them. */
  forwardHeaders: readonly string[];
}

/** What a Host header is: a name or an address, and perhaps a port; no userinfo, no list. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::\d{1,5})?$/i;
const maxHost = 300;

/**
 * Refuses what a page of another site could make a browser send: foreign Host names and origins. A Host
 * that servers could understand in several ways is refused, too.
 *
 * @throws AppError `invalid_request`, `host_forbidden` or `origin_forbidden`
 */
export function checkBrowser(head: Pick<RequestHead, "header">, settings: GuardSettings): void {
  const { allowedHosts, corsOrigins } = settings;
  const host = head.header("host");
  if (host !== undefined && (host.length > maxHost || !hostForm.test(host))) {
    throw new AppError("invalid_request", {
      en: `Host ${quoteName(host)} is not valid. Send one host name, with a port if there is one.`,
      zh: `Host ${quoteName(host, "zh")}无效，请发送一个主机名，有端口时带上端口。`,
    });
  }
  // Only a request made in-process has no Host; a browser always sends one.
  if (host !== undefined && allowedHosts !== undefined && !allowedHosts.includes(hostname(host))) {
    throw new AppError("host_forbidden", {
      en: `Host ${quoteName(host)} is not served here. Allow it by RIGHTSEAT_ALLOWED_HOSTS.`,
      zh: `此处不提供 Host ${quoteName(host, "zh")}，可通过 RIGHTSEAT_ALLOWED_HOSTS 允许。`,
    });
  }
  const origin = head.header("origin");
  if (origin !== undefined && !isAllowedOrigin(origin, host ?? "", corsOrigins)) {
    throw new AppError("origin_forbidden", {
      en: `Pages of ${quoteName(origin)} may not call this server. Allow them by RIGHTSEAT_CORS_ORIGINS.`,
      zh: `${quoteName(origin, "zh")}的页面不能调用此服务，可通过 RIGHTSEAT_CORS_ORIGINS 允许。`,
    });
  }
}

export type Identify = (head: RequestHead) => Caller | Promise<Caller>;

/**
 * Lets in who shows one of the keys (as bearer token or `x-api-key`) or a token of the issuer's
 * key set. Without either setting everybody gets in.
 *
 * @returns a function that throws AppError `unauthorized` or `keys_unavailable`
 */
export function createIdentify(settings: GuardSettings, deps: KeySetDeps): Identify {
  const { apiKeys, jwksUrl } = settings;
  const checkToken = jwksUrl === undefined ? undefined : createTokenCheck(jwksUrl, settings, deps);
  const keys = createApiKeys(apiKeys);
  const forward = createForward(settings.forwardHeaders, listKeys(settings));
  if (checkToken === undefined && apiKeys.length === 0) {
    return (head) => ({ forward: () => forward(head) });
  }
  return async (head) => {
    const bearer = bearerOf(head);
    // An IDE may send a key of its own beside ours, so both places are looked at.
    const byHeader = await keys.find(head.header("x-api-key") ?? "");
    const keyId = (await keys.find(bearer)) ?? byHeader;
    if (keyId !== undefined) return { keyId, forward: () => forward(head) };
    if (checkToken === undefined || bearer === "") {
      const kind =
        checkToken === undefined ? "key" : apiKeys.length === 0 ? "token" : "key or token";
      const how =
        checkToken === undefined
          ? {
              en: "Authorization: Bearer KEY or x-api-key: KEY",
              zh: "Authorization: Bearer KEY 或 x-api-key: KEY",
            }
          : { en: "Authorization: Bearer TOKEN", zh: "Authorization: Bearer TOKEN" };
      const isShown = bearer !== "" || head.header("x-api-key") !== undefined;
      throw new AppError(
        "unauthorized",
        {
          en: `Send a valid ${kind}, as ${how.en}.`,
          zh: `请以 ${how.zh} 的形式发送有效的${credentials[kind]}。`,
        },
        { reason: isShown ? "the key is unknown" : `no ${kind} was shown` },
      );
    }
    const userId = await checkToken(bearer);
    return { userId, forward: () => forward(head, userId) };
  };
}

/** All that is known of our keys: of a family the beginning, of a hash nothing. */
function listKeys({ apiKeys, pluginKeys = [] }: GuardSettings): string[] {
  const known = pluginKeys.filter((key) => !key.startsWith("sha256:"));
  return [...apiKeys, ...known.map((key) => (key.endsWith("*") ? key.slice(0, -1) : key))];
}

const credentials = { key: "密钥", token: "令牌", "key or token": "密钥或令牌" };

/** An empty text where the request shows none. */
function bearerOf(head: RequestHead): string {
  return /^bearer +(\S+)$/i.exec(head.header("authorization") ?? "")?.[1] ?? "";
}

/** Without port and the dot at the end, which names the same host. */
function hostname(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d+)?$/, "");
}

function isAllowedOrigin(origin: string, host: string, corsOrigins: readonly string[]): boolean {
  if (corsOrigins.includes("*") || corsOrigins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

type RequestHead = Pick<Exchange, "header" | "headerNames">;

/** Reads the headers that may travel on; `userId` is the subject of the token that was shown. */
type Forward = (head: RequestHead, userId?: string) => Record<string, string>;

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
export function createForward(names: readonly string[], keys: readonly string[]): Forward {
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
      if (value === undefined || holdsKey(value, keys)) continue;
      // The token says who asks; a header that says somebody else is wrong, or worse.
      if (name === "x-user-id" && userId !== undefined && value !== userId) continue;
      forward[name] = value;
    }
    return forward;
  };
}
