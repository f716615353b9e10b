// The 25 recordings as native tool calls, in small chunks from a mock server that others wrote, through the
// client code that real models get.
import { afterAll, describe, expect, test } from "vitest";
import { createUndiciTransport } from "../../src/model/chat/undici-transport.node.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { createModels } from "../../src/setup/create-models.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { type CodingTask, readCodingTasks } from "../helpers/coding-tasks.ts";
import { startAimock } from "../helpers/e2e-aimock.ts";
import { expectSolved, playTask } from "../helpers/played-tasks.ts";
import { code } from "../helpers/code-parser.ts";

const transport = createUndiciTransport(5_000);
afterAll(() => transport.close());

function modelAt(url: string): ChatModel {
  const settings = { RIGHTSEAT_OPENAI_BASE_URL: `${url}/v1`, RIGHTSEAT_OPENAI_API_KEY: "mock" };
  return createModels(parseConfig(settings), settings, transport).resolve([]).model;
}

describe("streamed tool calls", () => {
  test.each(readCodingTasks())("$id is done", async (task) => {
    const chunkSize = 1 + (task.id.length % 7);
    const mock = await startAimock((server) =>
      server.on({ predicate: () => true }, playCalls(task), { chunkSize }),
    );
    expectSolved(task, await playTask(task, modelAt(mock.url), code));
    expect(mock.getRequests()).toHaveLength(task.calls.length);
  });

  test("several calls of one answer are made in their order", async () => {
    const [task] = readCodingTasks().filter(({ id }) => id === "js-rename-over-files");
    expect(task).toBeDefined();
    if (task === undefined) return;
    const toolCalls = listCalls(task);
    const answer = { content: "I do it all at once.", toolCalls };
    const mock = await startAimock((server) =>
      server.on({ predicate: () => true }, () => answer, { chunkSize: 4 }),
    );
    expectSolved(task, await playTask(task, modelAt(mock.url), code));
    expect(mock.getRequests()).toHaveLength(1);
  });
});

function listCalls({ calls }: CodingTask) {
  return calls.map(({ tool, params }, nth) => ({
    id: `call_${nth}`,
    name: tool,
    arguments: JSON.stringify(params),
  }));
}

/** One call in each answer; every second one says something first. */
function playCalls(task: CodingTask) {
  const calls = listCalls(task).values();
  let count = 0;
  return () => {
    const { value: call } = calls.next();
    count += 1;
    const toolCalls = call === undefined ? [] : [call];
    return count % 2 === 0 ? { content: "I go on. 我继续。", toolCalls } : { toolCalls };
  };
}
