// Sessions that are tools of another session; on Node and in workerd.
import { describe, expect, test } from "vitest";
import type { ParentTask, StartedTask } from "../../../src/session/session.ts";
import { createSubAgent } from "../../../src/session/sub-agents.ts";
import type { ChatModel } from "../../../src/turn/chat-model.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import {
  getJson,
  history,
  init,
  line,
  post,
  readEvents,
  task,
} from "../../helpers/session-client.ts";

/** Asks each of the tools that it has, once, with a prompt of its own; without tools it says what it was asked. */
function asking(wait?: (prompt: string, signal: AbortSignal) => Promise<void>): ChatModel {
  return {
    name: "asking",
    contextWindow: 32_768,
    answerReserve: 4_096,
    async *stream({ messages, tools = [] }, { signal }) {
      const last = messages.at(-1);
      if (last?.role === "tool") {
        const results = messages.flatMap((one) => (one.role === "tool" ? [one.content] : []));
        yield { type: "text-delta", text: results.join(" ") };
        return "stop";
      }
      const prompt = typeof last?.content === "string" ? last.content : "";
      if (tools.length === 0) {
        await wait?.(prompt, signal);
        yield { type: "text-delta", text: `I heard ${prompt}.` };
        return "stop";
      }
      for (const [nth, { name }] of tools.entries()) {
        const given = JSON.stringify({ prompt: `${prompt}${nth}` });
        yield { type: "tool-call", call: { id: `call_${nth}`, name, arguments: given } };
      }
      return "tool_calls";
    },
  };
}

describe("a sub-agent", () => {
  test("answers its parent, and its messages reach who follows that", async () => {
    const { app } = createTestApp({ models: asking() });
    const [one, two] = [await init(app), await init(app, { systemPrompt: "You count." })];
    const id = await init(app, { sessionList: [{ id: one, name: "first" }, { id: two }] });
    const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("x", "parent")));
    const messages = events.map(({ message }) => message);
    const own = messages.filter(({ sessionId }) => sessionId === id).map(line);
    expect(own.at(-2)).toBe('agent>user {"result":"I heard x0."} {"result":"I heard x1."}');
    expect(own.at(-1)).toBe("agent>client [TASK_DONE]");
    for (const [nth, sub] of [one, two].entries()) {
      const heard = messages.filter(({ sessionId }) => sessionId === sub);
      expect(heard.map(line)).toEqual([
        "agent>client [TASK_START]",
        `user>agent x${nth}`,
        `agent>llm x${nth}`,
        `llm>agent I heard x${nth}.`,
        `agent>user I heard x${nth}.`,
        "agent>client [TASK_DONE]",
      ]);
      expect(new Set(heard.map(({ taskId }) => taskId))).toEqual(new Set(["parent"]));
      expect(await history(app, sub)).toEqual(heard);
    }
    expect(await history(app, id)).toEqual(messages);
    const later = (await getJson(app, `/api/history?id=${id}&protocol=0.8`)) as object[];
    const tasks = later.filter((message) => "parentTaskId" in message);
    expect(tasks).toHaveLength(12);
    for (const message of tasks) expect(message).toMatchObject({ parentTaskId: "parent" });
  });

  test("that is asked twice at once answers each call by itself, whichever is ready first", async () => {
    const both = Promise.withResolvers<void>();
    const asked = new Set<string>();
    const models = asking((prompt) => {
      if (asked.add(prompt).size === 2) both.resolve();
      return both.promise;
    });
    const { app } = createTestApp({ models });
    const sub = await init(app);
    const sessionList = ["first", "second"].map((name) => ({ id: sub, name }));
    const id = await init(app, { sessionList });
    const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("x")));
    const lines = events.map(({ message }) => line(message));
    expect(lines.at(-2)).toBe('agent>user {"result":"I heard x0."} {"result":"I heard x1."}');
  });

  test("that fails is an error that the model reads, and nothing hangs", async () => {
    const { app } = createTestApp({
      models: asking(async () => {
        throw new Error("a secret of ours");
      }),
    });
    const sub = await init(app);
    const id = await init(app, { sessionList: [{ id: sub, name: "broken" }] });
    const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("x")));
    const lines = events.map(({ message }) => line(message));
    expect(lines.at(-2)).toMatch(/^agent>user \{"error":"/);
    expect(lines.at(-1)).toBe("agent>client [TASK_DONE]");
    expect(lines.join()).not.toContain("secret");
  });

  test("that takes too long is stopped, and its parent goes on", async () => {
    const hang = (_: string, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    const { app } = createTestApp({ models: asking(hang), settings: { subAgentTimeout: 20 } });
    const sub = await init(app);
    const id = await init(app, { sessionList: [{ id: sub, name: "slow" }] });
    const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("x")));
    const lines = events.map(({ message }) => line(message));
    expect(lines).toContain("agent>client [TASK_STOP]");
    expect(lines.at(-2)).toMatch(/did not answer in time/);
    expect(lines.at(-1)).toBe("agent>client [TASK_DONE]");
  });

  test("may not lie deeper than three levels", async () => {
    const { app } = createTestApp();
    let id = await init(app);
    for (let level = 0; level < 3; level += 1) id = await init(app, { sessionList: [{ id }] });
    const refused = await post(app, "/api/init", { sessionList: [{ id }] });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: "sessionList[0].id" } },
    ]);
  });
});

// A session knows only sessions that were there before it, so no client can make a circle; what is kept in a store may.
test.each([
  [["a", "b"], "a", "agent-cycle"],
  [["a"], "a", "agent-cycle"],
  [["a", "b", "c", "d"], "e", "agent-depth"],
])("where %j wait already, %s is not asked: %s", async (chain, id, code) => {
  const run: ParentTask = {
    task: "task",
    chain,
    canAllow: false,
    caller: { forward: () => ({}) },
    hear: async () => undefined,
  };
  const never = (): Promise<never> => Promise.reject(new Error("It was asked."));
  const limits = { maxSessions: 1, maxHistory: 1, maxSessionTasks: 1, subAgentTimeout: 1 };
  const start = (): Promise<StartedTask> => never();
  const sessions = { limits, find: never, readOptions: never, start };
  const timers = createManualTimers();
  const tool = await createSubAgent({ id, description: "One." }, { sessions, run, timers });
  const use = { locale: "en", signal: new AbortController().signal } as Parameters<
    typeof tool.run
  >[1];
  expect(await tool.run({ prompt: "Hi" }, use)).toMatchObject({ success: false, code });
});
