import * as z from "zod";
import {
  type JWTVerifyGetKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
} from "jose";
import { AppError } from "../../base/errors/app-error.ts";
import { describeConnection } from "../../base/errors/describe-cause.ts";
import { parseJson } from "../../base/text/json.ts";
import { BodyTooLarge, readStream } from "../../base/wire/exchange.ts";

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

export interface KeySetDeps {
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
      return createLocalJWKSet(held)(header, token).catch((cause: unknown) => {
        // Where those that are held have no such key, the issuer may have a new one.
        throw cause instanceof errors.JWKSNoMatchingKey ? thrown : cause;
      });
    }
  };
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
  const value = parseJson(text);
  if (value === undefined) throw new BadKeySet("the answer is not JSON");
  const { data } = KeySet.safeParse(value);
  if (data === undefined) throw new BadKeySet("the answer has no list of keys");
  // Kinds that nobody knows yet are no reason to refuse the others (RFC 7517, section 5).
  return { keys: data.keys.filter((key) => Key.safeParse(key).success) };
}
