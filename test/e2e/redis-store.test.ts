// The store of Redis against Debian's redis-server, also one that is frozen, killed and started again.
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { openRedisStore } from "../../src/store/redis-store.node.ts";
import { type Store, takeLease } from "../../src/store/store.ts";
import { type RedisServer, startRedis } from "../helpers/e2e-redis.ts";
import { storeSuite } from "../store/store-suite.ts";

/** A server that has what is kept for a time get older. */
async function createHarness(isCluster: boolean) {
  const server = await startRedis({ isCluster });
  const client = new Redis(server.url);
  return {
    open: () => openRedisStore({ url: server.url }),
    async pass(milliseconds: number) {
      for (const key of await client.keys("*")) {
        const left = await client.pttl(key);
        if (left > 0) await client.pexpire(key, left - milliseconds);
      }
    },
    async close() {
      client.disconnect();
      await server[Symbol.asyncDispose]();
    },
  };
}

storeSuite("Redis", () => createHarness(false), { cases: 60, sharesTopics: true });
storeSuite("a cluster of Redis", () => createHarness(true), { cases: 20, sharesTopics: true });

/** Every call there is. */
function callAll(store: Store): Promise<PromiseSettledResult<unknown>[]> {
  return Promise.allSettled([
    store.get("session:{a}"),
    store.put("session:{a}", "value"),
    store.delete("session:{a}"),
    store.append("log:{a}", ["entry"], { id: "1" }),
    store.read("log:{a}", 0, 10),
    store.lengthOf("log:{a}"),
    store.publish("live:{a}", "message"),
    store.subscribe("live:{a}", () => undefined),
  ]);
}

function expectUnavailable(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) {
    const reason: unknown = result.status === "rejected" ? result.reason : result;
    expect(reason).toBeInstanceOf(AppError);
    expect(reason).toMatchObject({ code: "store_unavailable" });
  }
}

describe("a Redis in trouble", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("a server that is frozen fails every call, and none of them hangs", async () => {
    const store = await openRedisStore({ url: server.url, timeout: 200 });
    const held = await takeLease(store, "task:{held}", "mine", 100_000);
    server.child.kill("SIGSTOP");
    expectUnavailable(await callAll(store));
    await expect(held?.renew(1_000)).rejects.toThrow(AppError);
    await expect(held?.release()).rejects.toThrow(AppError);
    server.child.kill("SIGCONT");
    await vi.waitFor(() => store.get("session:{a}"));
    await store.close();
  });

  test("a server that is not there fails every call, and is used as soon as it is there", async () => {
    const gone = await startRedis();
    gone.child.kill("SIGKILL");
    const told: boolean[] = [];
    const store = await openRedisStore({
      url: gone.url,
      timeout: 500,
      onConnection: (isConnected) => told.push(isConnected),
    });
    expectUnavailable(await callAll(store));
    expectUnavailable(await callAll(store));
    await gone.restart();
    await vi.waitFor(async () => expect(await store.put("session:{a}", "1")).toBe(true));
    const heard: string[] = [];
    await vi.waitFor(() => store.subscribe("live", (message) => void heard.push(message)));
    await store.publish("live", "1");
    await vi.waitFor(() => expect(heard).toEqual(["1"]));
    expect(told).toEqual([false, true]);
    await store.close();
    await gone[Symbol.asyncDispose]();
  });

  test("after a restart subscribers are told that messages may be lost, and hear the next ones", async () => {
    const store = await openRedisStore({ url: server.url, timeout: 500 });
    const heard: string[] = [];
    let gaps = 0;
    const leave = await store.subscribe(
      "live:{a}",
      (message) => heard.push(message),
      () => (gaps += 1),
    );
    const leaveToo = await store.subscribe("live:{b}", (message) => heard.push(message));
    leaveToo();
    await store.publish("live:{a}", "before");
    await vi.waitFor(() => expect(heard).toEqual(["before"]));
    expect(gaps).toBe(0);
    await server.restart();
    await vi.waitFor(() => expect(gaps).toBe(1));
    await vi.waitFor(() => store.publish("live:{a}", "after"));
    await store.publish("live:{b}", "nobody");
    await vi.waitFor(() => expect(heard.at(-1)).toBe("after"));
    expect(new Set(heard)).toEqual(new Set(["before", "after"]));
    leave();
    await store.close();
  });

  test("commands that a restart has cut off are not done later", async () => {
    const store = await openRedisStore({ url: server.url, timeout: 1_000 });
    await store.put("session:{a}", "1");
    server.child.kill("SIGSTOP");
    const cut = store.put("session:{a}", "2");
    cut.catch(() => undefined);
    await server.restart();
    await expect(cut).rejects.toThrow(AppError);
    await vi.waitFor(async () => expect(await store.get("session:{a}")).toBeUndefined());
    expect(await store.put("session:{a}", "3")).toBe(true);
    await store.close();
  });

  test("a store that was closed fails", async () => {
    const store = await openRedisStore({ url: server.url });
    await store.close();
    await store.close();
    expectUnavailable(await callAll(store));
  });

  test("an append of many entries is one call", async () => {
    const store = await openRedisStore({ url: server.url, timeout: 20_000 });
    const many = Array.from({ length: 200_000 }, (_, nth) => `${nth}`);
    expect(await store.append("log:{many}", many, { id: "1" })).toBe(0);
    expect(await store.read("log:{many}", 199_998, 10)).toEqual(["199998", "199999"]);
    await store.delete("log:{many}");
    expect(await store.lengthOf("log:{many}")).toBe(0);
    await store.close();
  });
});
