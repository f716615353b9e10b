import * as z from "zod";
import { expect, test } from "vitest";
import type { ChatRequest, Subject } from "../../../src/turn/chat-model.ts";
import { ask, subjectOf } from "./ask-offline.ts";

const Cases = z.object({
  test_cases: z.array(z.object({ description: z.string(), category: z.string() })).min(1),
});

const file = `class Cart {
  total(prices) {
    if (prices.length === 0) return 0;
    for (const price of prices) add(price);
    return sum;
  }
}
`;
const subject = subjectOf("cart.js", file, {
  command: "unittest",
  place: { startLine: 2, endLine: 6 },
});

async function casesOf(asked = subject, request: Partial<ChatRequest> = {}) {
  return Cases.parse(JSON.parse(await ask(asked, request))).test_cases;
}

function knowing(cases: Awaited<ReturnType<typeof casesOf>>): Subject {
  const knownCases = cases.map(({ category, description }, nth) => ({
    line: `${nth + 1}. ${category}: ${description}`,
    description,
  }));
  return { ...subject, facts: { knownCases } };
}

test.each(["en", "zh"] as const)(
  "known cases are not proposed again in %s, until one says that no more show",
  async (locale) => {
    const known: Awaited<ReturnType<typeof casesOf>> = [];
    for (let round = 0; ; round += 1) {
      const cases = await casesOf(knowing(known), { locale });
      const descriptions = known.map(({ description }) => description);
      expect(descriptions).not.toContain(cases[0]?.description);
      for (const { description } of cases) expect(descriptions).not.toContain(description);
      if (cases.length === 1 && /no further case|更多用例/.test(cases[0]?.description ?? "")) break;
      known.push(...cases);
      expect(round).toBeLessThan(5);
    }
    expect(known.length).toBeGreaterThan(3);
  },
);

test("what was not chosen of the first cases is proposed once more", async () => {
  const [first, ...others] = await casesOf();
  const again = await casesOf(knowing(first === undefined ? [] : [first]));
  expect(again.slice(0, others.length)).toEqual(others);
});

test("code without a function is named by its lines", async () => {
  const [usual] = await casesOf(
    subjectOf("run.py", "print(1)\nprint(2)\n", { command: "unittest" }),
  );
  expect(usual?.description).toBe("the code of lines 1 to 2 gives the expected result");
});

test.each(["class Cart {\n  total() {\n    return 1;\n  }\n}\n", "let a = 1;\n"])(
  "Chinese cases of %j have a space beside names alone",
  async (text) => {
    const answer = await ask(subjectOf("a.js", text, { command: "unittest" }), { locale: "zh" });
    expect(answer).toMatch(/"(?:Cart\.total |第 1 行的代码|a )返回预期结果"/);
  },
);
