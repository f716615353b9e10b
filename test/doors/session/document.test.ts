// The document's own example conversation (its section 3.3), message by message; on Node and in workerd.
import { expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";
import {
  call,
  exampleScripts,
  follow,
  getJson,
  history,
  init,
  line,
  returned,
  someFunction,
  task,
} from "../../helpers/session-client.ts";

const taskId = "0b127f1d-4667-4a52-bbcb-0b636f9a471a";
const asked = "查询某功能运行结果";
const calls = JSON.stringify([call]);
const result = JSON.stringify({ id: call.id, result: returned });
const answer = "功能运行结果为FAIL。";

const example = [
  "agent>client [TASK_START]",
  `user>agent ${asked}`,
  `agent>llm ${asked}`,
  `llm>agent ${calls}`,
  `agent>tool ${calls}`,
  "agent>client [TOOLS_START]",
  `tool>agent ${result}`,
  `agent>llm ${result}`,
  "tool>agent [TOOLS_DONE]",
  "agent>client [TOOLS_DONE]",
  `llm>agent ${answer}`,
  `agent>user ${answer}`,
  "agent>client [TASK_DONE]",
  "agent>client [TASK_STOP]",
];

test("the example of the document comes message by message, and is the history", async () => {
  const { app, model } = createTestApp({
    models: exampleScripts,
    openTools: async (list) => (list.length === 0 ? [] : [someFunction()]),
  });
  const id = await init(app, {
    llmConfig: { model: "scripted" },
    systemPrompt: "You help.",
    openSpecList: [{ openSpec: "{}", protocol: "openapi" }],
    timeoutSeconds: 3600,
  });
  const socket = await follow(app, id);
  socket.send("ping");
  await expect.poll(() => socket.peer.received.shift()).toBe("pong");
  socket.send(task(asked, taskId));
  const messages = await socket.until("[TASK_DONE]");
  expect(await getJson(app, `/api/stop?id=${id}`)).toEqual({ id });
  messages.push(...(await socket.until("[TASK_STOP]")));
  expect(messages.map(line)).toEqual(example);
  expect(await history(app, id)).toEqual(messages);
  const ofModel = [3, 10];
  for (const [nth, message] of messages.entries()) {
    const fields = ["sessionId", "taskId", "from", "to", "type", "message"];
    if (ofModel.includes(nth)) fields.push("completions");
    expect(Object.keys(message)).toEqual([...fields, "createTime"]);
    expect(message).toMatchObject({ sessionId: id, taskId });
    expect(message["createTime"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0800$/);
  }
  expect(messages.map(({ type }) => type)).toEqual(
    "text text text functionCallList functionCallList text toolReturn toolReturn text text text text text text".split(
      " ",
    ),
  );
  expect(messages[3]?.["completions"]).toEqual({
    tokenUsage: { promptTokens: 100, completionTokens: 522, totalTokens: 622 },
    id: "chatcmpl-1",
    model: "gpt-3.5-turbo",
  });
  expect(model.requests[0]).toMatchObject({ temperature: 0, maxTokens: 4096, topP: 1 });
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
  ]);
  expect(await getJson(app, `/api/clear?id=${id}`)).toEqual({ id });
  expect(await socket.peer.closed).toMatchObject({ code: 1000 });
  expect(await history(app, id)).toEqual([]);
});
