import type { Timers } from "../base/wire/patient-timer.ts";
import type { Connections } from "../run/admissions.ts";
import type { Lease, Store } from "../store/store.ts";
import { type Caller, nameCaller } from "../turn/chat-model.ts";
import { hashText } from "../turn/state/sealed-state.ts";
import { leaseTime, renewInterval } from "./session-log.ts";

interface Parts {
  /** Of one caller that is known by key or token; callers that nobody knows are not counted. */
  most: number;
  store: Store;
  timers: Timers;
  createId: () => string;
}

/** What one caller has open in this process. */
interface Count {
  open: number;
  /** The store does not know of the last change yet. */
  isStale: boolean;
  /** The last change, which the next one waits for. */
  turn: Promise<unknown>;
}

/** How long a caller's counts are kept that nobody changes, in milliseconds. */
const lifetime = 30 * 86_400_000;

/**
 * Counts the connections of all processes of a store: each writes how many a caller has open there, and holds a lease. What
 * a process has written that is dead does not count.
 */
export class SharedConnections implements Connections {
  readonly #parts: Parts;
  #name: string | undefined;
  readonly #counts = new Map<string, Count>();
  #lease: Promise<Lease | undefined> | undefined;
  #stopBeat: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of this process; a server without sockets needs none. */
  get #process(): string {
    return (this.#name ??= this.#parts.createId());
  }

  /** @throws AppError `store_unavailable` */
  async open(caller: Caller): Promise<(() => void) | undefined> {
    const who = nameCaller(caller);
    if (who === undefined) return () => undefined;
    const key = `connections:{${await hashText(who)}}`;
    const count = this.#counts.get(key) ?? { open: 0, isStale: false, turn: Promise.resolve() };
    this.#counts.set(key, count);
    if (!(await this.#change(key, count, 1))) return undefined;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      count.open -= 1;
      count.isStale = true;
      // Where the store is away, the next beat tells it.
      this.#change(key, count, 0).catch(() => undefined);
    };
  }

  /** What this process has open counts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopBeat?.();
    const lease = await this.#lease?.catch(() => undefined);
    await lease?.release().catch(() => undefined);
  }

  #change(key: string, count: Count, more: 0 | 1): Promise<boolean> {
    const changed = count.turn.then(async () => {
      await (this.#lease ??= this.#live());
      return this.#write(key, count, more);
    });
    const settled = changed.catch(() => undefined);
    count.turn = settled;
    void settled.finally(() => {
      const isOver = count.turn === settled && count.open === 0 && !count.isStale;
      if (isOver) this.#counts.delete(key);
    });
    return changed;
  }

  /** @returns false where all processes together have as many as are allowed */
  async #write(key: string, count: Count, more: 0 | 1): Promise<boolean> {
    const { store, most } = this.#parts;
    for (;;) {
      const found = await store.get(key);
      const others = await this.#readOthers(found?.value ?? "{}");
      const here = count.open + more;
      const all = Object.values(others).reduce((sum, each) => sum + each, here);
      if (more > 0 && all > most) return false;
      const counts = here === 0 ? others : { ...others, [this.#process]: here };
      const options = { ifVersion: found?.version ?? 0, ttl: lifetime };
      const isWritten = await store.put(key, JSON.stringify(counts), options);
      if (isWritten === undefined) continue;
      count.open += more;
      count.isStale = count.open !== here;
      return true;
    }
  }

  /** What the other processes have open that are alive. */
  async #readOthers(counts: string): Promise<Record<string, number>> {
    const others: Record<string, number> = {};
    // Only this class writes there.
    for (const [id, count] of Object.entries(JSON.parse(counts) as Record<string, number>))
      if (id !== this.#process && (await this.#parts.store.isLeased(leaseKey(id))))
        others[id] = count;
    return others;
  }

  async #live(): Promise<Lease | undefined> {
    const { store, timers } = this.#parts;
    try {
      const lease = await store.lease(leaseKey(this.#process), leaseTime);
      this.#stopBeat ??= timers.start(() => void this.#beat(), renewInterval);
      return lease;
    } catch (thrown) {
      this.#lease = undefined;
      throw thrown;
    }
  }

  async #beat(): Promise<void> {
    const { timers } = this.#parts;
    try {
      const lease = await this.#lease;
      if (this.#counts.size === 0) {
        this.#lease = undefined;
        await lease?.release();
      } else if (!(await lease?.renew(leaseTime))) {
        // The others took it for dead meanwhile.
        await (this.#lease = this.#live());
        for (const count of this.#counts.values()) count.isStale = true;
      }
      for (const [key, count] of this.#counts) if (count.isStale) await this.#change(key, count, 0);
    } catch {
      // The store is away; the next beat tries again.
    } finally {
      const isOver = this.#counts.size === 0 && this.#lease === undefined;
      this.#stopBeat =
        isOver || this.#isClosed ? undefined : timers.start(() => void this.#beat(), renewInterval);
    }
  }
}

function leaseKey(process: string): string {
  return `process:{${process}}`;
}
