// Whole conversations as a plugin has them; on Node and in workerd.
import { describe, expect, test } from "vitest";
import type { Script } from "../../../src/testing.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, type Frame, msgOf } from "../../helpers/plugin-client.ts";
import { editOf, requests } from "../../helpers/plugin-requests.ts";
import { code } from "../../helpers/code-parser.ts";

const cases = JSON.stringify({
  test_cases: [
    { description: "adds two prices", category: "happy path" },
    { description: "gives 0 for no items", category: "edge case" },
  ],
});
const thought: Script[number] = { type: "reasoning-delta", text: "Let me see." };
const scripts: Record<keyof typeof requests, Script> = {
  list_model: [],
  exec_explain: [thought, "It adds ", "the prices.\n"],
  exec_docstring: [editOf("def total(items):", 'def total(items):\n    """Add the prices."""')],
  exec_optimize: [
    "It copies.\n\n",
    editOf("        result = result + item.price", "        result += item.price"),
  ],
  exec_fix: ["Nothing is wrong here: `total` ", "adds.\n\n```py\ntotal([])\n```\n"],
  exec_unittest_recommend: [cases],
  exec_unittest_code: [
    "`shop/test_cart.py`\n\n```python\ndef test_adds():\n    assert True\n```\n",
  ],
  exec_chat: ["A cart ", "holds items."],
};

function print(request: Frame, frames: readonly Frame[]): string {
  return [
    `> ${JSON.stringify(request)}`,
    ...frames.map((frame) => `< ${JSON.stringify(frame)}`),
    "",
  ].join("\n");
}

describe.each(["en", "zh"])("the conversation in %s", (language) => {
  test.each(Object.entries(requests))("about %s is as recorded", async (name, request) => {
    const script = scripts[name as keyof typeof requests];
    const { app } = createTestApp({ models: [script, script], code });
    const client = await connect(app);
    let text = "";
    for (const stream of [false, true]) {
      const asked = { ...request, language, stream };
      text += print(asked, await client.ask(asked));
    }
    await expect(text).toMatchFileSnapshot(`../../fixtures/plugin/${name}.${language}.txt`);
  });

  test("from recommended cases to their tests is as recorded", async () => {
    const { exec_unittest_recommend: recommend, exec_unittest_code: write } = requests;
    const { app, model } = createTestApp({ models: [[cases], scripts.exec_unittest_code], code });
    const client = await connect(app);
    const asked = { ...recommend, language, user_prompt: "WISH" };
    const recommended = await client.ask(asked);
    const taskId = recommended.at(-1)?.["task_id"];
    const { cmd, request_id } = write;
    const next = { cmd, request_id, language, test_cases_str: msgOf(recommended), task_id: taskId };
    const written = await client.ask(next);
    const prompt = model.requests[1]?.messages.slice(-1).map(textOfMessage).join("");
    await expect(
      `${print(asked, recommended)}${print(next, written)}\n${prompt}`,
    ).toMatchFileSnapshot(`../../fixtures/plugin/unittest-walk.${language}.txt`);
  });
});
