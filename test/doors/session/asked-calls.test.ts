// Calls that the client itself answers; on Node and in workerd.
import { expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import type { Script } from "../../../src/testing.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";
import {
  type Message,
  follow,
  getJson,
  history,
  init,
  line,
  post,
  readEvents,
  task,
} from "../../helpers/session-client.ts";

const call = { id: "call_1", name: "weather", parameters: { city: "深圳" } };
const openSpec = {
  opentool: "1.0.0",
  info: { title: "T", version: "1" },
  functions: [
    {
      name: "weather",
      description: "Tells the weather.",
      parameters: [{ name: "city", schema: { type: "string" }, required: true }],
    },
  ],
};
const options = { openSpecList: [{ openSpec, protocol: "opentool" }] };
const scripts: readonly Script[] = [
  [
    {
      type: "tool-call",
      call: { id: call.id, name: call.name, arguments: JSON.stringify(call.parameters) },
    },
  ],
  ["It rains."],
];

async function answer(app: App, id: string, body: unknown, headers = {}): Promise<unknown> {
  const response = await post(app, `/api/callback?id=${id}`, body, headers);
  const { error } = (await response.json()) as { error?: { code: string } };
  return error === undefined ? response.status : `${response.status} ${error.code}`;
}

/** Runs one task whose call is answered by `reply`, and tells what came. */
async function run(
  app: App,
  id: string,
  reply: (asked: Message) => unknown,
  query = "",
): Promise<Message[]> {
  const socket = await follow(app, id, query);
  socket.send(task("Hi", "one"));
  const messages: Message[] = [];
  for (;;) {
    const message = await socket.next();
    messages.push(message);
    if (message["type"] === "functionCall") await reply(message);
    if (/^\[TASK_(?:DONE|STOP)\]/.test(String(message["message"]))) return messages;
    const { status } = (message["content"] ?? {}) as { status?: string };
    if (status === "done") return messages;
  }
}

test.each([
  ["openSpecList", options],
  ["clientOpenTool", { clientOpenTool: { opentool: openSpec, timeout: 60 } }],
])(
  "a function of the client in %s goes out as a message, and its answer is its result",
  async (_, listed) => {
    const { app, model } = createTestApp({ models: scripts });
    const id = await init(app, listed);
    const result = { sky: "rain" };
    const messages = await run(app, id, async () => {
      const empty = await post(app, `/api/callback?id=${id}`, { id: "call_1" });
      expect(await empty.text()).toContain("result: is missing; write a value");
      expect(await answer(app, id, { id: "call_1", result })).toBe(200);
      expect(await answer(app, id, { id: "call_1", result })).toBe("409 call_settled");
    });
    const returned = JSON.stringify({ id: "call_1", result });
    expect(messages.slice(5, 10).map(line)).toEqual([
      "agent>client [TOOLS_START]",
      `agent>client ${JSON.stringify(call)}`,
      `tool>agent ${returned}`,
      `agent>llm ${returned}`,
      "tool>agent [TOOLS_DONE]",
    ]);
    expect(await history(app, id)).toEqual(messages);
    const streamed = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi", "one")));
    expect(streamed.find(({ event }) => event === "functionCall")?.message).toEqual(messages[6]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: JSON.stringify(result) });
    expect(await answer(app, id, { id: "call_1", result })).toBe("409 call_settled");
    expect(await answer(app, id, { id: "call_2", result })).toBe("404 not_found");
    expect(await answer(app, id, { id: "call_1" })).toBe("400 invalid_request");
    expect(await answer(app, "other", { id: "call_1", result })).toBe("404 not_found");
  },
);

test("answers come on the socket, too, and the names of 0.8 are told where they are asked for", async () => {
  const { app } = createTestApp({ models: scripts });
  const id = await init(app, options);
  const socket = await follow(app, id);
  const messages = await run(
    app,
    id,
    ({ content }) => {
      expect(content).toEqual(call);
      socket.send({ id: "call_9", result: 1 });
      socket.send({ id: "call_1", result: ["rain"] });
    },
    "&protocol=0.8",
  );
  expect(messages.find(({ type }) => type === "functionCall")).toMatchObject({
    role: "agent",
    to: "client",
  });
  expect(messages.find(({ type }) => type === "toolReturn")).toMatchObject({
    content: { id: "call_1", result: { result: ["rain"] } },
  });
  const heard = await socket.until("[TASK_DONE]");
  const refusal = heard.find(({ message }) => String(message).startsWith('[TASK_STOP]{"code":404'));
  expect(refusal?.["taskId"]).not.toBe("one");
});

test("only the session's owner answers, at any server, and the ids of calls are never the same", async () => {
  const store = createMemoryStore({ now: () => 0 });
  const settings = {
    RIGHTSEAT_API_KEYS: "alice-key-1234567890,mallory-key-123456",
    RIGHTSEAT_STATE_KEYS: `a:${btoa("k".repeat(32))}`,
  };
  const [alice, mallory] = [
    { "x-api-key": "alice-key-1234567890" },
    { "x-api-key": "mallory-key-123456" },
  ];
  let ids = 0;
  const createId = (): string => `id-${(ids += 1)}`;
  const models = [...scripts.slice(0, 1), ...scripts];
  const one = createTestApp({ models, store, settings, createId }).app;
  const two = createTestApp({ store, settings, createId }).app;
  const id = await init(one, options, alice);
  const asked: unknown[] = [];
  const stream = await post(one, `/api/chat?id=${id}`, task("Hi", "one"), alice);
  const events = readEvents(stream);
  for (const own of ["call_1", "call_1-one-2"]) {
    await expect
      .poll(async () => {
        const all = (await getJson(two, `/api/history?id=${id}`, alice)) as Message[];
        return all.some(({ message }) => (message as { id?: string }).id === own);
      })
      .toBe(true);
    asked.push(await answer(two, id, { id: own, result: 1 }, mallory));
    asked.push(await answer(two, id, { id: own, result: own }, alice));
  }
  expect(asked).toEqual(["404 not_found", 200, "404 not_found", 200]);
  const results = (await events).flatMap(({ message: { type, from, message } }) =>
    type === "toolReturn" && from === "tool" ? [(message as { result: unknown }).result] : [],
  );
  expect(results).toEqual([{ result: "call_1" }, { result: "call_1-one-2" }]);
});

test("a stop ends the wait, and so does the time; who answers then is told so", async () => {
  const timers = createManualTimers();
  const { app, model } = createTestApp({ models: [scripts[0] ?? [], ...scripts], timers });
  const id = await init(app, options);
  const stopped = await run(app, id, () => getJson(app, `/api/stop?id=${id}`));
  expect(stopped.slice(-2).map(line)).toEqual([
    `agent>client ${JSON.stringify(call)}`,
    "agent>client [TASK_STOP]",
  ]);
  expect(await answer(app, id, { id: "call_1", result: 1 })).toBe("409 call_settled");
  const second = post(app, `/api/chat?id=${id}`, task("Hi", "two"));
  const events = await passUntil(
    second.then((response) => readEvents(response)),
    timers,
  );
  expect(events.map(({ message }) => line(message))).toContainEqual(
    expect.stringContaining('"statusCode":504'),
  );
  expect(model.requests).toHaveLength(3);
  expect(await answer(app, id, { id: "call_1-two-2", result: 1 })).toBe("409 call_settled");
});
