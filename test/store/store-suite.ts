// What every store does, compared with a plain model over generated sequences of calls.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lease, type PutOptions, type Store, takeLease } from "../../src/store/store.ts";

/** An adapter with something to keep its data in. */
export interface StoreHarness {
  /** One more client of the same data. */
  open(): Promise<Store> | Store;
  /** What is kept for a time gets older. */
  pass(milliseconds: number): Promise<void> | void;
  /** After the clients were closed. */
  close(): Promise<void> | void;
}

interface SuiteOptions {
  /** Generated sequences. */
  cases: number;
  /** Whether what one client publishes reaches the others. */
  sharesTopics: boolean;
}

/** Times of life and of waiting: no sum of these waits is near to one of these lives. */
const lives = [100_000, 250_000];
const waits = [60_000, 120_000];

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("", "0", '{"a":"\\u0000"}', "雪\r\n☃️'\"\\", "x".repeat(70_000)),
);
const life = fc.option(fc.constantFrom(...lives), { nil: undefined });
const name = fc.constantFrom("session:{a}", "session:{b*[?]}", "log:{a}");
const index = fc.nat({ max: 3 });

const step = fc.oneof(
  fc.record({
    call: fc.constant("put" as const),
    key: name,
    value: text,
    ttl: life,
    /** What is there, something else, nothing at all. */
    ifValue: fc.constantFrom("same" as const, "other" as const, null, undefined),
  }),
  fc.record({ call: fc.constant("get" as const), key: name }),
  fc.record({ call: fc.constant("delete" as const), key: name }),
  fc.record({
    call: fc.constant("append" as const),
    key: name,
    entries: fc.array(text, { maxLength: 4 }),
    id: fc.constantFrom("1", "2", "3", "4", "5", "6", "7", "8", "length", "__proto__"),
    ttl: life,
    lease: fc.option(index, { nil: undefined, freq: 2 }),
  }),
  fc.record({
    call: fc.constant("read" as const),
    key: name,
    from: fc.nat({ max: 12 }),
    limit: fc.nat({ max: 6 }),
  }),
  fc.record({
    call: fc.constant("lease" as const),
    key: fc.constantFrom("task:{a}:1", "task:{a}:2"),
    time: fc.constantFrom(...lives),
  }),
  fc.record({ call: fc.constant("renew" as const), nth: index, time: fc.constantFrom(...lives) }),
  fc.record({ call: fc.constant("release" as const), nth: index }),
  fc.record({ call: fc.constant("pass" as const), time: fc.constantFrom(...waits) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** The same in the fewest words. */
class Model {
  now = 0;
  values = new Map<string, { value: string; until: number }>();
  logs = new Map<string, { entries: string[]; ids: Map<string, number>; until: number }>();

  pass(time: number): void {
    this.now += time;
    for (const kept of [this.values, this.logs])
      for (const [key, { until }] of kept) if (until <= this.now) kept.delete(key);
  }

  end(ttl: number | undefined): number {
    return ttl === undefined ? Infinity : this.now + ttl;
  }

  put(key: string, value: string, { ttl, ifValue }: PutOptions = {}): boolean {
    if (ifValue !== undefined && ifValue !== (this.values.get(key)?.value ?? null)) return false;
    this.values.set(key, { value, until: this.end(ttl) });
    this.pass(0);
    return true;
  }

  append(
    { key, entries, id, ttl }: Step & { call: "append" },
    lease: Lease | undefined,
  ): number | undefined {
    const log = this.logs.get(key) ?? { entries: [], ids: new Map<string, number>(), until: 0 };
    const known = log.ids.get(id);
    if (known !== undefined) return known;
    if (lease !== undefined && this.values.get(lease.key)?.value !== lease.token) return undefined;
    const position = log.entries.length;
    log.entries = [...log.entries, ...entries];
    log.ids.set(id, position);
    this.logs.set(key, { ...log, until: this.end(ttl) });
    return position;
  }
}

/** Plays the steps on several clients in turn, and compares each answer with the model's. */
async function play(stores: readonly Store[], harness: StoreHarness, steps: readonly Step[]) {
  const model = new Model();
  const leases: Lease[] = [];
  for (const [at, one] of steps.entries()) {
    const store = stores[at % stores.length] ?? expect.fail();
    switch (one.call) {
      case "put": {
        const { key, value, ttl } = one;
        const now = model.values.get(key)?.value;
        const wanted = { same: now ?? "nothing", other: `${now} ` };
        const ifValue = typeof one.ifValue === "string" ? wanted[one.ifValue] : one.ifValue;
        const options = { ttl, ...(ifValue === undefined ? {} : { ifValue }) };
        expect(await store.put(key, value, options)).toBe(model.put(key, value, options));
        break;
      }
      case "get":
        expect(await store.get(one.key)).toBe(model.values.get(one.key)?.value);
        break;
      case "delete":
        await store.delete(one.key);
        model.values.delete(one.key);
        model.logs.delete(one.key);
        break;
      case "append": {
        const { id, ttl } = one;
        // Of the same session.
        const isOwn = one.lease !== undefined && one.key.includes("{a}");
        const lease = isOwn ? leases.at(-1 - (one.lease ?? 0)) : undefined;
        const wanted = model.append(one, lease);
        expect(await store.append(one.key, one.entries, { id, ttl, lease })).toBe(wanted);
        break;
      }
      case "read": {
        const entries = model.logs.get(one.key)?.entries ?? [];
        expect(await store.read(one.key, one.from, one.limit)).toEqual(
          entries.slice(one.from, one.from + one.limit),
        );
        expect(await store.lengthOf(one.key)).toBe(entries.length);
        break;
      }
      case "lease": {
        const { key, time } = one;
        const lease = await takeLease(store, key, `holder ${at}`, time);
        const wanted = model.put(key, `holder ${at}`, { ifValue: null, ttl: time });
        expect(lease !== undefined).toBe(wanted);
        if (lease !== undefined) leases.push(lease);
        break;
      }
      case "renew":
      case "release": {
        const lease = leases.at(-1 - one.nth);
        if (lease === undefined) break;
        const { key, token } = lease;
        const ttl = one.call === "renew" ? one.time : 0;
        const isHeld = model.put(key, token, { ifValue: token, ttl });
        if (one.call === "renew") expect(await lease.renew(one.time)).toBe(isHeld);
        else await lease.release();
        break;
      }
      case "pass":
        await harness.pass(one.time);
        model.pass(one.time);
        break;
    }
  }
  const names = [...leases.map(({ key }) => key), ...model.values.keys(), ...model.logs.keys()];
  for (const key of names) await stores[0]?.delete(key);
}

/** @param create makes data that nobody else has */
export function storeSuite(
  adapter: string,
  create: () => Promise<StoreHarness> | StoreHarness,
  { cases, sharesTopics }: SuiteOptions,
): void {
  describe(`the store of ${adapter}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let other: Store;
    let next = 0;
    /** Names of one test. */
    const fresh = (kind: string): string => `${kind}:{${++next}}`;

    beforeAll(async () => {
      harness = await create();
      store = await harness.open();
      other = await harness.open();
    });

    afterAll(async () => {
      await store.close();
      await other.close();
      await harness.close();
    });

    test("answers every sequence of calls as the model does", async () => {
      const steps = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
      await fc.assert(
        fc.asyncProperty(steps, (given) => play([store, other], harness, given)),
        { numRuns: cases, endOnFailure: true },
      );
    });

    test("gives appends of several clients positions without gaps, each append in one piece", async () => {
      const log = fresh("log");
      const appends = Array.from({ length: 40 }, (_, nth) => ({
        id: `${nth % 30}`,
        entries: Array.from({ length: (nth % 30) % 4 }, (__, entry) => `${nth % 30}.${entry}`),
      }));
      const positions = await Promise.all(
        appends.map(({ id, entries }, nth) =>
          (nth % 2 === 0 ? store : other).append(log, entries, { id }),
        ),
      );
      const all = await store.read(log, 0, 1_000);
      expect(all).toHaveLength(await other.lengthOf(log));
      expect([...all].sort()).toEqual(
        appends
          .slice(0, 30)
          .flatMap(({ entries }) => entries)
          .sort(),
      );
      for (const [nth, { entries }] of appends.entries()) {
        const from = positions[nth] ?? expect.fail();
        expect(all.slice(from, from + entries.length)).toEqual(entries);
      }
    });

    test("lets one of many have a lease, and one of many write where nothing is", async () => {
      const [key, task] = [fresh("session"), fresh("task")];
      const clients = Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? store : other));
      const leases = await Promise.all(
        clients.map((client, nth) => takeLease(client, task, `${nth}`, 100_000)),
      );
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      const puts = await Promise.all(
        clients.map((client, nth) => client.put(key, `${nth}`, { ifValue: null })),
      );
      expect(puts.filter((isWritten) => isWritten)).toHaveLength(1);
      expect(await store.get(key)).toBe(`${puts.indexOf(true)}`);
    });

    test("pages through a long log", async () => {
      const log = fresh("log");
      const entries = Array.from({ length: 10_000 }, (_, nth) => `entry ${nth}`);
      for (let from = 0; from < entries.length; from += 2_500)
        await store.append(log, entries.slice(from, from + 2_500), { id: `${from}` });
      const read: string[] = [];
      for (let at = 0; at < 10_000; at += 999) read.push(...(await other.read(log, at, 999)));
      expect(read).toEqual(entries);
      expect(await store.read(log, 10_000, 5)).toEqual([]);
    });

    test("delivers what is published to all that listen by then, in order, until they leave", async () => {
      const topic = fresh("live");
      const heard: string[][] = [[], []];
      const wanted = Array.from({ length: 500 }, (_, nth) => `${nth} 雪`);
      await store.publish(topic, "too early");
      const listen = (client: Store, to: string[] | undefined, last: string) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const leave = client.subscribe(topic, (message) => {
          to?.push(message);
          if (message === last) resolve();
        });
        return { heard: promise, leave };
      };
      const last = wanted.at(-1) ?? "";
      const first = listen(store, heard[0], last);
      const second = listen(sharesTopics ? other : store, heard[1], last);
      const [leave, leaveToo] = await Promise.all([first.leave, second.leave]);
      await Promise.all(wanted.map((message) => store.publish(topic, message)));
      await Promise.all([first.heard, second.heard]);
      leave();
      const third = listen(store, [], "end");
      await third.leave;
      const rest = listen(store, heard[1], "end");
      await rest.leave;
      await store.publish(fresh("live"), "elsewhere");
      await store.publish(topic, "end");
      await Promise.all([third.heard, rest.heard]);
      leaveToo();
      expect(heard[0]).toEqual(wanted);
      expect(heard[1]?.filter((message) => message !== "end")).toEqual(wanted);
    });
  });
}
