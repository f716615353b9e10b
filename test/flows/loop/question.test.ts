// A question of the agent's: somebody answers it, or the turn ends with it and a click goes on.
import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import type { AskPerson } from "../../../src/tools/tool.ts";
import { ask, prompted, send } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createTestCoding, toolCall, unit } from "../../helpers/loop-app.ts";

const asked = { question: "Which name?", choices: ["sum", "amount"] };
const asks: Script = [toolCall("ask_person", asked)];
const edit: Script = [
  toolCall("edit_file", {
    target_file: "a.js",
    instructions: "",
    code_edit: unit("one();", "two();"),
  }),
];
const finish: Script = [toolCall("finish", { response: "Done." })];

async function open(scripts: readonly Script[], askPerson?: AskPerson) {
  const coding = await createTestCoding({ "a.js": "one();\n" });
  const model = scriptedModel(scripts);
  const { app } = createTestApp({ models: model, coding: { ...coding, askPerson } });
  return { app, model };
}

test("an answer goes to the model, which goes on", async () => {
  const questions: unknown[] = [];
  const { app, model } = await open([asks, finish], async (question) => {
    questions.push(question);
    return "amount";
  });
  const reply = await ask(app, "code", [prompted("Rename total.")]);
  expect(questions).toEqual([asked]);
  const told = model.requests.at(-1)?.messages.at(-1);
  expect(told && textOfMessage(told)).toContain('"answer":"amount"');
  expect(reply.text).toContain("Done.");
  expect(reply.actions).toEqual([]);
});

describe("where nobody can answer", () => {
  test.each([undefined, async () => undefined])(
    "the turn ends with it, and a click on a choice tells all that was said",
    async (askPerson) => {
      const { app, model } = await open([[...edit, ...asks, ...finish], finish], askPerson);
      const reply = await ask(app, "code", [prompted("Rename total.")]);
      expect(model.requests).toHaveLength(1);
      expect(reply.text).toContain("Which name?\n\n1. sum\n2. amount\n");
      expect(reply.text).toContain("**Modified:**");
      expect(reply.finish).toBe("stop");
      const [tree] = reply.actions;
      if (tree?.action !== "tree") expect.fail("There is no tree.");
      expect(tree.data.nodes.map(({ name }) => name)).toEqual(asked.choices);
      const prompt = tree.data.nodes[1]?.prompt ?? "";
      await send(app, { command: "code", contextVariables: [prompted(prompt)] });
      const sent = model.requests.at(-1)?.messages.map(textOfMessage).join("\n") ?? "";
      for (const said of ["amount\n", "Which name?", "Rename total."]) expect(sent).toContain(said);
    },
  );

  test("a question without choices is text alone", async () => {
    const { app } = await open([[toolCall("ask_person", { question: "Why?" })]]);
    const reply = await ask(app, "code", [prompted("Go.")]);
    expect(reply.text).toContain("Why?");
    expect(reply.actions).toEqual([]);
  });
});
