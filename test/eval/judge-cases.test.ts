import { expect, test } from "vitest";
import { judgeCases } from "../../eval/judge-cases.ts";
import type { Answer } from "../../eval/read-answer.ts";
import { isSound } from "../../eval/verdict.ts";

const shown: Answer = {
  text: "",
  edits: [],
  actions: [
    { action: "tree", data: { nodes: [{ id: "1", type: "case", name: "[] is 0" }] } },
    { action: "confirm", data: { title: "Write all" } },
  ],
  finishReason: "stop",
  failure: undefined,
};
const right = JSON.stringify({ test_cases: [{ description: "[] is 0", category: "edge case" }] });

test("cases that are shown although the model wrote none are unsound", () => {
  const verdict = judgeCases(shown, [{ text: '{"test_cases":[{"category":"edge case"}]}' }]);
  expect(verdict).toMatchObject({ json: "invalid", isWhole: true });
  expect(verdict.reasons.join()).toContain("test_cases[0].description");
  expect(isSound(verdict)).toBe(false);
});

test("cases that the model wrote and nobody is shown are unsound", () => {
  const verdict = judgeCases({ ...shown, actions: [] }, [{ text: right }]);
  expect(verdict).toMatchObject({ json: "first", isWhole: false });
  expect(isSound(verdict)).toBe(false);
});
