import type { Timers } from "../base/wire/patient-timer.ts";
import type { Connections } from "../run/admissions.ts";
import { type Lease, type Store, takeLease } from "../store/store.ts";
import { nameCaller } from "../turn/chat-model.ts";
import { hashText } from "../turn/state/sealed-state.ts";
import { keepLease, leaseTime } from "./session-log.ts";

interface Parts {
  /** Of one caller that is known by key or token; callers that nobody knows are not counted. */
  most: number;
  store: Store;
  timers: Timers;
  createId: () => string;
}

/**
 * Counts the connections of all processes of a store: a caller has as many places as connections are allowed, and a
 * connection holds the lease of one. Those of a process that has died are free after a while.
 */
export function createSharedConnections({ most, store, timers, createId }: Parts) {
  /** What gives back each place that is taken. */
  const taken = new Set<() => Promise<void>>();
  /** The place that is tried first: those before it are likely to be taken. */
  let next = 0;

  async function take(owner: string): Promise<Lease | undefined> {
    const [token, first] = [createId(), next++];
    for (let nth = 0; nth < most; nth += 1) {
      const key = `connection:{${owner}}:${(first + nth) % most}`;
      const lease = await takeLease(store, key, token, leaseTime);
      if (lease !== undefined) return lease;
    }
    return undefined;
  }

  const connections: Connections & { close(): Promise<void> } = {
    /** @throws AppError `store_unavailable` */
    async open(caller) {
      const who = nameCaller(caller);
      if (who === undefined) return () => undefined;
      const lease = await take(await hashText(who));
      if (lease === undefined) return undefined;
      const { key, token } = lease;
      // Where a store came back empty, the place is taken again.
      const takeAgain = () => takeLease(store, key, token, leaseTime).catch(() => undefined);
      const stop = keepLease(lease, timers, takeAgain);
      const leave = async (): Promise<void> => {
        if (!taken.delete(leave)) return;
        stop();
        // Where the store is away, it ends by itself.
        await lease.release().catch(() => undefined);
      };
      taken.add(leave);
      return () => void leave();
    },
    /** What this process has open counts no more. */
    close: async () => void (await Promise.all([...taken].map((leave) => leave()))),
  };
  return connections;
}
