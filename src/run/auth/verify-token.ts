import * as z from "zod";
import {
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
} from "jose";
import { AppError } from "../../base/errors/app-error.ts";
import { describeConnection, nameCause } from "../../base/errors/describe-cause.ts";
import { BodyTooLarge, readStream } from "../../base/wire/exchange.ts";

interface TokenSettings {
  jwksUrl: string;
  jwtIssuer?: string | undefined;
  jwtAudience?: string | undefined;
}

export type TokenDeps = KeySetDeps;

/** Signatures with a public key only: a shared secret could be that public key. */
const algorithms = [
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
];
/** What the clocks of issuer and server may differ by, in seconds. */
const clockTolerance = 5;
/** In characters (OpenID Connect Core, section 2). */
const maxSubject = 255;

/**
 * Checks tokens (JWT) with an issuer's key set: signature, `exp` (required), `nbf`, `iss` and `aud` where
 * the settings name them, and `sub` (required), since limits and states are bound to whom it names. A
 * token must name its key (`kid`); extensions that it calls critical are refused.
 *
 * @returns checks a token and answers its subject; throws AppError `unauthorized`, `keys_unavailable`
 */
export function createTokenCheck(
  { jwksUrl, jwtIssuer, jwtAudience }: TokenSettings,
  deps: TokenDeps,
): (token: string) => Promise<string> {
  const findKey = createKeySet(jwksUrl, deps);
  const options: JWTVerifyOptions = {
    algorithms,
    clockTolerance,
    requiredClaims: ["exp", "sub"],
    ...(jwtIssuer === undefined ? {} : { issuer: jwtIssuer }),
    ...(jwtAudience === undefined ? {} : { audience: jwtAudience }),
  };
  return async (token) => {
    try {
      const now = { ...options, currentDate: new Date(deps.now()) };
      const find: typeof findKey = (header, jws) => {
        if (!header.kid) throw new errors.JWKSNoMatchingKey();
        return findKey(header, jws);
      };
      return subjectOf(await verify(token, find, now));
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      const message = {
        en: "Send a valid token, as Authorization: Bearer TOKEN.",
        zh: "请以 Authorization: Bearer TOKEN 的形式发送有效的令牌。",
      };
      throw new AppError("unauthorized", message, { cause: thrown, reason: reasonOf(thrown) });
    }
  };
}

async function verify(
  token: string,
  findKey: ReturnType<typeof createKeySet>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, findKey, options)).payload;
  } catch (thrown) {
    if (!(thrown instanceof errors.JWKSMultipleMatchingKeys)) throw thrown;
    // While keys are changed two may have one name.
    for await (const key of thrown) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (cause) {
        if (!(cause instanceof errors.JWSSignatureVerificationFailed)) throw cause;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** @throws JWTClaimValidationFailed */
function subjectOf({ sub, ...claims }: JWTPayload): string {
  // It comes from a token, whatever the type says.
  const subject: unknown = sub;
  if (typeof subject === "string" && subject.trim() !== "" && subject.length <= maxSubject)
    return subject;
  const expected = `"sub" is not a text of 1 to ${maxSubject} characters`;
  throw new errors.JWTClaimValidationFailed(expected, claims, "sub", "invalid");
}

/** What each kind of error of jose means, the first that fits. */
const reasons: readonly [new (...given: never[]) => Error, string][] = [
  [errors.JWTExpired, "the token has expired"],
  [errors.JWKSNoMatchingKey, "the token names no key of the key set"],
  [errors.JWKSMultipleMatchingKeys, "the key set has several keys of that name"],
  [errors.JWSSignatureVerificationFailed, "the signature is not of that key"],
  [errors.JOSEAlgNotAllowed, "the token is signed in a way that is not allowed"],
  [errors.JOSENotSupported, "the token needs something that is not supported"],
  [errors.JWTInvalid, "the token has no claims that can be read"],
  [errors.JWSInvalid, "the token is not a signed JWT"],
];

/** What a claim is about that was not accepted. */
const claims: ReadonlyMap<string, string> = new Map([
  ["aud", "the token is for another audience"],
  ["iss", "the token is of another issuer"],
  ["nbf", "the token is not valid yet"],
  ["sub", `the token's "sub" is not a text of 1 to ${maxSubject} characters`],
  ["exp", 'the token\'s "exp" is not a number'],
]);

/** For the log: our own words, nothing of the token. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    if (thrown.reason === "missing") return `the token has no "${thrown.claim}"`;
    return claims.get(thrown.claim) ?? `the token's "${thrown.claim}" is not accepted`;
  }
  return reasons.find(([kind]) => thrown instanceof kind)?.[1] ?? nameCause(thrown);
}

const KeySet = z.object({ keys: z.array(z.unknown()) });
const Key = z.looseObject({ kty: z.string() });

/** In milliseconds: how long a set is used, how soon a token of an unknown key has it fetched again, and how long that may take. */
const cacheMaxAge = 600_000;
const cooldownDuration = 30_000;
const timeoutDuration = 5_000;
/** How long nobody asks an issuer that has failed: while no keys are held, and while some are. */
const pauseWithoutKeys = 2_000;
const pauseWithKeys = 30_000;
const maxBytes = 1024 * 1024;

interface KeySetDeps {
  fetcher: typeof fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * An issuer's key set. Besides what jose's does: an issuer that fails is left in peace for a while, and keys
 * that are held bridge its outage.
 *
 * @returns finds the key of a token; throws AppError `keys_unavailable` where the set cannot be had, and an
 * error of jose where it has no such key
 */
export function createKeySet(url: string, { fetcher, now }: KeySetDeps): JWTVerifyGetKey {
  /** Milliseconds since 1970. */
  let pausedUntil = 0;
  /** Why the set could not be had, for the log. */
  let reason = "";
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge,
    cooldownDuration,
    timeoutDuration,
    [customFetch]: async (address, init) => {
      if (pausedUntil > now()) throw unavailable(pausedUntil - now(), { reason });
      try {
        const set = await fetchSet(fetcher, address, init);
        pausedUntil = 0;
        return Response.json(set);
      } catch (cause) {
        const pause = keys.jwks() === undefined ? pauseWithoutKeys : pauseWithKeys;
        pausedUntil = now() + pause;
        reason = `the key set at ${new URL(url).host}: ${describeTrouble(cause)}`;
        throw unavailable(pause, { reason, cause });
      }
    },
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (thrown) {
      const held = keys.jwks();
      if (!(thrown instanceof AppError) || held === undefined) throw thrown;
      return findHeld(held, thrown, header, token);
    }
  };
}

/** @throws AppError `outage` where the keys that are held have no such key: the issuer may have a new one */
async function findHeld(
  held: JSONWebKeySet,
  outage: AppError,
  ...[header, token]: Parameters<JWTVerifyGetKey>
): Promise<CryptoKey> {
  try {
    return await createLocalJWKSet(held)(header, token);
  } catch (thrown) {
    throw thrown instanceof errors.JWKSNoMatchingKey ? outage : thrown;
  }
}

/** An answer that holds no key set; the message is in our own words. */
class BadKeySet extends Error {
  override readonly name = "BadKeySet";
}

/** Nothing of the answer is in it. */
function describeTrouble(thrown: unknown): string {
  if (thrown instanceof BadKeySet) return thrown.message;
  if (thrown instanceof BodyTooLarge) return `the answer is larger than ${maxBytes} bytes`;
  const isLate = thrown instanceof Error && thrown.name === "TimeoutError";
  return isLate ? `no answer within ${timeoutDuration} ms` : describeConnection(thrown);
}

/** @param pause milliseconds until somebody asks again */
function unavailable(pause: number, why: { reason: string; cause?: unknown }): AppError {
  const retryAfter = Math.max(1, Math.ceil(pause / 1_000));
  const message = {
    en: "The keys that tokens are checked with could not be fetched.",
    zh: "无法获取用于验证令牌的密钥。",
  };
  return new AppError("keys_unavailable", message, { ...why, retryAfter });
}

async function fetchSet(
  fetcher: typeof fetch,
  url: string,
  init: RequestInit,
): Promise<{ keys: unknown[] }> {
  const response = await fetcher(url, init);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new BadKeySet(`HTTP ${response.status}`);
  }
  const text = new TextDecoder().decode(await readStream(response.body, maxBytes));
  const { data } = KeySet.safeParse(parseJson(text));
  if (data === undefined) throw new BadKeySet("the answer has no list of keys");
  // Kinds that nobody knows yet are no reason to refuse the others (RFC 7517, section 5).
  return { keys: data.keys.filter((key) => Key.safeParse(key).success) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadKeySet("the answer is not JSON");
  }
}
