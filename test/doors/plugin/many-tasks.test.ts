// Many connections with many tasks: none is lost, doubled or left behind; on Node and in workerd.
import { expect, test } from "vitest";
import type { ChatModel } from "../../../src/turn/chat-model.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect } from "../../helpers/plugin-client.ts";

/** Answers each question with itself, and counts the calls that are open. */
function echoModel(): ChatModel & { open: number; calls: number; most: number } {
  const model = {
    name: "echo",
    contextWindow: 100_000,
    answerReserve: 1_000,
    open: 0,
    calls: 0,
    most: 0,
    async *stream(...[{ messages }, { signal }]: Parameters<ChatModel["stream"]>) {
      model.calls += 1;
      model.open += 1;
      model.most = Math.max(model.most, model.open);
      try {
        const name = /task-\d+-\d+/.exec(JSON.stringify(messages.at(-1)))?.[0] ?? "?";
        for (const text of [name, "!"]) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          signal.throwIfAborted();
          yield { type: "text-delta" as const, text };
        }
        return "stop" as const;
      } finally {
        model.open -= 1;
      }
    },
  };
  return model;
}

test("200 connections with 1,000 tasks get each answer once, within the limits", async () => {
  const model = echoModel();
  const { app } = createTestApp({
    models: model,
    settings: { RIGHTSEAT_MAX_TASKS: "16", RIGHTSEAT_MAX_QUEUE: "200" },
  });
  const talks = Array.from({ length: 200 }, async (_, nth) => {
    const client = await connect(app);
    const said: unknown[] = [];
    for (let task = 0; task < 5; task += 1) {
      const name = `task-${nth}-${task}`;
      const request = { request_id: name, cmd: "exec_chat", msg: name, model: "echo" };
      said.push(...(await client.ask(request)));
    }
    // A last one is left alone.
    client.send({ request_id: "last", cmd: "exec_chat", msg: "task-0-0", model: "echo" });
    client.leave();
    return { said, left: client.received };
  });
  for (const [nth, { said, left }] of (await Promise.all(talks)).entries()) {
    const names = Array.from({ length: 5 }, (_, task) => `task-${nth}-${task}`);
    expect(said).toEqual(names.map((name) => ({ request_id: name, msg: `${name}!` })));
    expect(left).toEqual([]);
  }
  await expect.poll(() => model.open).toBe(0);
  expect(model.most).toBeLessThanOrEqual(16);
  expect(model.calls).toBeLessThanOrEqual(1_200);
});
