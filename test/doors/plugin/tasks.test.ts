// One task a connection, the queue, and connections that end; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { connect } from "../../helpers/plugin-client.ts";
import { requests } from "../../helpers/plugin-requests.ts";
import { bytesOf, chunk, fakeTransport, frame, modelOver } from "../../helpers/upstream.ts";

const half = { body: [bytesOf(frame(chunk({ content: "Hel" }))), "hang" as const] };
const whole = { body: [bytesOf(frame(chunk({ content: "Hello" }, "stop")))] };
const chat = { ...requests.exec_chat, stream: true };

function create(settings: Record<string, string>, ...answers: Parameters<typeof fakeTransport>) {
  const transport = fakeTransport(...answers);
  return { transport, ...createTestApp({ models: modelOver(transport), settings }) };
}

describe("a second task of a connection", () => {
  test("cancels the first, whose model is asked no longer, and is answered", async () => {
    const { app, transport } = create({}, half, whole);
    const client = await connect(app);
    client.send({ ...chat, request_id: 1 });
    expect(await client.next()).toMatchObject({ request_id: 1, msg: "Hel", stream_seq_id: 0 });
    client.send({ ...chat, request_id: 2 });
    expect(await client.next()).toEqual({ request_id: 1, error: "cancelled" });
    expect(await client.next()).toMatchObject({ request_id: 2, msg: "Hello", stream_seq_id: 0 });
    expect(await client.next()).toMatchObject({ request_id: 2, stream_finsh: true });
    expect(transport.cancelled).toBe(1);
    expect(client.received).toEqual([]);
  });

  test("takes the place of one that waits", async () => {
    const { app } = create({ RIGHTSEAT_MAX_TASKS: "1" }, half, whole);
    const [busy, client] = [await connect(app), await connect(app)];
    busy.send({ ...chat, request_id: 1 });
    await busy.next();
    client.send({ ...chat, request_id: 2 });
    client.send({ ...chat, request_id: 3 });
    expect(await client.next()).toEqual({ request_id: 2, error: "cancelled" });
    busy.leave();
    expect(await client.next()).toMatchObject({ request_id: 3, msg: "Hello" });
  });

  test("gets the room that the first one leaves in a full queue", async () => {
    const settings = { RIGHTSEAT_MAX_TASKS: "1", RIGHTSEAT_MAX_QUEUE: "1" };
    const { app } = create(settings, half, whole, whole);
    const [client, waiting] = [await connect(app), await connect(app)];
    client.send({ ...chat, request_id: 1 });
    await client.next();
    waiting.send(chat);
    client.send({ ...chat, request_id: 2 });
    expect(await client.next()).toEqual({ request_id: 1, error: "cancelled" });
    expect(await waiting.next()).toMatchObject({ msg: "Hello" });
    expect(await client.next()).toMatchObject({ request_id: 2, msg: "Hello" });
  });

  test("of many at once, only the last one is asked of the model", async () => {
    const { app, transport } = create({}, whole);
    const client = await connect(app);
    for (const id of [1, 2, 3, 4, 5]) client.send({ ...chat, request_id: id });
    await expect.poll(() => client.received.length).toBeGreaterThan(5);
    const frames = client.received.map((text) => JSON.parse(text) as { request_id: number });
    for (const id of [1, 2, 3, 4])
      expect(frames).toContainEqual({ request_id: id, error: "cancelled" });
    expect(frames.at(-1)).toMatchObject({ request_id: 5, stream_finsh: true });
    expect(transport.requests.length).toBeLessThan(3);
  });

  test("that is wrong itself cancels nothing", async () => {
    const { app } = create({}, half);
    const client = await connect(app);
    client.send(chat);
    await client.next();
    client.send({ request_id: 2, cmd: "exec_fix" });
    expect(await client.next()).toHaveProperty("error");
    client.send(requests.list_model);
    expect(await client.next()).toHaveProperty("models");
    expect(client.received).toEqual([]);
  });
});

describe("the queue", () => {
  test("takes no more than it may, and says how long it is", async () => {
    const settings = { RIGHTSEAT_MAX_TASKS: "1", RIGHTSEAT_MAX_QUEUE: "1" };
    const { app } = create(settings, half, whole);
    const clients = [await connect(app), await connect(app), await connect(app)];
    const [running, waiting, refused] = clients;
    running?.send(chat);
    await running?.next();
    waiting?.send(chat);
    expect(await refused?.ask(chat)).toEqual([
      { request_id: 123, error: "queue_full", queue_length: 1 },
    ]);
    running?.leave();
    expect(await waiting?.next()).toMatchObject({ msg: "Hello" });
  });

  test("lets tasks in by the order in which they came, whoever sent them", async () => {
    const { app } = create({ RIGHTSEAT_MAX_TASKS: "1" }, half, whole, whole, whole);
    const first = await connect(app);
    first.send(chat);
    await first.next();
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (nth) => {
      const client = await connect(app);
      await client.ask({ ...chat, stream: false });
      order.push(nth);
    });
    await expect.poll(() => first.received.length).toBe(0);
    first.leave();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  test("is told of after a second, and only to plugins that know it", async () => {
    const timers = createManualTimers();
    const transport = fakeTransport(half, whole, whole);
    const { app } = createTestApp({
      models: modelOver(transport),
      settings: { RIGHTSEAT_MAX_TASKS: "1" },
      timers,
    });
    const [running, old, aware] = [await connect(app), await connect(app), await connect(app)];
    running.send(chat);
    await running.next();
    old.send(chat);
    await expect.poll(() => timers.pending).toBeGreaterThan(0);
    aware.send({ ...chat, queue_place: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    timers.pass(999);
    expect(aware.received).toEqual([]);
    timers.pass(1);
    expect(await aware.next()).toEqual({ request_id: 123, queue_place: 2 });
    old.leave();
    expect(await aware.next()).toEqual({ request_id: 123, queue_place: 1 });
    expect(old.received).toEqual([]);
    running.leave();
    expect(await aware.next()).toMatchObject({ msg: "Hello", stream_seq_id: 0 });
  });
});

describe("a connection that ends", () => {
  test.each(["while its task runs", "while its task waits", "before its task has begun"])(
    "%s leaves nothing running, and its place to the next",
    async (when) => {
      const settings = { RIGHTSEAT_MAX_TASKS: "1", RIGHTSEAT_MAX_STREAMS: "1" };
      const { app, transport } = create(settings, half);
      const [client, last] = [await connect(app), await connect(app)];
      if (when === "while its task waits") {
        const running = await connect(app);
        running.send(chat);
        await running.next();
        client.send(chat);
        await new Promise((resolve) => setTimeout(resolve, 5));
        client.leave();
        running.leave();
      } else {
        client.send(chat);
        if (when === "while its task runs") await client.next();
        client.leave();
      }
      last.send(chat);
      expect(await last.next()).toMatchObject({ msg: "Hel" });
      await expect.poll(() => transport.requests.length - transport.cancelled).toBe(1);
    },
  );

  test("is closed with 1012 when the server drains", async () => {
    const { app } = create({ RIGHTSEAT_DRAIN_TIMEOUT_MS: "20" }, half);
    const [idle, busy] = [await connect(app), await connect(app)];
    busy.send(chat);
    await busy.next();
    await app.drain();
    expect(await idle.closed).toMatchObject({ code: 1012 });
    expect(await busy.next()).toEqual({ request_id: 123, error: expect.stringMatching(/restart/) });
    expect(await busy.closed).toMatchObject({ code: 1012 });
  });

  test("because nothing was asked for too long is closed with a reason, and not while a task runs", async () => {
    const timers = createManualTimers();
    const { app } = createTestApp({
      models: modelOver(fakeTransport(half)),
      settings: { pluginIdleTimeout: 1_000 },
      timers,
    });
    const [idle, busy] = [await connect(app), await connect(app)];
    busy.send(chat);
    await busy.next();
    timers.pass(1_500);
    expect(await idle.closed).toMatchObject({ code: 4408 });
    expect(busy.isOver).toBe(false);
  });
});
