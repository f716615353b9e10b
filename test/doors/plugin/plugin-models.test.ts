// Models on the plugin's side; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../../src/testing.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { connect, type Frame, msgOf } from "../../helpers/plugin-client.ts";
import { editOf, firstBlock, requests, selected } from "../../helpers/plugin-requests.ts";

const chat = { ...requests.exec_chat, model: "Plugin deepseek-r1", stream: true };

async function start(request: Frame) {
  const timers = createManualTimers();
  const { app, model } = createTestApp({ timers });
  const client = await connect(app);
  client.send(request);
  const asked = await client.next();
  const llm_request_id = asked["llm_request_id"];
  return {
    client,
    asked,
    timers,
    model,
    reply: (frame: Frame) => client.send({ llm_request_id, ...frame }),
  };
}

test("a model of the plugin gets the finished prompt, and its streamed answer is the answer", async () => {
  const { client, asked, model, reply } = await start(chat);
  expect(asked).toMatchObject({ cmd: "llm_chat", model: "Plugin deepseek-r1", stream: true });
  expect(asked["messages"]).toMatchObject([
    { role: "system" },
    { role: "user", content: expect.stringContaining("What is a cart?") },
  ]);
  reply({ msg: "A ", stream_seq_id: 0, stream_finsh: false });
  expect(await client.next()).toMatchObject({ request_id: 123, msg: "A ", stream_seq_id: 0 });
  reply({ msg: "\n<think>SECRET</think>\n", stream_seq_id: 1, stream_finsh: false });
  reply({ msg: "cart.", stream_seq_id: 2, stream_finsh: true });
  const rest = msgOf([await client.next(), await client.next()]);
  expect(rest).toContain("cart.");
  expect(rest).not.toContain("SECRET");
  expect(model.requests).toEqual([]);
  reply({ msg: "late", stream_seq_id: 3, stream_finsh: true });
  expect(await client.ask(requests.list_model)).toHaveLength(1);
});

test("an answer in one frame serves, too, also for a change of the selection", async () => {
  const { client, reply } = await start({ ...requests.exec_fix, model: "plugin x" });
  reply({ msg: `Why.\n\n${editOf("    result = 0", "    result = 1")}` });
  const msg = msgOf([await client.next()]);
  expect(firstBlock(msg)).toBe(selected.replace("result = 0", "result = 1"));
});

test("an answer that repeats the cmd of its request serves, too", async () => {
  const { client, reply } = await start({ ...chat, stream: false });
  reply({ cmd: "llm_chat", msg: "A cart." });
  expect(await client.next()).toEqual({ request_id: 123, msg: "A cart." });
});

test("a row of the models table of that name is stronger", async () => {
  const row = scriptedModel([["Hello from the table."]], { name: "plugin deepseek-r1" });
  const { app } = createTestApp({ models: row });
  const client = await connect(app);
  const frames = await client.ask({ ...chat, stream: false });
  expect(msgOf(frames)).toBe("Hello from the table.");
});

describe("a model of the plugin that", () => {
  test("fails ends the answer with an error", async () => {
    const { client, reply } = await start(chat);
    reply({ msg: "A ", stream_seq_id: 0, stream_finsh: false });
    await client.next();
    reply({ error: "secret of the upstream" });
    const frame = await client.next();
    expect(frame).toEqual({ request_id: 123, error: expect.stringMatching(/model failed/) });
  });

  test("says nothing ends the answer with an error, and is told to stop", async () => {
    const { client, timers } = await start(chat);
    timers.pass(61_000);
    const frames = [await client.next(), await client.next()];
    expect(frames).toContainEqual({ cmd: "llm_cancel", llm_request_id: "llm-1" });
    expect(frames).toContainEqual({ request_id: 123, error: expect.stringMatching(/silent/) });
    expect(timers.pending).toBe(1);
  });

  test("goes on without an end is stopped after ten minutes", async () => {
    const { client, timers, reply } = await start(chat);
    for (let nth = 0; nth < 29; nth += 1) {
      reply({ msg: `${nth} `, stream_seq_id: nth, stream_finsh: false });
      expect(await client.next()).toMatchObject({ msg: `${nth} ` });
      timers.pass(21_000);
    }
    const frames = [await client.next(), await client.next()];
    expect(frames).toContainEqual({ cmd: "llm_cancel", llm_request_id: "llm-1" });
    expect(frames).toContainEqual({ request_id: 123, error: expect.any(String) });
  });

  test("is asked for a task that is cancelled is told to stop", async () => {
    const { client } = await start(chat);
    client.send({ ...requests.exec_chat, request_id: 2, model: "scripted" });
    const frames = [await client.next(), await client.next(), await client.next()];
    expect(frames).toContainEqual({ request_id: 123, error: "cancelled" });
    expect(frames).toContainEqual({ cmd: "llm_cancel", llm_request_id: "llm-1" });
    expect(frames).toContainEqual({ request_id: 2, msg: "Hello." });
  });

  test("leaves leaves nothing behind", async () => {
    const { client, timers } = await start(chat);
    client.leave();
    await expect.poll(() => timers.pending).toBe(0);
  });
});
