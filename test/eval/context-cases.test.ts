// The prompts of questions whose answer needs what is far from the function.
import { expect, test } from "vitest";
import { loadContextCases } from "../../eval/load-cases.ts";
import { isSound } from "../../eval/verdict.ts";
import { flattenSymbols } from "../../src/code/symbols.ts";
import { code, evaluate } from "./scripted-eval.ts";

const cases = loadContextCases();
const titled = cases.map((asked) => {
  const { command, path, maxFileTokens } = asked;
  return { asked, title: `${command} ${path}${maxFileTokens === undefined ? "" : " in part"}` };
});

test("they are asked in twelve languages, about files without a syntax error", async () => {
  const files = new Map(cases.map(({ path, content }) => [path, content]));
  const read = [...files].map(([path, content]) => code.analyze(content, undefined, path));
  const analyses = await Promise.all(read);
  expect(new Set(analyses.map(({ language }) => language)).size).toBe(12);
  expect(analyses.flatMap(({ problems }) => problems)).toEqual([]);
});

test("what they need is more than 40 lines away, but for heads of what is around", async () => {
  for (const { path, content, symbol, holds = [] } of cases) {
    const { symbols } = await code.analyze(content, undefined, path);
    const range = flattenSymbols(symbols).find(({ name }) => name === symbol)?.range;
    const first = range?.startLine ?? 0;
    const lines = content.split("\n");
    const near = lines.slice(first - 41, (range?.endLine ?? 0) + 40).join("\n");
    for (const pattern of holds) {
      expect(content).toMatch(pattern);
      expect(near).not.toMatch(pattern);
    }
  }
});

test.each(titled)("the prompt holds it: $title", async ({ asked }) => {
  const result = await evaluate(asked, [["x"], ["x"]]);
  expect(result).toMatchObject({ isContextHeld: true });
});

test("a prompt that lacks something is unsound, and it is named", async () => {
  const [asked] = cases;
  if (asked === undefined) throw new Error("There are no cases.");
  const result = await evaluate({ ...asked, holds: [/nowhere/] }, [["x"]]);
  expect(isSound(result)).toBe(false);
  expect(result.reasons).toContain("The prompt lacks nowhere.");
});
