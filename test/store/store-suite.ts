// What every store does, compared with a plain model over generated sequences of calls.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Lease, Store } from "../../src/store/store.ts";

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
const name = fc.constantFrom("session:{a}", "session:{b*[?]}", "log:{a}", "part:{a}:1");
const index = fc.nat({ max: 3 });

const step = fc.oneof(
  fc.record({
    call: fc.constant("put" as const),
    key: name,
    value: text,
    ttl: life,
    ifVersion: fc.option(index, { nil: undefined }),
  }),
  fc.record({ call: fc.constant("get" as const), key: name }),
  fc.record({ call: fc.constant("delete" as const), key: name }),
  fc.record({
    call: fc.constant("list" as const),
    prefix: fc.constantFrom("", "s", "session:", "session:{b*", "x"),
  }),
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
  fc.record({ call: fc.constant("isLeased" as const), key: fc.constant("task:{a}:1") }),
  fc.record({ call: fc.constant("pass" as const), time: fc.constantFrom(...waits) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** The same in the fewest words. */
class Model {
  now = 0;
  values = new Map<string, { value: string; version: number; until: number }>();
  logs = new Map<string, { entries: string[]; ids: Map<string, number>; until: number }>();
  leases = new Map<string, { token: number; until: number }>();
  tokens = 0;

  pass(time: number): void {
    this.now += time;
    for (const kept of [this.values, this.logs, this.leases])
      for (const [key, { until }] of kept) if (until <= this.now) kept.delete(key);
  }

  end(ttl: number | undefined): number {
    return ttl === undefined ? Infinity : this.now + ttl;
  }

  put({ key, value, ttl, ifVersion }: Step & { call: "put" }): number | undefined {
    const version = this.values.get(key)?.version ?? 0;
    if (ifVersion !== undefined && ifVersion !== version) return undefined;
    this.values.set(key, { value, version: version + 1, until: this.end(ttl) });
    return version + 1;
  }

  append(
    { key, entries, id, ttl }: Step & { call: "append" },
    lease: { key: string; token: number } | undefined,
  ): number | undefined {
    const log = this.logs.get(key) ?? { entries: [], ids: new Map<string, number>(), until: 0 };
    const known = log.ids.get(id);
    if (known !== undefined) return known;
    if (lease !== undefined && this.leases.get(lease.key)?.token !== lease.token) return undefined;
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
  /** Each with its twin in the model. */
  const leases: { real: Lease; key: string; token: number }[] = [];
  for (const [at, one] of steps.entries()) {
    const store = stores[at % stores.length] ?? expect.fail();
    switch (one.call) {
      case "put": {
        const { ttl, ifVersion } = one;
        const options = {
          ...(ttl === undefined ? {} : { ttl }),
          ...(ifVersion === undefined ? {} : { ifVersion }),
        };
        expect(await store.put(one.key, one.value, options)).toBe(model.put(one));
        break;
      }
      case "get": {
        const { value, version } = model.values.get(one.key) ?? {};
        const wanted = value === undefined ? undefined : { value, version };
        expect(await store.get(one.key)).toEqual(wanted);
        break;
      }
      case "delete":
        await store.delete(one.key);
        model.values.delete(one.key);
        model.logs.delete(one.key);
        break;
      case "list": {
        const wanted = [...model.values.keys()].filter((key) => key.startsWith(one.prefix));
        expect(new Set(await listAll(store, one.prefix))).toEqual(new Set(wanted));
        break;
      }
      case "append": {
        const { id, ttl } = one;
        // Of the same session.
        const isOwn = one.lease !== undefined && one.key.includes("{a}");
        const lease = isOwn ? leases.at(-1 - (one.lease ?? 0)) : undefined;
        const options = {
          id,
          ...(ttl === undefined ? {} : { ttl }),
          ...(lease === undefined ? {} : { lease: lease.real }),
        };
        const wanted = model.append(one, lease);
        expect(await store.append(one.key, one.entries, options)).toBe(wanted);
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
        const real = await store.lease(one.key, one.time);
        expect(real !== undefined).toBe(!model.leases.has(one.key));
        if (real === undefined) break;
        const before = leases.findLast(({ key }) => key === one.key);
        expect(real.token).toBeGreaterThan(before?.real.token ?? -1);
        const token = ++model.tokens;
        model.leases.set(one.key, { token, until: model.end(one.time) });
        leases.push({ real, key: one.key, token });
        break;
      }
      case "renew":
      case "release": {
        const lease = leases.at(-1 - one.nth);
        if (lease === undefined) break;
        const isHeld = model.leases.get(lease.key)?.token === lease.token;
        if (one.call === "renew") {
          expect(await lease.real.renew(one.time)).toBe(isHeld);
          const { key, token } = lease;
          if (isHeld) model.leases.set(key, { token, until: model.end(one.time) });
        } else {
          await lease.real.release();
          if (isHeld) model.leases.delete(lease.key);
        }
        break;
      }
      case "isLeased":
        expect(await store.isLeased(one.key)).toBe(model.leases.has(one.key));
        break;
      case "pass":
        await harness.pass(one.time);
        model.pass(one.time);
        break;
    }
  }
  for (const { real } of leases) await real.release();
  for (const key of await listAll(stores[0] ?? expect.fail(), "")) await stores[0]?.delete(key);
  for (const key of model.logs.keys()) await stores[0]?.delete(key);
}

async function listAll(store: Store, prefix: string): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(prefix, cursor);
    all.push(...page.keys);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
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

    test("lets one of many have a lease, and one of many write a version", async () => {
      const [key, task] = [fresh("session"), fresh("task")];
      const clients = Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? store : other));
      const leases = await Promise.all(clients.map((client) => client.lease(task, 100_000)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      const puts = await Promise.all(
        clients.map((client, nth) => client.put(key, `${nth}`, { ifVersion: 0 })),
      );
      expect(puts.filter((version) => version !== undefined)).toEqual([1]);
      expect(await store.get(key)).toEqual({
        value: `${puts.findIndex((version) => version === 1)}`,
        version: 1,
      });
    });

    test("counts the tokens of a lease upwards, whoever has it and however it ended", async () => {
      const key = fresh("task");
      const tokens: number[] = [];
      for (let round = 0; round < 12; round++) {
        const lease = await (round % 2 === 0 ? store : other).lease(key, lives[0] ?? 0);
        tokens.push(lease?.token ?? expect.fail());
        if (round % 3 === 0) await lease?.release();
        else await harness.pass(waits[1] ?? 0);
      }
      expect(tokens).toEqual([...new Set(tokens)].sort((left, right) => left - right));
    });

    test("pages through a long log, and through many names", async () => {
      const log = fresh("log");
      const entries = Array.from({ length: 10_000 }, (_, nth) => `entry ${nth}`);
      for (let from = 0; from < entries.length; from += 2_500)
        await store.append(log, entries.slice(from, from + 2_500), { id: `${from}` });
      const read: string[] = [];
      for (let at = 0; at < 10_000; at += 999) read.push(...(await other.read(log, at, 999)));
      expect(read).toEqual(entries);
      expect(await store.read(log, 10_000, 5)).toEqual([]);
      const many = fresh("many");
      const keys = Array.from({ length: 250 }, (_, nth) => `${many}:${nth}`);
      await Promise.all(keys.map((key) => store.put(key, "")));
      expect(new Set(await listAll(other, many))).toEqual(new Set(keys));
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
