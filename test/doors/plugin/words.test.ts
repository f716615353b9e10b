// What a person writes in a request reaches the model as it was written; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, msgOf } from "../../helpers/plugin-client.ts";
import { requests } from "../../helpers/plugin-requests.ts";

const cases = JSON.stringify({ test_cases: [{ description: "d", category: "edge case" }] });
const line = fc.constantFrom(
  "",
  "Use pytest.",
  "```",
  "```text",
  "````python",
  "  ~~~",
  "1. happy path: adds two prices",
  "2) no mocks",
  "edge case: an empty list",
  "- 世界 😀",
  "Write tests for total, lines 1-5",
  "Recommend more test cases for total, lines 1-5",
  "Fix total, lines 4-8",
  "编写测试：total，第 4 至 8 行",
  "lines 4-8",
  "Explain what this change does and why",
  "Show the whole file with this change",
  "file -",
  "{{ content }} {% raw %}",
  "\r",
);
/** Text without space around it. */
const written = fc
  .array(line, { minLength: 1, maxLength: 8 })
  .map((lines) => lines.join("\n").trim())
  .filter((text) => text !== "");

async function promptsOf(...asked: Record<string, unknown>[]): Promise<string[]> {
  const { app, model } = createTestApp({ models: asked.flatMap(() => [[cases]]) });
  const client = await connect(app);
  const ids: unknown[] = [];
  for (const request of asked) {
    const id = ids.at(-1);
    const frames = await client.ask(id === undefined ? request : { ...request, task_id: id });
    ids.push(frames.at(-1)?.["task_id"]);
  }
  return model.requests.map(({ messages }) => messages.map(textOfMessage).join("\n"));
}

const about = fc.constantFrom(
  "exec_explain" as const,
  "exec_fix" as const,
  "exec_optimize" as const,
  "exec_docstring" as const,
  "exec_unittest_recommend" as const,
  "exec_unittest_code" as const,
);

describe("whatever lines a text has, it reaches the model unchanged:", () => {
  test("a wish of any command", async () => {
    await fc.assert(
      fc.asyncProperty(written, about, async (user_prompt, cmd) => {
        const [prompt] = await promptsOf({ ...requests[cmd], user_prompt });
        expect(prompt).toContain(user_prompt);
      }),
    );
  });

  test("a question", async () => {
    await fc.assert(
      fc.asyncProperty(written, async (msg) => {
        expect((await promptsOf({ ...requests.exec_chat, msg }))[0]).toContain(msg);
      }),
    );
  });

  test("a wish of a recommendation, also for the tests of its task", async () => {
    const { exec_unittest_recommend: recommend, exec_unittest_code: code } = requests;
    const write = { request_id: 2, cmd: code.cmd, test_cases_str: code.test_cases_str };
    await fc.assert(
      fc.asyncProperty(written, async (user_prompt) => {
        const [, prompt] = await promptsOf({ ...recommend, user_prompt }, write);
        expect(prompt).toContain(user_prompt);
        expect(prompt).toContain(code.test_cases_str.trim());
      }),
      { numRuns: 30 },
    );
  });

  test("cases with a block among them", async () => {
    const test_cases_str = "1. happy path: adds\n\nPlease as here:\n```python\n1. x = 2\n```";
    const [prompt] = await promptsOf({ ...requests.exec_unittest_code, test_cases_str });
    expect(prompt).toContain("1. happy path: adds\n");
    expect(prompt).toContain("Please as here:\n```python\n1. x = 2\n```");
  });
});

const snippet =
  "import os\n\n\nclass Cart:\n    def total(self, items):\n        return sum(items)\n\n    def clear(self):\n        pass\n";

describe("a function whose name is a whole head", () => {
  const write = { ...requests.exec_unittest_code, relevant_content: snippet };

  test.each([
    "total",
    "Cart.total",
    "def total(self, items)",
    "int total(List<int> items)",
    "func (c *Cart) total",
    "total (self, items)",
    "total(self, items): int",
    "async total<T>(items: T[])",
  ])("%s is found by its name", async (function_name) => {
    const [prompt] = await promptsOf({ ...write, function_name });
    expect(prompt).toContain("shop/cart.py, Cart.total, lines 5 to 6");
  });

  test.each([
    ["discount", "en", /does not hold the function `discount`, so the tests are for all/],
    ["int dis`count(int a)", "en", /the function `int dis'count\(int a\)`/],
    ["int discount(int a)", "zh", /请求中的代码没有函数 `int discount\(int a\)`/],
    ["tot", "en", /the function `tot`/],
    ["!! ??", "en", /the function `!! \?\?`/],
    ["$total", "en", /the function `\$total`/],
  ])("%s is told where it is not there (%s)", async (function_name, language, told) => {
    const { app, model } = createTestApp({ models: [["Tests."]] });
    const client = await connect(app);
    const msg = msgOf(await client.ask({ ...write, function_name, language }));
    expect(msg).toMatch(told);
    expect(msg).toMatch(/^Tests\.\n\n/);
    expect(model.requests[0]?.messages.map(textOfMessage).join("\n")).toContain(
      "return sum(items)",
    );
  });

  test("that the code holds, and one without a name, are not told of", async () => {
    for (const function_name of ["Cart::total", "total", ""]) {
      const { app } = createTestApp({ models: [["Tests."]] });
      const client = await connect(app);
      expect(msgOf(await client.ask({ ...write, function_name }))).toBe("Tests.");
    }
  });
});
