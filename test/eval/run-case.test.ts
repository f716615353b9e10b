// Models that do well and badly, asked through the real door; each has to land in its column.
import { expect, test } from "vitest";
import type { EvalCase } from "../../eval/eval-case.ts";
import { isSound } from "../../eval/verdict.ts";
import { AppError } from "../../src/base/errors/app-error.ts";
import { truncated } from "../../src/testing.ts";
import { evaluate, fileEdit } from "./scripted-eval.ts";

const content = `/** Adds up. */
export function sum(values: number[]): number {
  let sum = 1;
  for (const value of values) sum += value;
  return sum;
}

export function half(value: number): number {
  return value / 2;
}
`;

const fix: EvalCase = {
  command: "fix",
  path: "src/sum.ts",
  content,
  symbol: "sum",
  defect: { gone: [/let sum = 1/], needs: [] },
};
const docstring: EvalCase = { command: "docstring", path: "src/sum.ts", content, symbol: "half" };
const unittest: EvalCase = { command: "unittest", path: "src/sum.ts", content };
const unittestWrite: EvalCase = { ...unittest, command: "unittest-write" };
const explain: EvalCase = { ...unittest, command: "explain" };

const good = fileEdit("src/sum.ts", "  let sum = 1;", "  let sum = 0;");
const misquoted = fileEdit("src/sum.ts", "  var total = 17;", "  let sum = 0;");
const cases = JSON.stringify({ test_cases: [{ description: "[] is 0", category: "edge case" }] });

test("a right edit is applied at the first try", async () => {
  const result = await evaluate(fix, [["It starts at 1.\n\n", good]]);
  expect(result).toMatchObject({
    symbol: "sum",
    edit: "first",
    isSyntaxKept: true,
    isDefectGone: true,
    calls: 1,
    reasons: [],
  });
  expect(result).not.toHaveProperty("isCodeSame");
  expect(isSound(result)).toBe(true);
});

test("an edit that fits at the second try is applied after repair", async () => {
  const result = await evaluate(fix, [[misquoted], [good]]);
  expect(result).toMatchObject({ edit: "repaired", calls: 2, isDefectGone: true });
});

test("an edit that fits at neither try is refused, which is not unsound", async () => {
  const result = await evaluate(fix, [[misquoted], [misquoted]]);
  expect(result).toMatchObject({ edit: "refused", calls: 2, isDefectGone: false });
  expect(result.reasons.join()).toMatch(/^no-match: /);
  expect(isSound(result)).toBe(true);
});

test("an edit that is not repeated when it was refused stays refused", async () => {
  const result = await evaluate(fix, [[misquoted], ["I am sorry."]]);
  expect(result).toMatchObject({ edit: "refused", calls: 2 });
});

test("an edit that fits two places of the function is refused", async () => {
  const twice = { ...fix, content: content.replace(/^ {2}let sum = 1;\n/m, "$&$&") };
  const result = await evaluate(twice, [[good]]);
  expect(result).toMatchObject({ edit: "refused", calls: 1, isDefectGone: false });
  expect(result.reasons.join()).toMatch(/^ambiguous: /);
});

test("an edit that fits one place of the function and another beside it is applied", async () => {
  const twice = { ...fix, content: `${content}\n${content.replaceAll("sum(", "more(")}` };
  const result = await evaluate(twice, [[good]]);
  expect(result).toMatchObject({ edit: "first", calls: 1 });
  expect(result.failure).toBeUndefined();
});

test("an answer without an edit, or with one of another file, is no edit", async () => {
  const other = fileEdit("src/other.ts", "  let sum = 1;", "  let sum = 0;");
  expect(await evaluate(fix, [["Nothing is wrong."]])).toMatchObject({ edit: "none", calls: 1 });
  expect(await evaluate(fix, [[other]])).toMatchObject({ edit: "none", isDefectGone: false });
});

test("an edit that leaves the defect is applied, and the defect is there", async () => {
  const edit = fileEdit("src/sum.ts", "  return sum;", "  return sum - 1;");
  const result = await evaluate(fix, [[edit]]);
  expect(result).toMatchObject({ edit: "first", isSyntaxKept: true, isDefectGone: false });
});

test("an edit that deletes the function with the defect has not mended it", async () => {
  const lines = content.split("\n").slice(1, 6).join("\n");
  const result = await evaluate(fix, [[fileEdit("src/sum.ts", lines, "")]]);
  expect(result).toMatchObject({ edit: "first", isSyntaxKept: true, isDefectGone: false });
});

test("a defect that is only quoted in a comment is gone", async () => {
  const replace = "  // not `let sum = 1`\n  let sum = 0;";
  const result = await evaluate(fix, [[fileEdit("src/sum.ts", "  let sum = 1;", replace)]]);
  expect(result).toMatchObject({ edit: "first", isDefectGone: true });
});

test("an edit that breaks the syntax is unsound", async () => {
  const edit = fileEdit("src/sum.ts", "  let sum = 1;", "  let sum = (0;");
  const result = await evaluate(fix, [[edit]]);
  expect(result).toMatchObject({ edit: "first", isSyntaxKept: false, isDefectGone: true });
  expect(result.reasons.join()).toMatch(/breaks the syntax, line 3/);
  expect(isSound(result)).toBe(false);
});

test("a file that was broken elsewhere keeps its syntax by an edit that breaks nothing", async () => {
  const broken = { ...fix, content: `${content}\nexport const = 3;\n` };
  expect(await evaluate(broken, [[good]])).toMatchObject({ edit: "first", isSyntaxKept: true });
});

test("a doc comment leaves the code as it is", async () => {
  const head = "export function half(value: number): number {";
  const edit = fileEdit("src/sum.ts", head, `/** Half of it. */\n${head}`);
  const result = await evaluate(docstring, [[edit]]);
  expect(result).toMatchObject({ edit: "first", isSyntaxKept: true, isCodeSame: true });
  expect(result).not.toHaveProperty("isDefectGone");
});

test("a doc comment that touches code is refused by the flow", async () => {
  const edit = fileEdit("src/sum.ts", "  return value / 2;", "  return value * 0.5; // half");
  const result = await evaluate(docstring, [[edit]]);
  expect(result).toMatchObject({ edit: "refused", calls: 2 });
  expect(result).not.toHaveProperty("isCodeSame");
});

test("test cases are read at the first try, also from a fence", async () => {
  expect(await evaluate(unittest, [[cases]])).toMatchObject({ json: "first", isWhole: true });
  const fenced = await evaluate(unittest, [[`Here they are:\n\`\`\`json\n${cases}\n\`\`\`\n`]]);
  expect(fenced).toMatchObject({ json: "first", isWhole: true, calls: 1, reasons: [] });
});

test("test cases whose JSON is right at the second try are valid after repair", async () => {
  const result = await evaluate(unittest, [['{"test_cases":[]}'], [cases]]);
  expect(result).toMatchObject({ json: "repaired", isWhole: true, calls: 2 });
  expect(result.reasons.join()).toMatch(/Too small.*at test_cases/s);
  expect(isSound(result)).toBe(true);
});

test("test cases whose JSON is wrong twice are unsound", async () => {
  const result = await evaluate(unittest, [["First: nothing."], ['{"test_cases":[{}']]);
  expect(result).toMatchObject({ json: "invalid", isWhole: false, calls: 2 });
  expect(isSound(result)).toBe(false);
});

test("written tests are whole with one block and a path", async () => {
  const block = "```ts\ntest('0', () => {});\n```\n";
  const result = await evaluate(unittestWrite, [[`\`src/sum.test.ts\`\n\n${block}`]]);
  expect(result).toMatchObject({ isWhole: true, isSyntaxKept: true, reasons: [] });
  const twice = await evaluate(unittestWrite, [[`\`src/sum.test.ts\`\n\n${block}\n${block}`]]);
  expect(twice).toMatchObject({ isWhole: false, reasons: [expect.stringContaining("2 blocks")] });
  const bare = await evaluate(unittestWrite, [[block]]);
  expect(bare).toMatchObject({ isWhole: false, reasons: [expect.stringContaining("No path")] });
  const none = await evaluate(unittestWrite, [["`src/sum.test.ts` is missing."]]);
  expect(none).toMatchObject({ isWhole: false, reasons: [expect.stringContaining("0 blocks")] });
  expect(none).not.toHaveProperty("isSyntaxKept");
});

test("written tests that cannot be parsed are unsound", async () => {
  const text = "`src/sum.test.ts`\n\n```ts\ntest('0', () => {;\n```\n";
  const result = await evaluate(unittestWrite, [[text]]);
  expect(result).toMatchObject({ isWhole: true, isSyntaxKept: false });
  expect(isSound(result)).toBe(false);
});

test("the language of written tests is told by the fence, else by the path", async () => {
  const python = "def test_sum():\n    assert True\n";
  const ask = (path: string, language: string) =>
    evaluate(unittestWrite, [[`\`${path}\`\n\n\`\`\`${language}\n${python}\`\`\`\n`]]);
  expect(await ask("test_sum.txt", "python")).toMatchObject({ isSyntaxKept: true });
  expect(await ask("test_sum.py", "")).toMatchObject({ isSyntaxKept: true });
  expect(await ask("test_sum.ts", "")).toMatchObject({ isSyntaxKept: false });
  expect(await ask("test_sum.txt", "")).not.toHaveProperty("isSyntaxKept");
});

test("an explanation is whole if it says something and ends by itself", async () => {
  expect(await evaluate(explain, [["It adds up."]])).toMatchObject({ isWhole: true, reasons: [] });
  const cut = await evaluate(explain, [["It adds", { end: "length" }]]);
  expect(cut).toMatchObject({ isWhole: false, reasons: [expect.stringContaining("length")] });
  const empty = await evaluate(explain, [[" "]]);
  expect(empty).toMatchObject({ isWhole: false, reasons: [expect.stringContaining("empty")] });
  expect(isSound(empty)).toBe(false);
});

test("a model that refuses, or breaks off, is a failed turn that nothing else is said of", async () => {
  const busy = new AppError("rate_limited", "Too many.");
  for (const asked of [fix, docstring, unittest, unittestWrite, explain]) {
    const refused = await evaluate(asked, [[busy]]);
    expect(refused).toMatchObject({ failure: expect.stringMatching(/rate_limited/), reasons: [] });
    expect(isSound(refused)).toBe(false);
    const broken = await evaluate(asked, [["It ", truncated()]]);
    expect(broken).toMatchObject({ failure: expect.stringMatching(/upstream_truncated/) });
    expect(broken).not.toHaveProperty("edit");
    expect(broken).not.toHaveProperty("json");
    expect(broken).not.toHaveProperty("isWhole");
  }
});

test("a model that fails at the second try is a failed turn, too", async () => {
  const busy = new AppError("rate_limited", "Too many.");
  const result = await evaluate(fix, [[misquoted], [busy]]);
  expect(result).toMatchObject({ failure: expect.stringMatching(/rate_limited/), calls: 2 });
  expect(result).not.toHaveProperty("edit");
});

test("tokens are those that the model reports for all of its calls", async () => {
  const usage = (prompt: number, answer: number) => ({
    type: "usage" as const,
    usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  });
  const result = await evaluate(fix, [
    [misquoted, usage(100, 10)],
    [good, usage(130, 7)],
  ]);
  expect(result).toMatchObject({ promptTokens: 230, completionTokens: 17 });
  expect(await evaluate(fix, [[good]])).not.toHaveProperty("promptTokens");
});

test("a function that is not there is a failed case", async () => {
  const result = await evaluate({ ...fix, symbol: "product" }, [[good]]);
  expect(result).toMatchObject({ failure: "src/sum.ts has no function product", calls: 0 });
});
