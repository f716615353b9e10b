import { expect, test } from "vitest";
import type { Subject } from "../../../src/turn/chat-model.ts";
import { readCases } from "../../../src/flows/test/case-prompt.ts";
import { ask, askBare, code, subjectOf } from "./ask-offline.ts";

interface Asked {
  framework: string;
  testPath: string;
  cases?: string;
  line?: number;
  locale?: "en" | "zh";
}

const oneCase = "1. happy path: adds two";

/** The code of the skeleton. */
async function skeleton(
  path: string,
  file: string,
  { framework, testPath, cases = oneCase, line, locale = "en" }: Asked,
): Promise<string> {
  const facts = { framework, testPath, chosenCases: readCases(cases).cases };
  const place: Partial<Subject> =
    line === undefined ? {} : { place: { startLine: line, endLine: line } };
  const subject = subjectOf(path, file, { command: "unittest-write", facts, ...place });
  const answer = await askBare(subject, { locale });
  const [, told, body = ""] = /^`(.+)`\n\n```\w*\n([^]*?)\n```\n\n.+\n$/.exec(answer) ?? [];
  expect(told).toBe(testPath);
  return body;
}

const js = { framework: "vitest", testPath: "src/cart.test.js" };

test.each([
  ["src/cart.js", "test/cart.test.js", "../src/cart.js"],
  ["cart.js", "test/cart.test.js", "../cart.js"],
  ["./cart.js", "test/unit/cart.test.js", "../../cart.js"],
  ["a/src/cart.js", "a/src/__tests__/cart.test.js", "../cart.js"],
  ["a/src/deep/cart.js", "a/test/cart.test.js", "../src/deep/cart.js"],
  ["C:\\shop\\cart.js", "C:\\shop\\cart.test.js", "./cart.js"],
  ["/p/cart.js", "/p/test/cart.test.js", "../cart.js"],
  ["/p/cart.js", "test/cart.test.js", "./cart.js"],
])("%s is imported by %s from %s", async (path, testPath, from) => {
  const body = await skeleton(path, "export const f = () => 0;\n", {
    framework: "vitest",
    testPath,
  });
  expect(body.split("\n")).toContain(`import { f } from "${from}";`);
});

test.each([
  ["export default function total() {}\n", 'import total from "./cart.js";'],
  ["function total() {}\nexport default total;\n", 'import total from "./cart.js";'],
  ["export default () => 1;\n", 'import cart from "./cart.js";'],
  ["function total() {}\nexport { total };\n", 'import { total } from "./cart.js";'],
  ["export const api = {\n  total() {},\n};\n", 'import { api } from "./cart.js";'],
])("%j is imported as it is exported", async (file, line) => {
  expect((await skeleton("src/cart.js", file, js)).split("\n")).toContain(line);
});

test("what other files cannot reach is not imported", async () => {
  const body = await skeleton("src/cart.js", "function total() {}\n", js);
  expect(body).toContain("use total and");
  expect(body).not.toContain("./cart");
});

test.each([
  [
    "Cart.java",
    "class Cart { int total() { return 0; } }",
    "JUnit 4",
    "CartIT.java",
    "public class CartIT {",
  ],
  [
    "Cart.kt",
    "package shop\nclass Cart {\n  fun total() = 0\n}",
    "JUnit 5",
    "CartTest.kt",
    "// TODO: adds two",
  ],
])("the test of %s has %j, by %s in %s: %s", async (path, file, framework, testPath, line) => {
  expect(await skeleton(path, file, { framework, testPath })).toContain(line);
});

const files: readonly (readonly [path: string, file: string])[] = [
  ["cart.ts", "export class Cart { total(): number { return 0; } }\n"],
  ["cart.py", "class Cart:\n    def total(self):\n        return 0\n"],
  ["cart.go", "package cart\nfunc Total() int { return 0 }\n"],
  ["cart.rs", "pub fn total() -> i32 { 0 }\n"],
  ["Cart.java", "class Cart { int total() { return 0; } }\n"],
  ["Cart.cs", "class Cart { int Total() { return 0; } }\n"],
  ["cart.cpp", "int total() { return 0; }\n"],
  ["cart.php", "<?php\nfunction total() { return 0; }\n"],
  ["cart.rb", "def total\n  0\nend\n"],
];
const frameworks: Readonly<Record<string, readonly string[]>> = {
  ts: ["vitest", "jest", "mocha", "ava", "node:test"],
  py: ["pytest", "unittest"],
  go: ["go test", "testify"],
  rs: ["cargo test"],
  java: ["JUnit 5", "JUnit 4", "TestNG"],
  cs: ["xUnit", "NUnit", "MSTest"],
  cpp: ["GoogleTest", "Catch2"],
  php: ["PHPUnit", "Pest"],
  rb: ["RSpec", "minitest"],
};
const all = files.flatMap(([path, file]) =>
  (frameworks[path.split(".").at(-1) ?? ""] ?? []).map((name) => [name, path, file] as const),
);

test.each(all)(
  "a skeleton for %s can be parsed, whatever the cases say",
  async (framework, path, file) => {
    const cases = [
      "1. happy path: adds two",
      '2) edge case: "quotes", \\u0041 and #{all} of $it\'s */ kind """ end in \\',
      '3. edge case: ends in a "quote"',
    ].join("\n");
    const testPath = `x/${path}`;
    const body = await skeleton(path, file, { framework, testPath, cases });
    // A macro of Catch2 that only the compiler reads.
    const plain = body.replaceAll(/^TEST_CASE\((.*)\) \{$/gm, "void f() {\n  auto name = $1;");
    const { language, problems } = await code.analyze(plain, undefined, path);
    expect({ language: language !== undefined, problems }).toEqual({
      language: true,
      problems: [],
    });
    expect(body).toContain("adds two");
    expect(body).toContain("#{all}".slice(1));
    expect(body).not.toMatch(/happy path|edge case/);
  },
);

test("a request that names no case gets tests of the cases that show", async () => {
  const file = "export function total(prices) {\n  return 0;\n}\n";
  const body = await skeleton("src/cart.js", file, { ...js, cases: "Write the tests, please." });
  expect(body.match(/^test\(.*$/gm)).toEqual([
    'test("total with usual values of prices gives the expected result", () => {',
    'test("prices is empty, missing or at its limit", () => {',
  ]);
});

test("where no framework is known, the tests are comments of the language, beside the source", async () => {
  const answer = await ask(
    subjectOf("src/cart.lua", "function total()\nend\n", {
      command: "unittest-write",
      facts: { chosenCases: readCases(oneCase).cases },
    }),
  );
  expect(answer).toContain(
    "`src/cart_test.lua`\n\n```lua\n-- TODO: use total and check what it gives.\n\n-- TODO: adds two\n```\n",
  );
});

test("a case with a fence in it does not end the block", async () => {
  const answer = await ask(
    subjectOf("src/cart.js", "export function total() {}\n", {
      command: "unittest-write",
      facts: { chosenCases: readCases("1. a ``` b").cases, framework: "jest" },
    }),
  );
  expect(answer).toMatch(/\n````javascript\n[^]*\n````\n/);
});
