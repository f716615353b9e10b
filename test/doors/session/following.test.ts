// How the messages of a session reach who follows it; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { gatedModel } from "../../helpers/gated-model.ts";
import {
  follow,
  get,
  getJson,
  history,
  init,
  line,
  post,
  readEvents,
  task,
} from "../../helpers/session-client.ts";

const short = [
  "agent>client [TASK_START]",
  "user>agent Hi",
  "agent>llm Hi",
  "llm>agent Hello.",
  "agent>user Hello.",
  "agent>client [TASK_DONE]",
];

describe("a task that is posted", () => {
  test("is answered with its messages, their positions as ids, and then the end", async () => {
    const { app } = createTestApp();
    const id = await init(app);
    const first = await post(app, `/api/chat?id=${id}`, task("Hi"));
    expect(first.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = await readEvents(first);
    expect(events.map(({ message }) => line(message))).toEqual(short);
    expect(events.map((event) => event.id)).toEqual(["0", "1", "2", "3", "4", "5"]);
    const next = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
    expect(next.map((event) => event.id)).toEqual(["6", "7", "8", "9", "10", "11"]);
    const all = [...events, ...next].map(({ message }) => message);
    expect(await history(app, id)).toEqual(all);
    expect(await history(app, id, "&from=4&limit=3")).toEqual(all.slice(4, 7));
  });

  test("twice under one name runs once, at the same time and later", async () => {
    const { app, model } = createTestApp();
    const id = await init(app);
    const ask = async () => {
      const response = await post(app, `/api/chat?id=${id}`, task("Hi", "one"));
      return (await readEvents(response)).map(({ message }) => line(message));
    };
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([short, short, short]);
    expect(await ask()).toEqual(short);
    expect(model.requests).toHaveLength(1);
    expect(await history(app, id)).toHaveLength(6);
  });

  test("goes on when its client has left, who gets the rest by the position seen last", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const left = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi", "one")), 3);
    await model.say("Hello.");
    await model.end();
    await expect.poll(async () => (await history(app, id)).length).toBe(6);
    const headers = { "last-event-id": left.at(-1)?.id ?? "" };
    const again = await readEvents(
      await post(app, `/api/chat?id=${id}`, task("Hi", "one"), headers),
    );
    expect([...left, ...again].map(({ message }) => line(message))).toEqual(short);
    expect(model.requests).toHaveLength(1);
    // Who has seen all hears nothing more, and does not wait for it.
    const ended = { "last-event-id": "5" };
    expect(
      await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi", "one"), ended)),
    ).toEqual([]);
  });

  test("knows what was said before, and images as images", async () => {
    const { app, model } = createTestApp({ models: [["Nice."], ["A cat."]] });
    const id = await init(app, { systemPrompt: "Be short." });
    const image = { type: "imageUrl", message: "https://example.com/cat.jpg" };
    const contentList = [{ type: "text", message: "What is this?" }, image];
    await readEvents(await post(app, `/api/chat?id=${id}`, { contentList: [image] }));
    await readEvents(await post(app, `/api/chat?id=${id}`, { contentList }));
    const part = { type: "image_url", image_url: { url: image.message } };
    expect(model.requests[1]?.messages).toEqual([
      { role: "system", content: "Be short." },
      { role: "user", content: [part] },
      { role: "assistant", content: "Nice." },
      { role: "user", content: [{ type: "text", text: "What is this?" }, part] },
    ]);
    const types = (await history(app, id)).map(({ type, message }) => [type, message]);
    expect(types[1]).toEqual(["imageUrl", image.message]);
    expect(types[7]).toEqual(["contentList", contentList]);
  });
});

describe("who follows a session", () => {
  test("hears live messages only, or all after a position", async () => {
    const { app } = createTestApp();
    const id = await init(app);
    await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi", "one")));
    const live = await follow(app, id);
    const all = await follow(app, id, "&after=-1");
    const some = await follow(app, id, "&after=3");
    live.send(task("Hi", "two"));
    expect((await live.until("[TASK_DONE]")).map(line)).toEqual(short);
    expect((await some.until("[TASK_DONE]")).map(line)).toEqual(short.slice(4));
    expect((await some.until("[TASK_DONE]")).map(line)).toEqual(short);
    const heard = [...(await all.until("[TASK_DONE]")), ...(await all.until("[TASK_DONE]"))];
    expect(heard).toEqual(await history(app, id));
  });

  test("hears every message once and in order, wherever it begins and however slowly it reads", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.nat(40), stalls: fc.boolean() }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: 1, max: 6 }),
        async (followers, tasks) => {
          const { app } = createTestApp({ models: [["a", "b", "c"]] });
          const id = await init(app);
          const sockets = [];
          for (let nth = 0; nth < tasks; nth += 1) {
            const running = post(app, `/api/chat?id=${id}`, task(`${nth}`, `t${nth}`));
            const next = followers[nth];
            if (next !== undefined) {
              // What has a position by now; so much is there at least.
              const after = (next.after % (nth * 6 + 1)) - 1;
              const socket = await follow(app, id, `&after=${after}`);
              if (next.stalls) socket.peer.stall();
              sockets.push({ socket, after, stalls: next.stalls });
            }
            await readEvents(await running);
          }
          const whole = await history(app, id);
          expect(whole).toHaveLength(tasks * 6);
          for (const { socket, after, stalls } of sockets) {
            if (stalls) socket.peer.resume();
            const wanted = whole.slice(after + 1);
            const heard = [];
            while (heard.length < wanted.length) heard.push(await socket.next());
            expect(heard).toEqual(wanted);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("may do so by GET, as a browser does it", async () => {
    const { app } = createTestApp();
    const id = await init(app);
    await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
    const events = await readEvents(await get(app, `/api/chat?id=${id}&after=1`), 4);
    expect(events.map(({ message }) => line(message))).toEqual(short.slice(2));
    const headers = { "last-event-id": "4" };
    const rest = await readEvents(await get(app, `/api/chat?id=${id}&after=1`, headers), 1);
    expect(rest.map((event) => [event.id, line(event.message)])).toEqual([["5", short[5]]]);
    // The head does not wait for a message.
    const reader = (await get(app, `/api/chat?id=${id}`)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^: .*\n\n$/);
    await reader?.cancel();
  });

  test("hears of messages that are not tasks, and stays connected", async () => {
    const { app } = createTestApp();
    const id = await init(app);
    const socket = await follow(app, id);
    for (const bad of ["{", "[]", "null", '{"contentList":[]}', '{"contentList":"x"}']) {
      socket.send(bad);
      const message = await socket.next();
      expect(line(message)).toMatch(/^agent>client \[TASK_STOP\]\{"code":400,"message":"/);
      expect(message).toMatchObject({ sessionId: id, type: "text" });
    }
    socket.send(task("Hi"));
    expect((await socket.until("[TASK_DONE]")).map(line)).toEqual(short);
    expect(await history(app, id)).toHaveLength(6);
  });
});

describe("the protocol 0.8", () => {
  const eight = "&protocol=0.8";

  test("has its own names, and the answer in chunks", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const response = await post(app, "/api/init?protocol=0.8", {});
    const { sessionId: id } = (await response.json()) as { sessionId: string };
    const body = { content: [{ type: "text", message: "Hi" }], stream: true, taskId: "one" };
    const answer = post(app, `/api/chat?sessionId=${id}${eight}`, body);
    const read = answer.then((stream) => readEvents(stream));
    await model.say("Hel");
    await model.say("lo.");
    await model.end();
    const events = await read;
    const chunks = events.filter(({ event }) => event === "chunk").map(({ message }) => message);
    expect(chunks.map(({ part }) => part).join("")).toBe("Hello.");
    expect(chunks[0]).toMatchObject({ sessionId: id, taskId: "one", role: "assistant" });
    const messages = events.filter(({ event }) => event === undefined);
    expect(
      messages.map(({ message: { role, to, type, content } }) => [role, to, type, content]),
    ).toEqual([
      ["agent", "client", "taskStatus", { status: "start", taskId: "one" }],
      ["user", "agent", "text", "Hi"],
      ["agent", "assistant", "text", "Hi"],
      ["assistant", "agent", "text", "Hello."],
      ["agent", "user", "text", "Hello."],
      ["agent", "client", "taskStatus", { status: "done", taskId: "one" }],
    ]);
    expect(await getJson(app, "/api/version?protocol=0.8")).toEqual({ version: "0.8.0" });
    expect(await getJson(app, "/api/version")).toEqual({ version: "0.4.0" });
  });

  test("tells who comes in the middle of an answer what was written, and then the rest", async () => {
    const model = gatedModel();
    const { app } = createTestApp({ models: model });
    const id = await init(app);
    const body = { ...task("Hi", "one"), stream: true };
    await readEvents(await post(app, `/api/chat?id=${id}${eight}`, body), 3);
    await model.say("Hel");
    // It is saved a quarter of a second later.
    await new Promise((resolve) => setTimeout(resolve, 350));
    const again = readEvents(await post(app, `/api/chat?id=${id}${eight}`, body));
    await model.say("lo.");
    await model.end();
    const events = await again;
    const parts = events.flatMap(({ event, message }) =>
      event === "chunk" ? [message["part"]] : [],
    );
    expect(parts.join("")).toBe("Hello.");
    expect(events.filter(({ event }) => event === undefined)).toHaveLength(6);
  });
});

test("a socket that sends too much is read more slowly, and loses nothing", async () => {
  const timers = createManualTimers();
  const { app } = createTestApp({ timers });
  const socket = await follow(app, await init(app));
  for (let nth = 0; nth < 130; nth += 1) socket.send("ping");
  await expect.poll(() => socket.peer.received.length).toBe(101);
  for (let nth = 102; nth <= 130; nth += 1) {
    timers.pass(50);
    await expect.poll(() => socket.peer.received.length).toBe(nth);
  }
});

test("a history of 10,000 messages comes in pages, and the store is never asked for all of it", async () => {
  const store = createMemoryStore({ now: Date.now });
  const { app } = createTestApp({ store });
  const id = await init(app);
  await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
  const log = `log:{${id}}:0`;
  const said = await store.read(log, 0, 6);
  await store.append(log, Array.from({ length: 1_666 }, () => said).flat(), { id: "more" });
  const asked: number[] = [];
  const read = store.read.bind(store);
  store.read = (name, from, limit) => {
    asked.push(limit);
    return read(name, from, limit);
  };
  const whole = await history(app, id);
  expect(whole).toHaveLength(10_002);
  const pages = [];
  for (let from = 0; from < 10_500; from += 500)
    pages.push(await history(app, id, `&from=${from}&limit=500`));
  expect(pages.map(({ length }) => length)).toEqual([...Array.from({ length: 20 }, () => 500), 2]);
  expect(pages.flat()).toEqual(whole);
  const events = await readEvents(await get(app, `/api/chat?id=${id}&after=-1`), whole.length);
  expect(events.map(({ message }) => message)).toEqual(whole);
  expect(Math.max(...asked)).toBe(500);
});
