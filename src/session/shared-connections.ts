import type { Timers } from "../base/wire/patient-timer.ts";
import type { Connections } from "../run/admissions.ts";
import { type Lease, type Store, changeValue, takeLease } from "../store/store.ts";
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

/** What one caller has open, by process. */
type Counts = Readonly<Record<string, number>>;

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
    let here = 0;
    const isWritten = await changeValue<Counts>(
      store,
      key,
      async (kept = {}) => {
        const others = await this.#readOthers(kept);
        here = count.open + more;
        const all = Object.values(others).reduce((sum, each) => sum + each, here);
        if (more > 0 && all > most) return undefined;
        return here === 0 ? others : { ...others, [this.#process]: here };
      },
      lifetime,
    );
    if (!isWritten) return false;
    count.open += more;
    count.isStale = count.open !== here;
    return true;
  }

  /** What the other processes have open that are alive. */
  async #readOthers(counts: Counts): Promise<Counts> {
    const others: Record<string, number> = {};
    for (const [id, count] of Object.entries(counts))
      if (id !== this.#process && (await this.#parts.store.get(leaseKey(id))) !== undefined)
        others[id] = count;
    return others;
  }

  async #live(): Promise<Lease | undefined> {
    const { store, timers } = this.#parts;
    try {
      const lease = await takeLease(store, leaseKey(this.#process), this.#process, leaseTime);
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
