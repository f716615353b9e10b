import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readUnanswered } from "../../src/tools/ask-person.ts";
import { runCall } from "../../src/tools/run-call.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../helpers/tool-workspace.ts";

const toolbox = createWorkspaceTools();

async function call(name: string, args: unknown) {
  const given = { id: "1", name, arguments: JSON.stringify(args) };
  return (await runCall(given, toolbox, createUse())).outcome;
}

const question = "Which one?";
const meant = { question, choices: ["left", "right"] };

test.each<[string, object]>([
  ["ask_person", meant],
  ["askTool", { question, choices: '["left", "right"]' }],
  ["ask_followup_question", { question, follow_up: [{ text: "left" }, { text: "right" }] }],
  ["ask_followup_question", { question, options: ["left", "right", "left", ""] }],
  [
    "AskUserQuestion",
    { questions: [{ question, header: "x", options: [{ label: "left" }, { label: "right" }] }] },
  ],
  ["question", { questions: [{ question, options: [{ label: "left" }, { label: "right" }] }] }],
  ["request_user_input", { prompt: question, choices: ["left", "right"] }],
])("%s with %j is one question with choices", async (name, args) => {
  expect(readUnanswered(await call(name, args))).toEqual(meant);
});

test("a call without a question is refused, and asks nobody", async () => {
  for (const args of [{}, { question: " " }, { questions: [] }, { questions: [{}] }])
    expect(await call("ask_person", args)).toMatchObject({ code: "bad-arguments" });
});

test("whatever a model sends as choices, what is asked is bounded", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 40 }), async (choices) => {
      const asked = readUnanswered(await call("ask_person", { question, choices }));
      expect(asked?.question).toBe(question);
      expect(asked?.choices.length).toBeLessThanOrEqual(12);
      expect(new Set(asked?.choices).size).toBe(asked?.choices.length);
    }),
  );
  const long = readUnanswered(
    await call("ask_person", { question, choices: ["x".repeat(1_000_000)] }),
  );
  expect(long?.choices[0]?.length).toBeLessThanOrEqual(500);
});

test("no other outcome is a question", () => {
  for (const outcome of [undefined, null, "unanswered", { code: "unanswered" }, { question }])
    expect(readUnanswered(outcome)).toBeUndefined();
});
