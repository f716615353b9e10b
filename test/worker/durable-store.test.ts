// The store of Durable Objects in workerd.
import { evictDurableObject, listDurableObjectIds, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { createTimers } from "../../src/base/wire/patient-timer.ts";
import { createDurableStore } from "../../src/store/durable-store.worker.ts";
import { storeSuite } from "../store/store-suite.ts";

const findObject = (name: string) => env.SESSION_STORE.get(env.SESSION_STORE.idFromName(name));
const open = () => createDurableStore(findObject, createTimers());
const allObjects = async () =>
  (await listDurableObjectIds(env.SESSION_STORE)).map((id) => env.SESSION_STORE.get(id));

/** The clock of the objects, too, which share this isolate; their alarms come when they are due. */
async function pass(milliseconds: number): Promise<void> {
  vi.setSystemTime(Date.now() + milliseconds);
  for (const object of await allObjects()) await runDurableObjectAlarm(object);
}

vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
afterAll(() => {
  vi.useRealTimers();
});

storeSuite("Durable Objects", () => ({ open, pass, close: () => undefined }), {
  cases: 20,
  sharesTopics: true,
});

test("what was written is there after the objects were thrown out of memory", async () => {
  const store = open();
  await store.append("log:{kept}", ["一", "two"], { id: "1" });
  await store.put("session:{kept}", "value");
  for (const object of await allObjects()) await evictDurableObject(object);
  expect(await store.read("log:{kept}", 0, 10)).toEqual(["一", "two"]);
  expect(await store.append("log:{kept}", ["again"], { id: "1" })).toBe(0);
  expect(await store.get("session:{kept}")).toBe("value");
});

test("an object in which nothing is left goes, and can be used again", async () => {
  const store = open();
  await store.append("log:{over}", ["1"], { id: "1", ttl: 10_000 });
  await store.put("session:{over}", "1", { ttl: 20_000 });
  await pass(30_000);
  expect(await store.get("session:{over}")).toBeUndefined();
  expect(await runDurableObjectAlarm(findObject("id:over"))).toBe(false);
  expect(await store.append("log:{over}", ["2"], { id: "1" })).toBe(0);
  expect(await store.read("log:{over}", 0, 10)).toEqual(["2"]);
});

test("a listener whose connection is lost is told so, and hears what comes after", async () => {
  const store = open();
  const heard: string[] = [];
  let gaps = 0;
  const leave = await store.subscribe(
    "live:{lost}",
    (message) => heard.push(message),
    () => (gaps += 1),
  );
  await store.publish("live:{lost}", "1");
  await vi.waitFor(() => expect(heard).toEqual(["1"]));
  await evictDurableObject(findObject("id:lost"), { webSockets: "close" });
  await vi.waitFor(() => expect(gaps).toBe(1));
  await store.publish("live:{lost}", "2");
  await vi.waitFor(() => expect(heard).toEqual(["1", "2"]));
  // An object that sleeps keeps its sockets.
  await evictDurableObject(findObject("id:lost"));
  await store.publish("live:{lost}", "3");
  await vi.waitFor(() => expect(heard).toEqual(["1", "2", "3"]));
  leave();
  await store.publish("live:{lost}", "4");
  expect(heard).toHaveLength(3);
});

test("an object that fails is a store that is unavailable", async () => {
  const store = createDurableStore(
    () => ({ fetch: () => Promise.reject(new Error("The object was reset.")) }),
    createTimers(),
  );
  const calls = [
    store.get("a"),
    store.append("a", ["1"], { id: "1" }),
    store.subscribe("a", () => undefined),
  ];
  for (const call of calls) await expect(call).rejects.toThrow(AppError);
});
