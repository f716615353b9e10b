// A model that fails in the middle of a turn: what passes is waited for, what will not change ends the turn.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunRecord } from "../../../src/cli/code/progress.ts";
import { terminalDoor } from "../../../src/cli/code/run-agent.ts";
import { AppError, type ErrorCode } from "../../../src/base/errors/app-error.ts";
import { createPatience } from "../../../src/flows/loop/ask-for-calls.ts";
import { type Script, scriptedModel, truncated } from "../../../src/testing.ts";
import type { ChatModel } from "../../../src/turn/chat-model.ts";
import { prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createTestCoding, toolCall, unit } from "../../helpers/loop-app.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";
import { bytesOf, chunk, fakeTransport, frame, modelOver } from "../../helpers/upstream.ts";

const files = { "src/a.js": "export const one = 1;\n", "src/b.js": "export const two = 2;\n" };
const read = (path: string) => toolCall("read_file", { target_file: path });
const change: Script[number] = toolCall("edit_file", {
  target_file: "src/a.js",
  code_edit: unit("export const one = 1;", "export const one = 11;"),
});
const finish: Script = [toolCall("finish", { response: "All is done." })];
const steps: Script[] = [[read("src/a.js")], [read("src/b.js")], [read("src")], [read("src/c.js")]];

function failure(code: ErrorCode, retryAfter?: number): AppError {
  const details = retryAfter === undefined ? {} : { retryAfter };
  return new AppError(code, { en: `It says ${code}.`, zh: `模型返回 ${code}。` }, details);
}

async function start(scripts: readonly Script[], language = "en") {
  const model = scriptedModel(scripts);
  return { ...(await startWith(model, language)), model };
}

async function startWith(model: ChatModel, language = "en") {
  const door = terminalDoor();
  const timers = createManualTimers();
  const coding = await createTestCoding(files);
  createTestApp({ models: model, coding, doors: [door], timers });
  const leave = new AbortController();
  const request = {
    agent: "rightseat",
    command: "code",
    variables: [prompted("Change one to 11.")],
    model: undefined,
    language,
    key: undefined,
  };
  const { events } = await door.start(request, leave.signal);
  const record = new RunRecord();
  let said = "";
  const ended = (async () => {
    for await (const event of events) {
      if (event.type === "text-delta") said += event.text;
      record.take(event, event.type === "text-delta" ? (event.brief ?? event.text) : "");
    }
  })();
  return { ended, record, coding, timers, leave, said: () => said };
}

async function play(scripts: readonly Script[], language = "en") {
  const run = await start(scripts, language);
  await passUntil(run.ended, run.timers);
  return run;
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("a failure that passes costs the turn nothing but time", () => {
  const failures: [string, Script][] = [
    ["429 with Retry-After", [failure("rate_limited", 20)]],
    ["429", [failure("rate_limited")]],
    ["a server error", [failure("upstream_error")]],
    ["no connection", [failure("upstream_unreachable")]],
    ["silence", ["I now", failure("upstream_timeout")]],
    ["a stream that is cut", ["I now change", truncated()]],
    ["a stream that is cut after a call", ["I now change", change, truncated()]],
  ];
  test.each(failures)("%s in step 5, twice", async (_, fails) => {
    const { record, model, coding, said } = await play([...steps, fails, fails, [change], finish]);
    expect(await coding.text("src/a.js")).toBe("export const one = 11;\n");
    expect(record.end).toBe("stop");
    expect(record.response).toContain("All is done.");
    // The same question, and nothing of the answer that failed.
    const asked = model.requests.slice(4, 7).map(({ messages }) => messages);
    expect(asked[1]).toEqual(asked[0]);
    expect(asked[2]).toEqual(asked[0]);
    expect(record.history.filter(({ tool }) => tool === "edit_file")).toHaveLength(1);
    expect(said().split("I ask it again in")).toHaveLength(3);
  });

  test("and the first step is waited for, too", async () => {
    const { record } = await play([[failure("rate_limited", 5)], [change], finish]);
    expect(record.end).toBe("stop");
  });

  test("it waits as long as Retry-After says, and tells how long in the person's language", async () => {
    const { timers, model, ended, said } = await start(
      [[failure("rate_limited", 40)], [change], finish],
      "zh",
    );
    await moment();
    expect(said()).toContain("40 秒后重新询问模型");
    timers.pass(39_999);
    await moment();
    expect(model.requests).toHaveLength(1);
    timers.pass(1);
    await ended;
    expect(model.requests).toHaveLength(3);
  });

  test("what an answer said before it broke off is no part of the response", async () => {
    const { record } = await play([[change], ["Half of", truncated()], finish]);
    expect(record.response).not.toContain("Half of");
    expect(record.response).not.toContain("ask it again");
  });
});

describe("on the wire", () => {
  const callOf = (name: string, given: object) => {
    const called = { name, arguments: JSON.stringify(given) };
    const delta = {
      tool_calls: [{ index: 0, id: `c_${name}`, type: "function", function: called }],
    };
    const frames = [chunk(delta), chunk({}, "tool_calls"), "[DONE]"].map(frame);
    return { body: [bytesOf(frames.join(""))] };
  };
  const step = callOf("read_file", { target_file: "src/a.js" });
  const end = callOf("finish", { response: "All is done." });
  const cut = { body: [bytesOf(frame(chunk({ content: "I now" }))), new Error("reset")] };

  test.each([
    ["429 with Retry-After", { status: 429, headers: { "retry-after": "30" } }],
    ["503", { status: 503 }],
    ["a stream that is cut", cut],
    ["a connection that fails", failure("upstream_unreachable")],
  ])("%s in the middle of a turn is waited for", async (_, fails) => {
    const transport = fakeTransport(step, fails, fails, fails, end);
    const { ended, record, timers } = await startWith(modelOver(transport));
    await passUntil(ended, timers);
    expect(record.failure).toBeUndefined();
    expect(record.response).toContain("All is done.");
    expect(transport.requests).toHaveLength(5);
  });

  test.each([400, 401, 403, 404, 422])("%i ends the turn at once", async (status) => {
    const transport = fakeTransport(step, { status });
    const { ended, record, timers } = await startWith(modelOver(transport));
    await ended;
    expect(record.failure?.status).toBe(502);
    expect(timers.now()).toBe(0);
    // A 400 that says nothing may mean the tools: it is asked once more with calls in text, and at once.
    expect(transport.requests).toHaveLength(status === 400 ? 3 : 2);
  });
});

test("the response is the text beside a finish without fields, wherever it is", async () => {
  const bare = toolCall("finish", {});
  const answers: Script[][] = [
    [[change], ["I changed it.", bare]],
    [["I changed it.", change, bare]],
    [[change], ["I changed it:"], [bare]],
  ];
  for (const scripts of answers)
    expect((await play(scripts)).record.response).toMatch(/^\s*I changed it/);
});

describe("the turn ends", () => {
  test.each<ErrorCode>([
    "upstream_refused",
    "upstream_unknown_model",
    "upstream_invalid",
    "prompt_too_large",
    "upstream_too_large",
    "internal",
  ])("at once with %s, which will not change", async (code) => {
    const { ended, record, model, timers } = await start([[change], [failure(code)]]);
    await ended;
    expect(record.failure?.code).toBe(code);
    expect(model.requests).toHaveLength(2);
    expect(timers.now()).toBe(0);
  });

  test("at once where more than two minutes are asked for", async () => {
    const { ended, record, timers } = await start([[change], [failure("rate_limited", 121)]]);
    await ended;
    expect(record.failure?.code).toBe("rate_limited");
    expect(timers.now()).toBe(0);
  });

  test("after two minutes in all, with what was changed", async () => {
    const { record, timers, model } = await play([[change], [failure("upstream_error")]]);
    expect(record.failure?.code).toBe("upstream_error");
    expect(record.changes.length + record.history.length).toBeGreaterThan(0);
    expect(timers.now()).toBeGreaterThan(100_000);
    expect(timers.now()).toBeLessThan(125_000);
    expect(model.requests.length).toBeLessThan(12);
  });

  test("the moment that the person leaves", async () => {
    const { ended, record, timers, leave, model } = await start([[failure("rate_limited", 60)]]);
    await moment();
    leave.abort();
    await ended;
    expect(record.end).toBe("aborted");
    expect(model.requests).toHaveLength(1);
    expect(timers.now()).toBe(0);
  });
});

test("whatever fails, however long each try takes, a turn waits two minutes at most", async () => {
  const tries = fc.array(
    fc.record({
      retryAfter: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
      took: fc.nat(90_000),
      isAnswered: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(tries, async (given) => {
      let now = 0;
      const timers = {
        now: () => now,
        start(callback: () => void, milliseconds: number) {
          now += milliseconds;
          callback();
          return () => undefined;
        },
      };
      const patience = createPatience(timers);
      let waited = 0;
      for (const { retryAfter, took, isAnswered } of given) {
        if (isAnswered) patience.rest();
        now += took;
        const wait = patience.next(failure("rate_limited", retryAfter));
        if (wait === undefined) break;
        expect(wait).toBeGreaterThanOrEqual((retryAfter ?? 0) * 1_000);
        waited += wait;
        await patience.wait(wait, new AbortController().signal);
      }
      expect(waited).toBeLessThanOrEqual(120_000);
    }),
  );
});

describe("tokens of the agent that plans an edit", () => {
  const twins = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}\n";
  const marked = "// ... existing code ...\n  return 2;\n// ... existing code ...\n";
  const edit = toolCall("edit_file", {
    target_file: "src/twins.js",
    instructions: "Let b return 2.",
    code_edit: marked,
  });
  const spend = (tokens: number): Script[number] => ({
    type: "usage",
    usage: { prompt_tokens: tokens - 1, completion_tokens: 1, total_tokens: tokens },
  });
  const plan = '[{"start_line": 6, "end_line": 6, "replacement": "  return 2;\\n"}]';

  async function usageOf(scripts: readonly Script[], settings = {}) {
    const door = terminalDoor();
    const coding = await createTestCoding({ "src/twins.js": twins });
    const model = scriptedModel(scripts);
    createTestApp({ models: model, coding, doors: [door], settings });
    const variables = [prompted("Let b return 2.")];
    const request = { agent: "rightseat", command: "code", variables, language: "en" };
    const given = { ...request, model: undefined, key: undefined };
    const { events } = await door.start(given, new AbortController().signal);
    const record = new RunRecord();
    for await (const event of events) record.take(event);
    return { record, model };
  }

  test("count in the usage of the turn, whatever came of the plan", async () => {
    for (const answer of [plan, "[]", "I do not know."]) {
      const scripts: Script[] = [
        [read("src/twins.js"), spend(100)],
        [edit, spend(100)],
        [answer, spend(1_000)],
        [...finish, spend(100)],
      ];
      const { record } = await usageOf(scripts);
      expect(record.usage?.total_tokens).toBe(1_300);
    }
  });

  test("count for the limit of a turn, also where nobody counts them", async () => {
    for (const answer of [
      [plan, spend(5_000)],
      [plan, " ".repeat(40_000), "words ".repeat(8_000)],
    ]) {
      const scripts: Script[] = [
        [read("src/twins.js"), spend(100)],
        [edit, spend(100)],
        answer,
        finish,
      ];
      const { record } = await usageOf(scripts, { RIGHTSEAT_MAX_TURN_TOKENS: "4000" });
      expect(record.end).toBe("length");
    }
  });
});

test("each reason of a call is in the history under its own name", async () => {
  const call = toolCall("read_file", {
    path: "src/a.js",
    reason: "I look.",
    explanation: "For one.",
  });
  const { record } = await play([[call], finish]);
  expect(record.history[0]).toMatchObject({
    reason: "I look.",
    params: { target_file: "src/a.js", explanation: "For one." },
  });
  const asText =
    '```json\n{"tool": "read_file", "reason": "I look.", "params": {"target_file": "src/a.js", "explanation": "For one."}}\n```\n';
  const { record: written, model } = await play([[asText], finish]);
  expect(written.history[0]).toMatchObject({
    reason: "I look.",
    params: { explanation: "For one." },
  });
  expect(JSON.stringify(model.requests)).toContain("For one.");
});
