import { type JWTVerifyGetKey, createRemoteJWKSet, customFetch } from "jose";
import * as z from "zod";
import { AppError } from "../errors/app-error.ts";
import { PatientTimer, type Timers } from "../wire/patient-timer.ts";
import { readStream } from "../wire/web-exchange.ts";

const KeySet = z.object({ keys: z.array(z.unknown()) });
const Key = z.looseObject({ kty: z.string() });

/** How long a fetched key set is used, and how soon it is fetched again; in milliseconds. */
const lifetime = 600_000;
const shortestPause = 30_000;
/** How long nobody asks an issuer that has failed while no keys are held. */
const pauseAfterFailure = 2_000;
const maxFetchTime = 5_000;
const maxBytes = 1024 * 1024;

export interface KeySetDeps {
  fetcher: typeof fetch;
  timers: Timers;
}

/**
 * Holds an issuer's key set, so that not every request waits for the issuer: callers share one fetch, held
 * keys bridge an outage, and a token of an unknown key has the set fetched again, at most every 30 s. While
 * no keys are held and the issuer fails, one caller at a time asks it, the others are refused at once.
 *
 * @returns finds the key of a token; throws AppError `keys_unavailable` where the set cannot be had, and an
 * error of jose where it has no such key
 */
export function createKeySet(url: string, { fetcher, timers }: KeySetDeps): JWTVerifyGetKey {
  let fetchedAt: number | undefined;
  /** Undefined after a success. */
  let failedAt: number | undefined;
  let isAsking = false;

  const pauseLeft = (): number => {
    if (failedAt === undefined) return 0;
    const pause = fetchedAt === undefined ? pauseAfterFailure : shortestPause;
    return Math.max(0, failedAt + pause - timers.now());
  };
  const unavailable = (cause?: unknown): AppError =>
    new AppError(
      "keys_unavailable",
      "The keys that tokens are checked with could not be fetched.",
      {
        cause,
        retryAfter: Math.max(1, Math.ceil(pauseLeft() / 1_000)),
      },
    );

  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: shortestPause,
    // Jose would refuse every token once the set is too old and cannot be fetched.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    // Its time limit is left aside: it blames the issuer also where our own event loop was held.
    [customFetch]: async (address, { headers, redirect }) => {
      if (pauseLeft() > 0) throw unavailable();
      isAsking = true;
      try {
        const set = await fetchSet(fetcher, address, { headers, redirect }, timers);
        fetchedAt = timers.now();
        failedAt = undefined;
        return Response.json(set);
      } catch (cause) {
        failedAt = timers.now();
        throw unavailable(cause);
      } finally {
        isAsking = false;
      }
    },
  });

  return async (header, token) => {
    if (fetchedAt === undefined && failedAt !== undefined && (isAsking || pauseLeft() > 0))
      throw unavailable();
    const isStale = fetchedAt !== undefined && timers.now() - fetchedAt > lifetime;
    // Whoever comes first waits for the new set, the others and the next ones go on with the held one.
    if (isStale && !isAsking && pauseLeft() === 0) await keys.reload().catch(() => undefined);
    return keys(header, token);
  };
}

async function fetchSet(
  fetcher: typeof fetch,
  url: string,
  init: RequestInit,
  timers: Timers,
): Promise<{ keys: unknown[] }> {
  const controller = new AbortController();
  const timer = new PatientTimer(timers, () =>
    controller.abort(new Error(`The issuer did not answer within ${maxFetchTime} ms.`)),
  );
  timer.set(maxFetchTime);
  try {
    const response = await fetcher(url, { ...init, signal: controller.signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`The issuer answered HTTP ${response.status}.`);
    }
    const text = new TextDecoder().decode(await readStream(response.body, maxBytes));
    const { keys } = KeySet.parse(JSON.parse(text));
    // Kinds that nobody knows yet are no reason to refuse the others (RFC 7517, section 5).
    return { keys: keys.filter((key) => Key.safeParse(key).success) };
  } finally {
    timer.stop();
  }
}
