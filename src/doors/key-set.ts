import * as z from "zod";
import type { HonoJsonWebKey } from "hono/utils/jwt/jws";
import { AppError } from "../errors/app-error.ts";

const KeySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })),
});

/** How long a fetched key set is used, how soon it is fetched again, how long a fetch may take; in milliseconds. */
const lifetime = 600_000;
const shortestPause = 30_000;
const longestFetch = 5_000;

export interface KeySetSource {
  /** The keys; fetched when there are none yet or when they are too old. */
  keys(): Promise<HonoJsonWebKey[]>;
  /** Tells that a token did not fit: its key may be new, so the next call may fetch again. */
  doubt(): void;
}

/**
 * Holds an issuer's key set, so that not every request waits for the issuer.
 *
 * @throws AppError `internal` from `keys` when the set cannot be fetched and none is held
 */
export function createKeySet(url: string, fetcher: typeof fetch, now: () => number): KeySetSource {
  let held: HonoJsonWebKey[] | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isDoubted = false;
  let fetching: Promise<HonoJsonWebKey[]> | undefined;

  const fetchKeys = async (): Promise<HonoJsonWebKey[]> => {
    try {
      triedAt = now();
      const signal = AbortSignal.timeout(longestFetch);
      const response = await fetcher(url, { headers: { accept: "application/json" }, signal });
      // What the schema proves is all that the verifier relies on.
      held = KeySet.parse(await response.json()).keys as HonoJsonWebKey[];
      fetchedAt = now();
      isDoubted = false;
      return held;
    } catch (cause) {
      if (held !== undefined) return held;
      throw new AppError(
        "internal",
        "The keys that tokens are checked with could not be fetched.",
        { cause },
      );
    } finally {
      fetching = undefined;
    }
  };

  return {
    async keys() {
      if (fetching !== undefined) return fetching;
      const isStale = isDoubted || now() - fetchedAt > lifetime;
      if (held !== undefined && !(isStale && now() - triedAt > shortestPause)) return held;
      fetching = fetchKeys();
      return fetching;
    },
    doubt() {
      isDoubted = true;
    },
  };
}
