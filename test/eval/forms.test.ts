// Answers in forms that only the flows can read are judged by what the turn tells.
import { expect, test } from "vitest";
import { evaluate } from "./scripted-eval.ts";

const content = "export function half(value: number): number {\n  return value / 3;\n}\n";
const fence = "```";

test("a function in a code block counts as an edit that was applied at the first try", async () => {
  const answer = `${fence}ts\n${content.replace("3", "2")}${fence}\n`;
  const result = await evaluate({ command: "fix", path: "src/half.ts", content }, [[answer]]);
  expect(result).toMatchObject({ edit: "first", calls: 1, reasons: [] });
  expect(result.failure).toBeUndefined();
});

test("tests in a list are at the first try, and what was thought aloud does not count", async () => {
  const answer = '<think>{"test_cases":[</think>\n1. Happy path: half(2) is 1\n';
  const asked = { command: "unittest", path: "src/half.ts", content } as const;
  expect(await evaluate(asked, [[answer]])).toMatchObject({ json: "first", isWhole: true });
});
