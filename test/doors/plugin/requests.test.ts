// What the requests of the document are answered with; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { scriptedModel, truncated } from "../../../src/testing.ts";
import { createModelTable } from "../../../src/model/model-table.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, msgOf } from "../../helpers/plugin-client.ts";
import { file, requests, selected, visibleText } from "../../helpers/plugin-requests.ts";

const { exec_explain: explain, exec_chat: chat } = requests;

async function promptOf(request: Record<string, unknown>, answer = "Fine."): Promise<string> {
  const { app, model } = createTestApp({ models: [[answer], [answer]] });
  await (await connect(app)).ask(request);
  return (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
}

describe("an answer", () => {
  test("that fails as a whole is the error alone", async () => {
    const { app } = createTestApp({ models: [["It ", truncated()]] });
    const client = await connect(app);
    const frames = await client.ask(explain);
    const error = "The model's answer broke off before its end. Please try again.";
    expect(frames).toEqual([{ request_id: 123, error }]);
  });

  test.each(["length", "content_filter"] as const)(
    "that a limit has ended (%s) says so beside its last piece",
    async (end) => {
      const { app } = createTestApp({ models: [["It ", { end }]] });
      const client = await connect(app);
      const last = { finish_reason: end };
      expect(await client.ask(explain)).toEqual([{ request_id: 123, msg: "It ", ...last }]);
      const frames = await client.ask({ ...explain, stream: true });
      expect(frames.at(-1)).toEqual({
        request_id: 123,
        msg: "",
        stream_seq_id: 1,
        stream_finsh: true,
        ...last,
      });
    },
  );

  test("without a word says so", async () => {
    const { app } = createTestApp({ models: [[], []] });
    const client = await connect(app);
    const msg = "The model's answer was empty.\n";
    expect(await client.ask(explain)).toEqual([{ request_id: 123, msg }]);
    const frames = await client.ask({ ...explain, stream: true });
    expect(frames[0]).toMatchObject({ msg });
  });

  test.each([
    ["en", /No change was proposed\.\n\nThe model's answer was cut off before its end\.\n$/],
    ["zh", /模型的回答在结束前被截断。\n$/],
  ])("of a fix that a limit has ended says so in words, in %s", async (language, words) => {
    const { app } = createTestApp({ models: [["I look", { end: "length" }]] });
    const client = await connect(app);
    const [frame] = await client.ask({ ...requests.exec_fix, language });
    expect(frame).toEqual({
      request_id: 123,
      msg: expect.stringMatching(words),
      finish_reason: "length",
    });
  });

  test.each([false, true])("of a fix tells a cut once (streamed: %s)", async (stream) => {
    const { app } = createTestApp({ models: [["Look:\n\n```js\nlet a;\n", { end: "length" }]] });
    const client = await connect(app);
    const said = msgOf(await client.ask({ ...requests.exec_fix, stream }));
    expect(said.split("The model's answer was cut off before its end.")).toHaveLength(2);
    expect(said).not.toContain("```");
  });

  test("holds nothing of what the model thinks", async () => {
    const { app } = createTestApp({
      models: [
        [{ type: "reasoning-delta", text: "SECRET" }, "<think>SECRET", "</think>", "It adds."],
      ],
    });
    const client = await connect(app);
    expect(msgOf(await client.ask({ ...explain, stream: true }))).toBe("It adds.");
  });
});

describe("a request_id", () => {
  test.each([
    ["a number", "7"],
    ["0", "0"],
    ["a text", '"a\\"b"'],
    ["null", "null"],
    ["an object", '{"a":[1]}'],
    ["a number with more digits than we can count with", "9223372036854775807"],
    ["a fraction", "1.5"],
    ["a number with an exponent", "1.5E+300"],
    ["a number beyond all that we can count with", "1e400"],
    ["a number of 400 digits", "9".repeat(400)],
  ])("that is %s comes back as it is", async (_, id) => {
    const { app } = createTestApp();
    const client = await connect(app);
    client.send(`{"cmd":"exec_chat","msg":"Hi","model":"scripted","request_id":${id}}`);
    await expect.poll(() => client.received[0]).toBe(`{"request_id":${id},"msg":"Hello."}`);
  });
});

test("a message that begins with a byte-order mark is read", async () => {
  const { app } = createTestApp();
  const client = await connect(app);
  client.send(`\ufeff${JSON.stringify(chat)}`);
  expect(await client.next()).toEqual({ request_id: 123, msg: "Hello." });
});

describe("a message that is wrong is answered with an error, and the connection goes on:", () => {
  test.each<[string, string, RegExp, unknown]>([
    ["no JSON", "{", /not valid JSON/, undefined],
    ["no JSON, with an id", '{"request_id": 5, "cmd": ', /not valid JSON/, 5],
    ["no JSON, with an id that has an exponent", '{"request_id": 5e2, "cmd": ', /not valid/, 500],
    ["no JSON, cut in its id", '{"request_id": 5e', /not valid JSON/, undefined],
    ["no JSON, with an id that is a text", '{"request_id": "a-1" "cmd"', /not valid JSON/, "a-1"],
    ["no JSON, with an id of parts", '{"request_id": {"a": [1]}, "cmd": ', /not valid/, { a: [1] }],
    [
      "no JSON, with an id behind a long file",
      `{"file_content": "${"x".repeat(100_000)}", "request_id": 5, "cmd": `,
      /not valid/,
      5,
    ],
    [
      "no JSON, with an id of a part first",
      '{"x":{"request_id":7},"request_id":5,',
      /not valid/,
      5,
    ],
    ["no JSON, with quotes that do not match", '{"msg":"a " b","request_id":5}', /not valid/, 5],
    ["an array", "[1]", /JSON object/, undefined],
    ["a text", '"x"', /JSON object/, undefined],
    ["no cmd", '{"request_id":1}', /cmd/, 1],
    ["an unknown cmd", '{"request_id":1,"cmd":"exec_magic"}', /Unknown cmd.*exec_fix/, 1],
    ["a cmd like a property of objects", '{"request_id":1,"cmd":"__proto__"}', /Unknown cmd/, 1],
    ["no request_id", '{"cmd":"list_model"}', /request_id/, undefined],
    [
      "missing fields",
      '{"request_id":1,"cmd":"exec_unittest_recommend","filepath":"a.py"}',
      /file_content, func_name, func_location, func_symbols, model/,
      1,
    ],
    [
      "a field of another type",
      '{"request_id":1,"cmd":"exec_chat","msg":5,"model":"scripted"}',
      /msg/,
      1,
    ],
    [
      "a range that is none",
      '{"request_id":1,"cmd":"exec_fix","model":"scripted","selected_text":{"text":"a","range":{"start":{"line":-1}}}}',
      /selected_text/,
      1,
    ],
    ["deep nesting", `{"request_id":1,"x":${"[".repeat(200)}${"]".repeat(200)}}`, /levels/, 1],
  ])("%s", async (_, message, error, id) => {
    const { app } = createTestApp();
    const client = await connect(app);
    client.send(message);
    const frame = await client.next();
    expect(frame).toEqual({
      ...(id === undefined ? {} : { request_id: id }),
      error: expect.stringMatching(error),
    });
    expect(await client.ask(chat)).toEqual([{ request_id: 123, msg: "Hello." }]);
  });

  test.each([
    ["missing fields", { cmd: "exec_fix" }, "缺少字段：selected_text、model。"],
    ["an unknown cmd", { cmd: "exec_magic" }, "未知的 cmd。此智能体支持：list_model"],
    ["a field of another type", { ...chat, msg: 5 }, "msg：应为文本，不能是数字"],
    [
      "an unknown task",
      { cmd: "exec_unittest_code", model: "scripted", test_cases_str: "1. a", task_id: "gone" },
      "此处没有这个 task_id 的任务",
    ],
  ])("%s is told in Chinese where that is asked for", async (_, request, error) => {
    const { app } = createTestApp();
    const client = await connect(app);
    const frames = await client.ask({ request_id: 1, ...request, language: "zh" });
    expect(frames).toEqual([
      { request_id: expect.any(Number), error: expect.stringContaining(error) },
    ]);
  });

  test("a megabyte of garbage", async () => {
    const { app } = createTestApp();
    const client = await connect(app);
    client.send("\u0000{[".repeat(350_000));
    expect(await client.next()).toHaveProperty("error");
    expect(await client.ask(chat)).toEqual([{ request_id: 123, msg: "Hello." }]);
  });
});

describe("models", () => {
  const models = createModelTable([
    { name: "Default", model: scriptedModel([["of the default"]]) },
    { name: "local deepseek-R1:32b", model: scriptedModel([["of the local one"]]) },
    { name: "*", model: scriptedModel([["of any"]]) },
  ]);

  test("are listed by the names of the table", async () => {
    const { app } = createTestApp({ modelTable: models });
    const client = await connect(app);
    const names = ["Default", "local deepseek-R1:32b"];
    expect(await client.ask(requests.list_model)).toEqual([{ request_id: 123, models: names }]);
  });

  test("are found without case", async () => {
    const { app } = createTestApp({ modelTable: models });
    const client = await connect(app);
    expect(msgOf(await client.ask({ ...chat, model: "local deepseek-r1:32b" }))).toBe(
      "of the local one",
    );
  });
});

describe("what a request holds reaches the model:", () => {
  test("lines that are counted from 1, the path with slashes, and the window", async () => {
    const prompt = await promptOf(explain);
    expect(prompt).toContain(
      "shop/cart.py (python), lines 1-8; selected (marked with >): 4:1 to 8:18",
    );
    expect(prompt).toContain("> 4 | def total(items):");
    expect(prompt).toContain("  1 | import os");
  });

  test("a window that is elsewhere", async () => {
    const visible_text = { ...visibleText, text: "WINDOW_MARK = 1\n" };
    expect(await promptOf({ ...explain, visible_text })).toContain("WINDOW_MARK");
  });

  test.each(["exec_explain", "exec_docstring", "exec_fix", "exec_optimize"] as const)(
    "a selection of %s that is a bare text, with a guessed language",
    async (cmd) => {
      const { app, model } = createTestApp({ models: [["Fine."], ["Fine."]] });
      const client = await connect(app);
      const msg = msgOf(
        await client.ask({ ...requests[cmd], selected_text: selected, visible_text: "" }),
      );
      expect(model.requests[0]?.messages.map(textOfMessage).join("\n")).toContain(
        "> 1 | def total(items):",
      );
      expect(msg).toMatch(/python was guessed/);
    },
  );

  test("the wishes and the symbols of a recommendation", async () => {
    const cases = JSON.stringify({ test_cases: [{ description: "d", category: "edge case" }] });
    const request = { ...requests.exec_unittest_recommend, user_prompt: "WISH_MARK" };
    const prompt = await promptOf(request, cases);
    expect(prompt).toContain("WISH_MARK");
    expect(prompt).toContain("`result` (line 5)");
    expect(prompt).toContain("shop/cart.py, total, lines 4 to 8");
    expect(prompt).not.toContain("total, lines 4-8");
  });

  test.each(["total", "int total(items)"])(
    "the lines of the function %s, whose name the code may spell in another way",
    async (func_name) => {
      const renamed = { ...requests.exec_unittest_recommend, func_name, language: "zh" };
      const file_content = file.replace("total", "sum_up");
      const prompt = await promptOf({ ...renamed, file_content, user_prompt: "WISH_MARK" }, "[]");
      expect(prompt).toContain("shop/cart.py，sum_up，第 4 至 8 行");
      expect(prompt).toContain("WISH_MARK");
    },
  );

  test("the reference test and the path of tests to be written", async () => {
    const prompt = await promptOf(requests.exec_unittest_code);
    expect(prompt).toContain("REFERENCE_MARK");
    expect(prompt).toContain("./shop/cart.py");
    expect(prompt).toContain("2. edge case: an empty list gives 0");
  });

  test("no language and an unknown one as English", async () => {
    expect(await promptOf({ ...explain, language: "fr" })).toContain("You are");
    expect(await promptOf({ ...explain, language: "zh" })).not.toContain("You are");
    expect(file).toContain(selected);
  });
});

describe("of no code", () => {
  const { exec_unittest_recommend: recommend, exec_unittest_code: code } = requests;

  test("a recommendation is no task", async () => {
    for (const stream of [true, false]) {
      const { app } = createTestApp();
      const client = await connect(app);
      const frames = await client.ask({ ...recommend, file_content: " \n", stream });
      expect(frames.at(-1)).not.toHaveProperty("task_id");
      expect(msgOf(frames)).not.toBe("");
    }
  });

  test("nor is one of a place that is not there, or an answer without cases", async () => {
    const { app } = createTestApp({ models: [["No cases, sorry."], ["No cases."], ["None."]] });
    const client = await connect(app);
    for (const asked of [{ func_name: "none", file_content: "def f(a):\n    return a\n" }, {}]) {
      const frames = await client.ask({ ...recommend, ...asked });
      expect(frames.at(-1)).not.toHaveProperty("task_id");
      expect(msgOf(frames)).not.toBe("");
    }
  });

  test("no function is missed", async () => {
    const { app } = createTestApp({ models: [["No code."]] });
    const client = await connect(app);
    const request = { ...code, relevant_content: "", function_name: "total" };
    expect(msgOf(await client.ask(request))).toBe("No code.");
  });
});

test("an empty task_id is none, and not called unknown", async () => {
  const { app } = createTestApp();
  const client = await connect(app);
  const request = { request_id: 1, cmd: "exec_unittest_code", test_cases_str: "1. a", task_id: "" };
  expect(await client.ask(request)).toEqual([
    { request_id: 1, error: "Missing field: relevant_content." },
  ]);
});

describe("a model's name", () => {
  const named = (model: string, cmd: "exec_chat" | "exec_fix" = "exec_chat") => ({
    ...requests[cmd],
    model,
  });

  test.each([
    ["en", /^Unknown model "gpt-9"\. This server has: scripted\.$/],
    ["zh", /^没有模型“gpt-9”。此服务提供：scripted。$/],
  ])("that nobody serves is an error which lists the models (%s)", async (language, error) => {
    const { app, model } = createTestApp();
    const client = await connect(app);
    for (const cmd of ["exec_chat", "exec_fix"] as const)
      for (const stream of [false, true])
        expect(await client.ask({ ...named("gpt-9", cmd), language, stream })).toEqual([
          { request_id: 123, error: expect.stringMatching(error) },
        ]);
    expect(model.requests).toEqual([]);
  });

  test("that nobody serves does not end the task of before", async () => {
    const { app } = createTestApp({ models: [["Hello."]] });
    const client = await connect(app);
    client.send(named("scripted"));
    client.send({ ...named("gpt-9"), request_id: 2 });
    const frames = [await client.next(), await client.next()];
    expect(frames).toContainEqual({ request_id: 123, msg: "Hello." });
  });

  test.each(["", "SCRIPTED"])("%j is answered", async (name) => {
    const { app } = createTestApp({ models: [["Hello."]] });
    expect(msgOf(await (await connect(app)).ask(named(name)))).toBe("Hello.");
  });

  test("is free where a row serves any", async () => {
    const any = scriptedModel([["Hello."]]);
    const modelTable = createModelTable([
      { name: "one", model: scriptedModel([]) },
      { name: "*", model: any },
    ]);
    const { app } = createTestApp({ modelTable });
    expect(msgOf(await (await connect(app)).ask(named("gpt-9")))).toBe("Hello.");
    expect(any.requests[0]?.model).toBe("gpt-9");
  });
});
