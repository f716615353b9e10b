import { expect, test } from "vitest";
import { type Script, scriptedModel } from "../../src/testing.ts";
import { printUnits } from "../../src/edit/read/print-units.ts";
import { editor, user } from "../helpers/copilot-client.ts";
import { post } from "../helpers/copilot-request.ts";
import { createTestApp } from "../helpers/create-test-app.ts";

const file = "function a() {\n  return 1;\n}\n";

async function ask(command: string, script: Script, model = scriptedModel([script])) {
  const { app } = createTestApp({ models: model });
  const contextVariables = [user, editor(file, [1, 3])];
  const response = await post(app, { agent: "rightseat", command, contextVariables });
  const deltas = (await response.text())
    .split("\n")
    .flatMap((line) => /^data: (\{.*"delta".*)$/.exec(line)?.[1] ?? [])
    .map((json) => JSON.parse(json).choices[0].delta as Record<string, string>);
  const join = (name: string) => deltas.map((delta) => delta[name] ?? "").join("");
  return { text: join("content"), reasoning: join("reasoning_content"), model };
}

const edit = (replace: string) =>
  `<file-edit filePath="src/cart.js">\n${printUnits([{ search: "  return 1;\n", replace }])}</file-edit>\n`;
const cases = (description: string) =>
  JSON.stringify({ test_cases: [{ description, category: "happy path" }] });

const thoughts = [
  ["<think>", "</think>\n"],
  ["<thinking>\n", "\n</thinking>"],
  ["<reasoning>", "</reasoning>\n\n"],
  ["\n<THINK>\n", "\n</THINK>\n"],
] as const;

test.each(["explain", "chat", "fix", "optimize", "docstring", "unittest", "unittest-write"])(
  "what the model thinks aloud is passed on as reasoning by %s",
  async (command) => {
    for (const [open, close] of thoughts) {
      const { text, reasoning } = await ask(command, Array.from(`${open}Hm, hm.${close}It is.\n`));
      // Unittest asks once more for its list.
      expect(reasoning).toMatch(/^(?:\s*Hm, hm\.\s*){1,2}$/);
      expect(text).toContain("It is.");
      expect(text).not.toMatch(/hm|think|reasoning/i);
    }
    const field = await ask(command, [{ type: "reasoning-delta", text: "Hm." }, "It is.\n"]);
    expect(field.reasoning).toMatch(/^(?:Hm\.){1,2}$/);
  },
);

test.each(thoughts)(
  "an edit that the model only thinks of in %j is not applied",
  async (open, close) => {
    const answer = `${open}Maybe:\n${edit("  return 3;\n")}${close}Cause.\n\n${edit("  return 2;\n")}`;
    const { text, model } = await ask("fix", Array.from(answer));
    expect(text).toContain("+  return 2;");
    expect(text).not.toContain("return 3");
    expect(model.requests).toHaveLength(1);
  },
);

test("what ends with a tag that was never opened counts for nothing", async () => {
  const answer = `Maybe ${cases("draft")}\n</think>\n${cases("adds")}`;
  const { text } = await ask("unittest", Array.from(answer));
  expect(text).toContain("adds");
  expect(text).not.toContain("draft");
});

test("a second question does not repeat what the model thought aloud", async () => {
  const wrong = edit("  return 2;\n").replace("return 1", "throw 1");
  const model = scriptedModel([[`<think>Hm.</think>${wrong}`], [edit("  return 2;\n")]]);
  const { text } = await ask("fix", [], model);
  expect(text).toContain("+  return 2;");
  const asked = model.requests[1]?.messages.map(({ content }) => JSON.stringify(content)).join();
  expect(asked).not.toContain("Hm.");
});
