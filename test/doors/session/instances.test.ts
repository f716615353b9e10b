// Two servers over one store, and one that dies; on Node and in workerd.
import { expect, test, vi } from "vitest";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { connect, open } from "../../helpers/plugin-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import {
  exampleScripts,
  follow,
  getJson,
  history,
  init,
  line,
  post,
  readEvents,
  someFunction,
  task,
} from "../../helpers/session-client.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";

const stateKeys = { RIGHTSEAT_STATE_KEYS: `a:${btoa("k".repeat(32))}` };

/** A store that a process can no longer reach, nor hear of, once it is killed. */
function mortal(store: Store): { store: Store; kill: () => void } {
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const handler: ProxyHandler<Store> = {
    get(target, name) {
      const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
      return async (...given: unknown[]) => (isDead ? never : method.apply(target, given));
    },
  };
  return { store: new Proxy(store, handler), kill: () => void (isDead = true) };
}

function twoApps(more: Record<string, string> = {}) {
  const timers = createManualTimers();
  const shared = createMemoryStore({ now: timers.now });
  const { store, kill } = mortal(shared);
  const [first, second] = [gatedModel(), gatedModel()];
  let ids = 0;
  const createId = (): string => `id-${(ids += 1)}`;
  const settings = { ...stateKeys, ...more };
  const one = createTestApp({ models: first, store, settings, createId, timers }).app;
  const two = createTestApp({
    models: second,
    store: shared,
    settings,
    createId,
    timers,
    openTools: async () => [],
  }).app;
  return { one, two, first, second, kill, timers, shared };
}

test("any server serves any session, and stops what another one runs", async () => {
  const { one, two, first, second } = twoApps();
  const id = await init(one);
  const socket = await follow(two, id, "&after=-1");
  const running = post(one, `/api/chat?id=${id}`, task("Hi", "one")).then((answer) =>
    readEvents(answer),
  );
  await first.say("Hel");
  await socket.next();
  // The other one finds the task, and does not begin it again.
  const again = post(two, `/api/chat?id=${id}`, task("Hi", "one")).then((answer) =>
    readEvents(answer),
  );
  await getJson(two, `/api/stop?id=${id}`);
  expect((await running).map(({ message }) => line(message)).at(-1)).toMatch(/\[TASK_STOP\]$/);
  expect(await again).toEqual(await running);
  expect((await socket.until("[TASK_STOP]")).at(-1)).toMatchObject({ taskId: "one" });
  expect(second.requests).toEqual([]);
  const next = post(two, `/api/chat?id=${id}`, task("Again")).then((answer) => readEvents(answer));
  await second.end();
  expect((await next).at(-1)?.id).toBe("9");
  expect(await history(one, id)).toEqual(await history(two, id));
});

test("what begins after a stop waits for a write that another server still makes, and knows of it", async () => {
  const timers = createManualTimers();
  const store = createMemoryStore({ now: timers.now });
  const write = Promise.withResolvers<Record<string, unknown>>();
  const tools = [someFunction(() => write.promise, "write")];
  const parts = { store, timers, settings: stateKeys, openTools: async () => tools };
  const createId = (): string => crypto.randomUUID();
  const one = createTestApp({ ...parts, createId, models: exampleScripts }).app;
  const { app: two, model } = createTestApp({ ...parts, createId, models: [["Hi."], ["Hi."]] });
  const id = await init(one);
  const first = post(one, `/api/chat?id=${id}`, task("Hi", "one")).then((all) => readEvents(all));
  await expect.poll(async () => (await history(two, id)).length).toBe(6);
  // One that nobody has stopped holds up nobody.
  await readEvents(await post(two, `/api/chat?id=${id}`, task("Side", "side")));
  expect(model.requests).toHaveLength(1);
  await getJson(two, `/api/stop?id=${id}`);
  const next = post(two, `/api/chat?id=${id}`, task("Again", "two")).then((all) => readEvents(all));
  for (let moment = 0; moment < 30; moment += 1) {
    timers.pass(1_000);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(model.requests).toHaveLength(1);
  write.resolve({ written: true });
  const [before, after] = await passUntil(Promise.all([first, next]), timers);
  expect(line(before.at(-1)?.message ?? {})).toBe("agent>client [TASK_STOP]");
  expect(line(after.at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
  const told = model.requests.at(-1)?.messages.map(({ role }) => role);
  expect(told).toEqual(["user", "assistant", "tool", "user", "assistant", "user"]);
  expect(await store.get(`stop:{${id}}:0:one`)).toBeUndefined();
});

test("a task of a server that was killed ends with an error within ten seconds, once", async () => {
  const { one, two, first, kill, timers } = twoApps();
  const id = await init(one);
  const begun = await post(one, `/api/chat?id=${id}`, task("Hi", "one"));
  void begun.body?.cancel();
  await first.say("Hel");
  const sockets = [await follow(two, id, "&after=-1"), await follow(two, id)];
  kill();
  const died = timers.now();
  const ends = sockets.map((socket) => socket.until("[TASK_STOP]"));
  const heard = await passUntil(Promise.all(ends), timers);
  expect(timers.now() - died).toBeLessThan(60_000);
  for (const messages of heard)
    expect(line(messages.at(-1) ?? {})).toMatch(/^agent>client \[TASK_STOP\]\{"code":500,/);
  const all = await history(two, id);
  expect(all.filter(({ message }) => String(message).startsWith("[TASK_STOP]"))).toHaveLength(1);
  // Who asks again by its name hears the same, and nothing runs.
  const again = await readEvents(await post(two, `/api/chat?id=${id}`, task("Hi", "one")));
  expect(again.map(({ message }) => message)).toEqual(all);
});

test("of two tasks of a session that two servers run, one ends within ten seconds after its server was killed, and the other goes on", async () => {
  const { one, two, first, second, kill, timers } = twoApps();
  const id = await init(one);
  void (await post(one, `/api/chat?id=${id}`, task("Hi", "lost"))).body?.cancel();
  await first.say("Hel");
  const living = post(two, `/api/chat?id=${id}`, task("Hi", "kept")).then((all) => readEvents(all));
  await second.say("Hel");
  const socket = await follow(two, id, "&after=-1");
  const again = post(two, `/api/chat?id=${id}`, task("Hi", "lost")).then((all) => readEvents(all));
  kill();
  for (let passed = 0; passed < 10_000; passed += 500) {
    timers.pass(500);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const error = /^agent>client \[TASK_STOP\]\{"code":500,/;
  const told = (await again).map(({ message }) => message);
  expect(line(told.at(-1) ?? {})).toMatch(error);
  const heard = await socket.until("[TASK_STOP]");
  expect(heard.at(-1)).toEqual(told.at(-1));
  expect(heard.filter(({ taskId }) => taskId === "lost")).toEqual(told);
  await second.end();
  expect(line((await living).at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
  expect((await socket.until("[TASK_DONE]")).at(-1)).toMatchObject({ taskId: "kept" });
  expect((await history(two, id)).map(line).filter((each) => error.test(each))).toHaveLength(1);
});

test("the connections of a key are counted over all servers, and those of a dead one no more", async () => {
  const headers = { "x-api-key": "one" };
  const keys = { RIGHTSEAT_API_KEYS: "one,other", RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "3" };
  const { one, two, kill, timers } = twoApps(keys);
  const id = await init(one, {}, headers);
  const options = { path: `/api/chat?id=${id}`, headers };
  const [first] = [await connect(one, options), await connect(one, options)];
  const third = await connect(two, options);
  const refused = await open(two, options);
  expect(refused).toMatchObject({ status: 429 });
  expect(await open(one, options)).toMatchObject({ status: 429 });
  const others = { "x-api-key": "other" };
  const path = `/api/chat?id=${await init(two, {}, others)}`;
  await connect(two, { path, headers: others });
  // Each that leaves makes room, wherever it was, and one that stays is counted after a long time, too.
  first.leave();
  await passUntil(
    vi.waitFor(() => connect(two, options), 10_000),
    timers,
  );
  third.leave();
  await passUntil(
    vi.waitFor(() => connect(one, options), 10_000),
    timers,
  );
  for (let moment = 0; moment < 60; moment += 1) {
    timers.pass(1_000);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(await open(two, options)).toMatchObject({ status: 429 });
  kill();
  await passUntil(
    vi.waitFor(() => connect(two, options), 10_000),
    timers,
  );
  await connect(two, options);
  expect(await open(two, options)).toMatchObject({ status: 429 });
});

test("no secret of a client is in the store, the history or an answer", async () => {
  const { two, shared } = twoApps();
  const kept: string[] = [];
  const put = shared.put.bind(shared);
  shared.put = (...given) => {
    kept.push(...given.slice(0, 2).map(String));
    return put(...given);
  };
  const secret = "sk-planted-secret";
  const body = {
    llmConfig: { apiKey: secret, baseUrl: "http://10.0.0.1/v1", model: "m" },
    openSpecList: [
      { openSpec: "{}", protocol: "openapi", apiKey: { type: "bearer", apiKey: secret } },
    ],
  };
  expect(await (await post(two, "/api/init", body)).text()).not.toContain(secret);
  const id = await init(two, {
    openSpecList: body.openSpecList,
    systemPrompt: "A private prompt.",
  });
  expect(kept).toContain(`session:{${id}}`);
  expect(kept.join()).not.toContain(secret);
  expect(kept.join()).not.toContain("private");
  expect(JSON.stringify(await history(two, id))).not.toContain(secret);
});
