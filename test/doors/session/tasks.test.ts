// How tasks run, stop and fail; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import {
  call,
  exampleScripts,
  follow,
  get,
  getJson,
  history,
  init,
  line,
  post,
  readEvents,
  someFunction,
  task,
} from "../../helpers/session-client.ts";

const spec = { openSpecList: [{ openSpec: "{}", protocol: "openapi" }] };
const startOf = ["agent>client [TASK_START]", "user>agent Hi", "agent>llm Hi"];

async function chat(app: Parameters<typeof post>[0], id: string, text = "Hi", name?: string) {
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task(text, name)));
  return events.map(({ message }) => line(message));
}

describe("a stop", () => {
  test("ends the model's answer, and the client hears it", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const running = chat(app, id);
    await model.say("Hel");
    expect(await getJson(app, `/api/stop?id=${id}`)).toEqual({ id });
    await expect.poll(() => model.aborted).toBe(1);
    expect(await running).toEqual([...startOf, "agent>client [TASK_STOP]"]);
    expect(await history(app, id)).toHaveLength(4);
    const next = chat(app, id, "Again");
    await model.say("Hello.");
    await model.end();
    expect((await next).at(-1)).toBe("agent>client [TASK_DONE]");
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(["Hi", "Again"]);
  });

  test("may name a task, and leaves the others alone", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const [one, two] = [chat(app, id, "Hi", "one"), chat(app, id, "Hi", "two")];
    await expect.poll(() => model.requests.length).toBe(2);
    const path = `/api/stop?id=${id}&taskId=two`;
    expect(await getJson(app, path)).toEqual({ id, taskId: "two" });
    expect((await two).at(-1)).toBe("agent>client [TASK_STOP]");
    await model.end();
    expect((await one).at(-1)).toBe("agent>client [TASK_DONE]");
    const all = chat(app, id, "Hi", "three");
    await expect.poll(() => model.requests.length).toBe(3);
    expect(await getJson(app, `/api/stop?id=${id}&taskId=`)).toEqual({ id });
    expect((await all).at(-1)).toBe("agent>client [TASK_STOP]");
  });

  test("of a session where nothing runs answers every time, and the log does not grow by it", async () => {
    const { app } = createTestApp();
    const id = await init(app);
    expect(await getJson(app, `/api/stop?id=${id}`)).toEqual({ id });
    expect(await history(app, id)).toEqual([]);
    await chat(app, id, "Hi", "one");
    const socket = await follow(app, id);
    for (let nth = 0; nth < 3; nth += 1) {
      await getJson(app, `/api/stop?id=${id}`);
      const message = await socket.next();
      expect([line(message), message["taskId"]]).toEqual(["agent>client [TASK_STOP]", "one"]);
    }
    expect(await history(app, id)).toHaveLength(7);
    expect(await getJson(app, `/api/stop?id=${id}&taskId=nobody`)).toEqual({
      id,
      taskId: "nobody",
    });
    expect(await history(app, id)).toHaveLength(7);
  });

  test("lets a write end, logs its result, and only then the next task begins", async () => {
    const write = Promise.withResolvers<Record<string, unknown>>();
    const { app, model } = createTestApp({
      models: exampleScripts,
      openTools: async (list) =>
        list.length === 0 ? [] : [someFunction(() => write.promise, "write")],
    });
    const id = await init(app, spec);
    const running = chat(app, id, "Hi", "one");
    await expect.poll(async () => (await history(app, id)).length).toBe(6);
    await getJson(app, `/api/stop?id=${id}`);
    const next = chat(app, id, "Again", "two");
    await expect.poll(async () => (await history(app, id)).length).toBe(8);
    expect(model.requests).toHaveLength(1);
    write.resolve({ written: true });
    const done = JSON.stringify({ id: call.id, result: { written: true } });
    expect((await running).slice(-5)).toEqual([
      `tool>agent ${done}`,
      `agent>llm ${done}`,
      "tool>agent [TOOLS_DONE]",
      "agent>client [TOOLS_DONE]",
      "agent>client [TASK_STOP]",
    ]);
    expect((await next).at(-1)).toBe("agent>client [TASK_DONE]");
    const told = model.requests.at(-1)?.messages.map(({ role }) => role);
    expect(told).toEqual(["user", "assistant", "tool", "user"]);
    // The one that was stopped has asked for nothing more.
    expect(model.requests).toHaveLength(2);
  });

  test("ends a tool that only reads, and the model is told that its call was cut off", async () => {
    const reading = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    const { app, model } = createTestApp({
      models: exampleScripts,
      openTools: async (list) => (list.length === 0 ? [] : [someFunction(reading)]),
    });
    const id = await init(app, spec);
    const running = chat(app, id, "Hi", "one");
    await expect.poll(async () => (await history(app, id)).length).toBe(6);
    await getJson(app, `/api/stop?id=${id}`);
    expect((await running).at(-1)).toBe("agent>client [TASK_STOP]");
    await chat(app, id, "Again");
    const told = model.requests[1]?.messages ?? [];
    expect(told.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(told[2]?.content).toContain("Stopped before a result came");
  });

  test("skips tasks that wait", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app, { taskPipelineStrategy: "serial" });
    const first = chat(app, id, "Hi", "one");
    await expect.poll(() => model.requests.length).toBe(1);
    const tasks = [first, chat(app, id, "Hi", "two"), chat(app, id, "Hi", "three")];
    await expect.poll(async () => (await history(app, id)).length).toBe(7);
    await getJson(app, `/api/stop?id=${id}`);
    for (const lines of await Promise.all(tasks))
      expect(lines.at(-1)).toBe("agent>client [TASK_STOP]");
    expect(model.requests).toHaveLength(1);
  });
});

describe("tasks of one session", () => {
  test("run side by side, and a finished one is whole for the next", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const one = chat(app, id, "One", "one");
    await expect.poll(() => model.requests.length).toBe(1);
    const two = chat(app, id, "Two", "two");
    await expect.poll(() => model.requests.length).toBe(2);
    for (const text of ["A1", "A2"]) {
      await model.say(text);
      await model.end();
    }
    await Promise.all([one, two]);
    const three = chat(app, id, "Three");
    await model.end();
    await three;
    const told = model.requests[2]?.messages.map(({ content }) => content);
    expect(told).toEqual(["One", "A1", "Two", "A2", "Three"]);
    // A task that is not over is nothing that another one knows.
    expect(model.requests[0]?.messages).toHaveLength(1);
    expect(model.requests[1]?.messages).toHaveLength(1);
  });

  test("wait for each other where the session says serial", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app, { taskPipelineStrategy: "serial" });
    const one = chat(app, id, "One", "one");
    await expect.poll(() => model.requests.length).toBe(1);
    const two = chat(app, id, "Two", "two");
    await model.say("A1");
    await expect.poll(async () => (await history(app, id)).length).toBe(5);
    expect(model.requests).toHaveLength(1);
    await model.end();
    await one;
    await model.end();
    await two;
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(["One", "A1", "Two"]);
  });

  test("are refused while one runs where the session says reject", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app, { taskPipelineStrategy: "reject" });
    const socket = await follow(app, id);
    const running = chat(app, id, "One", "one");
    await socket.next();
    const refused = await post(app, `/api/chat?id=${id}`, task("Two", "two"));
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: "session_busy" } },
    ]);
    socket.send(task("Three", "three"));
    const messages = await socket.until('[TASK_STOP]{"code":409,');
    expect(messages.at(-1)).toMatchObject({ taskId: "three" });
    await model.end();
    await running;
    const next = chat(app, id, "Two", "two");
    await model.end();
    expect((await next).at(-1)).toBe("agent>client [TASK_DONE]");
  });
});

describe("a taskId of an earlier task", () => {
  test.each([true, false])(
    "counts for the same content only, while that runs: %s",
    async (isOver) => {
      const model = gatedModel();
      const { app } = createTestApp({ models: model });
      const id = await init(app);
      const socket = await follow(app, id);
      socket.send(task("Hi", "one"));
      await model.say("Hel");
      if (isOver) {
        await model.end();
        await socket.until("[TASK_DONE]");
      }
      const other = await post(app, `/api/chat?id=${id}`, task("Bye", "one"));
      expect([other.status, await other.json()]).toMatchObject([
        400,
        { error: { param: "taskId" } },
      ]);
      socket.send(task("Bye", "one"));
      const messages = await socket.until('[TASK_STOP]{"code":400,');
      expect(messages.at(-1)).toMatchObject({ taskId: "one" });
      const again = post(app, `/api/chat?id=${id}`, task("Hi", "one"));
      if (!isOver) await model.end();
      const events = await readEvents(await again);
      expect(line(events.at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
      expect(model.requests).toHaveLength(1);
    },
  );
});

test("a message that is not in the expected format is refused by the name of its task", async () => {
  const { app } = createTestApp();
  const socket = await follow(app, await init(app));
  for (const wrong of [{ contentList: [] }, { contentList: "Hi" }, {}]) {
    socket.send({ taskId: "one", ...wrong });
    const messages = await socket.until('[TASK_STOP]{"code":400,');
    expect(messages.at(-1)).toMatchObject({ taskId: "one" });
  }
});

describe("a failure", () => {
  test.each<[string, unknown, number]>([
    ["of the model", new AppError("upstream_refused", "No."), 502],
    ["of ours", new Error("a secret of ours"), 500],
  ])("%s ends the task in the same text, and the next one begins", async (_, thrown, code) => {
    const { app } = createTestApp({ models: [["Hel", thrown as Error], ["Hello."]] });
    const id = await init(app);
    const lines = await chat(app, id);
    expect(lines.slice(0, 3)).toEqual(startOf);
    expect(lines).toHaveLength(4);
    const [, json = ""] = /^agent>client \[TASK_STOP\](.*)$/.exec(lines[3] ?? "") ?? [];
    const message = code === 502 ? "No." : expect.any(String);
    expect(JSON.parse(json)).toEqual({ code, message });
    expect(json).not.toContain("secret");
    expect((await chat(app, id)).at(-1)).toBe("agent>client [TASK_DONE]");
  });

  test("of a tool is a result that the model reads", async () => {
    const { app } = createTestApp({
      models: exampleScripts,
      openTools: async (list) =>
        list.length === 0
          ? []
          : [
              {
                ...someFunction(),
                run: async () => ({ success: false, error: "It is broken." }),
              },
            ],
    });
    const id = await init(app, spec);
    const lines = await chat(app, id);
    const result = JSON.stringify({ id: call.id, result: { error: "It is broken." } });
    expect(lines[6]).toBe(`tool>agent ${result}`);
    expect(lines.at(-1)).toBe("agent>client [TASK_DONE]");
  });
});

describe("what the known server gets wrong", () => {
  test("the system prompt is told once, however many tasks there were, and to no client", async () => {
    const { app, model } = createTestApp();
    const id = await init(app, { systemPrompt: "Be short." });
    for (let nth = 0; nth < 3; nth += 1) await chat(app, id);
    const roles = model.requests[2]?.messages.map(({ role }) => role);
    expect(roles?.filter((role) => role === "system")).toHaveLength(1);
    expect((await history(app, id)).filter(({ from }) => from === "system")).toEqual([]);
  });

  test("the time-out begins anew with each task, and not with a ping; then what was said is forgotten", async () => {
    let now = 1_763_600_000_000;
    const { app, model } = createTestApp({ now: () => now });
    const id = await init(app, { timeoutSeconds: 60 });
    const socket = await follow(app, id);
    for (let nth = 0; nth < 3; nth += 1) {
      socket.send(task("Hi"));
      await socket.until("[TASK_DONE]");
      now += 50_000;
      socket.send("ping");
      await expect.poll(() => socket.peer.received.shift()).toBe("pong");
    }
    expect(await history(app, id)).toHaveLength(18);
    expect(model.requests[2]?.messages).toHaveLength(5);
    now += 10_000;
    expect(await history(app, id)).toEqual([]);
    // The socket is there still, and hears what begins then.
    socket.send(task("Hi"));
    expect(await socket.until("[TASK_DONE]")).toHaveLength(6);
    expect(model.requests[3]?.messages).toHaveLength(1);
  });

  test("a task that takes longer than the time-out is not forgotten while it runs", async () => {
    let now = 1_763_600_000_000;
    const model = gatedModel();
    const store = createMemoryStore({ now: () => 0 });
    const { app } = createTestApp({ models: model, now: () => now, store });
    const id = await init(app, { timeoutSeconds: 1 });
    const running = chat(app, id);
    await model.say("Hello.");
    now += 5_000;
    expect(await history(app, id)).toHaveLength(3);
    await model.end();
    expect((await running).at(-1)).toBe("agent>client [TASK_DONE]");
    expect(await history(app, id)).toHaveLength(6);
  });

  test("tools that only read run side by side", async () => {
    const both = Promise.withResolvers<undefined>();
    let running = 0;
    const run = async () => {
      running += 1;
      if (running === 2) both.resolve(undefined);
      await both.promise;
      return { ok: true };
    };
    const made = (id: string, operation: string) => ({
      type: "tool-call" as const,
      call: { id, name: "SomeFunction", arguments: JSON.stringify({ operation }) },
    });
    const { app } = createTestApp({
      models: [[made("a", "1"), made("b", "2")], ["Done."]],
      openTools: async (list) => (list.length === 0 ? [] : [someFunction(run)]),
    });
    const lines = await chat(app, await init(app, spec));
    expect(lines.at(-1)).toBe("agent>client [TASK_DONE]");
    const [started, ended] = [lines.indexOf("agent>client [TOOLS_START]"), lines.length - 5];
    expect(lines.slice(started + 1, ended + 2).map((said) => said.slice(0, 18))).toEqual([
      'tool>agent {"id":"',
      'agent>llm {"id":"a',
      'tool>agent {"id":"',
      'agent>llm {"id":"b',
      "tool>agent [TOOLS_",
      "agent>client [TOOL",
    ]);
  });

  test("a model that calls tools for ever is stopped", async () => {
    const [first = []] = exampleScripts;
    let count = 0;
    const { app, model } = createTestApp({
      models: [first],
      openTools: async (list) =>
        list.length === 0 ? [] : [someFunction(async () => ({ n: ++count }))],
      settings: { RIGHTSEAT_MAX_ROUNDS: "4" },
    });
    const lines = await chat(app, await init(app, spec));
    expect(lines.at(-1)).toMatch(/^agent>client \[TASK_STOP\]\{"code":422,/);
    expect(model.requests).toHaveLength(4);
  });

  test("a stop, a chat and a clear of nobody's session are refused, and the server lives on", async () => {
    const { app } = createTestApp();
    for (const path of ["stop", "chat", "clear"])
      expect((await get(app, `/api/${path}?id=nobody`)).status).toBe(404);
    expect((await get(app, "/api/version")).status).toBe(200);
  });

  test("a clear closes the sockets, stops what runs, and the session goes on empty", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const socket = await follow(app, id);
    socket.send(task("Hi", "one"));
    await model.say("Hel");
    await getJson(app, `/api/clear?id=${id}`);
    const messages = await socket.until("[TASK_STOP]");
    expect(messages.at(-1)).toMatchObject({ taskId: "one" });
    expect(await socket.peer.closed).toMatchObject({ code: 1000 });
    expect(await history(app, id)).toEqual([]);
    const next = chat(app, id, "Hi", "one");
    await model.end();
    expect((await next).at(-1)).toBe("agent>client [TASK_DONE]");
  });
});

test("the operations of a description are the model's tools, and a wrong description is refused", async () => {
  const { app, model } = createTestApp();
  const description = {
    openapi: "3.0.0",
    info: { title: "Weather", version: "1" },
    servers: [{ url: "https://weather.example" }],
    paths: {
      "/today": {
        get: { operationId: "today", summary: "Today", responses: { 200: { description: "ok" } } },
      },
    },
  };
  const list = (openSpec: string) => ({ openSpecList: [{ openSpec, protocol: "openapi" }] });
  const id = await init(app, list(JSON.stringify(description)));
  expect((await chat(app, id)).at(-1)).toBe("agent>client [TASK_DONE]");
  expect(model.requests[0]?.tools).toHaveLength(1);
  const refused = await post(app, "/api/init", list("[]"));
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: expect.stringMatching(/^openSpecList\[0\]/) } },
  ]);
});

test("a task asks the store thirty times at most, and what its session is once an hour", async () => {
  let [calls, now] = [0, 1_000];
  const writes: string[] = [];
  const store = new Proxy(createMemoryStore({ now: () => now }), {
    get(target, name) {
      const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => {
        calls += 1;
        if (name === "put") writes.push(String(given[0]));
        return method.apply(target, given);
      };
    },
  });
  const { app } = createTestApp({ store, now: () => now });
  const id = await init(app);
  await chat(app, id);
  [calls, writes.length] = [0, 0];
  await chat(app, id);
  await expect.poll(() => writes.length).toBe(2);
  expect(calls).toBeLessThan(30);
  expect(writes.every((key) => key.startsWith(`task:{${id}}:0:`))).toBe(true);
  now += 3_600_000 - 1;
  await chat(app, id);
  now += 1;
  await chat(app, id);
  await expect.poll(() => writes.slice(-2)).toEqual([`session:{${id}}`, `options:{${id}}`]);
  expect(writes.filter((key) => key === `session:{${id}}`)).toHaveLength(1);
});
