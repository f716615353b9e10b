import { expect, test, vi } from "vitest";
import { loadGrammars } from "../../src/setup/load-grammars.node.ts";
import { createCodeParser } from "../../src/setup/create-code-parser.ts";
import { readPlainly } from "../../src/code/plain/analyze-plain.ts";
import { createRecentAnalyses } from "../../src/code/recent-analyses.ts";

test("a text that was read lately is not parsed again", async () => {
  const grammars = loadGrammars();
  const grammar = vi.fn((name: string) => grammars.grammar(name));
  const own = createCodeParser({ ...grammars, grammar });
  const both = await Promise.all([own.analyze("a();\n", "ts"), own.analyze("a();\n", "ts")]);
  expect(both[0]).toBe(both[1]);
  expect(await own.analyze("a();\n", "typescript", "a.ts")).toBe(both[0]);
  expect(grammar.mock.calls).toEqual([["typescript"]]);
  expect(await own.analyze("a();\n", "javascript")).not.toBe(both[0]);
});

/** Asks for each text in turn, and says which of them were read. */
function readAll([maxTexts, maxKeptCharacters]: readonly [number, number], texts: string): string {
  const recent = createRecentAnalyses({ maxTexts, maxKeptCharacters });
  const read: string[] = [];
  for (const text of texts.split(" ")) {
    if (recent.find("a", text) !== undefined) continue;
    read.push(text);
    recent.keep("a", text, readPlainly(text, undefined));
  }
  return read.join(" ");
}

test.each([
  ["as many as may be kept", [2, 100], "a b a b", "a b"],
  ["more than may be kept", [2, 100], "a b c a", "a b c a"],
  ["one that is asked for again, which stays longest", [2, 100], "a b a c a b", "a b c b"],
  ["more characters than may be kept", [9, 5], "aaa bbb aaa", "aaa bbb aaa"],
] as const)("of %s, the others are read again", (_, limits, texts, read) => {
  expect(readAll(limits, texts)).toBe(read);
});

test("one that is too long to keep is read each time, and takes no room from others", () => {
  expect(readAll([9, 5], "a bbbbbb bbbbbb a")).toBe("a bbbbbb bbbbbb");
});
