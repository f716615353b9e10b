import { AppError } from "../base/errors/app-error.ts";

/**
 * A port: what several tasks, processes or machines share, as texts below keys. Values, logs, leases and topics have
 * names of their own; a value and a log may have the same one. All that is kept for one session begins with the same
 * `{id}`, so that one slot of a Redis cluster has it. Texts are well-formed Unicode.
 *
 * Whatever fails throws an AppError `store_unavailable`; nothing is retried here.
 */
export interface Store {
  get(key: string): Promise<StoredValue | undefined>;
  /** @returns the new version; undefined where `ifVersion` is not the present one, and nothing was written */
  put(key: string, value: string, options?: PutOptions): Promise<number | undefined>;
  /** Deletes the value and the log of this name. */
  delete(key: string): Promise<void>;
  /** Names of values in any order, each at least once; ask on with `cursor` until there is none. */
  list(prefix: string, cursor?: string): Promise<{ keys: readonly string[]; cursor?: string }>;
  /**
   * Adds entries to a log, all or none of them.
   *
   * @returns the position of the first: where they are already if this `id` was given before (then nothing is added,
   * whoever has the lease by now); undefined where the lease that is asked for is held no longer
   */
  append(
    log: string,
    entries: readonly string[],
    options: AppendOptions,
  ): Promise<number | undefined>;
  /** Entries from a position on, `limit` at most; positions are counted from 0 without gaps. */
  read(log: string, from: number, limit: number): Promise<readonly string[]>;
  /** How many entries a log has. */
  lengthOf(log: string): Promise<number>;
  /** @returns undefined where somebody else holds it */
  lease(key: string, milliseconds: number): Promise<Lease | undefined>;
  /** Whether anybody holds a lease. */
  isLeased(key: string): Promise<boolean>;
  /** Reaches all that have subscribed by now, in every process; who comes later reads the log. */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Messages of one publisher come in their order; the listener does not throw.
   *
   * @param onGap messages may have been lost here, since a connection was: read the log
   * @returns ends it; resolves when messages come from here on
   */
  subscribe(
    topic: string,
    listener: (message: string) => void,
    onGap?: () => void,
  ): Promise<() => void>;
  close(): Promise<void>;
}

export interface StoredValue {
  value: string;
  /** From 1 on, one more with each write. */
  version: number;
}

export interface PutOptions {
  /** Milliseconds after which it is gone; kept for ever where absent. */
  ttl?: number;
  /** Written only where this is the version; 0: only where there is none. */
  ifVersion?: number;
}

export interface AppendOptions {
  /** Names this append within its log, so that repeating it adds nothing. */
  id: string;
  /** Milliseconds after the last append after which the log is gone. */
  ttl?: number;
  /** Added only while this lease is held, as its token tells. Its key has the same `{id}` as the log. */
  lease?: Pick<Lease, "key" | "token">;
}

/** A right that one process has at a time, until it ends or is given back. */
export interface Lease {
  key: string;
  /** Larger with each holder of this key (a fencing token). */
  token: number;
  /** @returns false where it was lost meanwhile */
  renew(milliseconds: number): Promise<boolean>;
  release(): Promise<void>;
}

/** Calls on leases as tokens, which adapters send. */
interface LeaseCalls {
  renew(key: string, token: number, milliseconds: number): Promise<boolean>;
  release(key: string, token: number): Promise<void>;
}

/** @param token undefined where somebody else holds it */
export function leaseOf(
  key: string,
  token: number | undefined,
  calls: LeaseCalls,
): Lease | undefined {
  if (token === undefined) return undefined;
  return {
    key,
    token,
    renew: (milliseconds) => calls.renew(key, token, milliseconds),
    release: () => calls.release(key, token),
  };
}

/** What every adapter throws. The cause is for the log of the operator. */
export function storeUnavailable(cause: unknown): AppError {
  const message = {
    en: "The store of this server cannot be used at the moment.",
    zh: "此服务的存储暂时不可用。",
  };
  return new AppError("store_unavailable", message, { retryAfter: 1, cause });
}

type Listener = (message: string) => void;

/** Who listens to what, in this process. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();

  tell(topic: string, message: string): void {
    const listeners = this.#listeners.get(topic);
    // Who is added meanwhile came too late, and who has left hears no more.
    for (const listener of new Set(listeners))
      if (listeners?.has(listener) === true) listener(message);
  }

  /** @returns ends it, and tells whether nobody listens to this topic any more */
  add(topic: string, listener: Listener): () => boolean {
    // One listener may be given twice.
    const own: Listener = (message) => listener(message);
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(own));
    return () => {
      const wasLast = listeners.delete(own) && listeners.size === 0;
      if (wasLast) this.#listeners.delete(topic);
      return wasLast;
    };
  }

  /** What anybody listens to. */
  names(): string[] {
    return [...this.#listeners.keys()];
  }
}
