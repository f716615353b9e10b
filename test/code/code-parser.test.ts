import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { expect, test, vi } from "vitest";
import { loadGrammars } from "../../src/setup/load-grammars.node.ts";
import { createCodeParser } from "../../src/setup/create-code-parser.ts";
import { languages } from "../../src/code/languages.ts";
import { cases } from "../helpers/cases.ts";
import { everything, parser, rangesOf } from "./read-fixture.ts";

const source = "export function a() {\n  return 1;\n}\n";

test("runtime and grammars are loaded once each, and only when needed", async () => {
  const grammars = loadGrammars();
  const grammar = vi.fn((name: string) => grammars.grammar(name));
  const lazy = createCodeParser({ ...grammars, grammar });
  await lazy.analyze("# prose", "markdown");
  expect(grammar).not.toHaveBeenCalled();
  await Promise.all([lazy.analyze(source, "typescript"), lazy.analyze(source, "typescript")]);
  await lazy.analyze("int a;", "c");
  await lazy.analyze("int a;", "cpp");
  expect(grammar.mock.calls).toEqual([["typescript"], ["cpp"]]);
});

test.each([
  ["is not there", () => Promise.resolve(undefined)],
  ["cannot be loaded", () => Promise.reject(new Error("no disk"))],
  ["is no WebAssembly", () => Promise.resolve(new Uint8Array([1, 2, 3]))],
])("where the grammar %s, the plain analysis answers", async (_case, load) => {
  const grammar = vi.fn(load);
  const poor = createCodeParser({ ...loadGrammars(), grammar });
  for (let time = 0; time < 2; time++) {
    const { language, symbols } = await poor.analyze(source, "typescript");
    expect(language).toBeUndefined();
    expect(symbols).toMatchObject([{ name: "a", kind: "function" }]);
  }
  expect(grammar).toHaveBeenCalledOnce();
});

test("a text that is too long, or takes too long, gets the plain analysis", async () => {
  const short = createCodeParser(loadGrammars(), { maxCharacters: source.length - 1 });
  expect(await short.analyze(source, "typescript")).toMatchObject({
    language: undefined,
    areCommentsKnown: true,
  });
  const long = source.repeat(300);
  const few = createCodeParser(loadGrammars(), { maxLooks: 3 });
  expect((await few.analyze(long, "typescript")).language).toBeUndefined();
  let time = 0;
  const slow = createCodeParser(loadGrammars(), { now: () => (time += 1000) });
  expect((await slow.analyze(long, "typescript")).language).toBeUndefined();
  // What was given up leaves nothing behind.
  expect((await parser.analyze(long, "typescript")).symbols).toHaveLength(300);
});

test("of several texts at once, each waits for a turn of the loop of its own", async () => {
  const deferred: (() => void)[] = [];
  const own = createCodeParser(loadGrammars(), { defer: (next) => void deferred.push(next) });
  const asked = ["let a;", "let b;", "let c;"].map((text) => own.analyze(text, "typescript"));
  expect((await asked[0])?.language).toBe("typescript");
  expect(deferred).toHaveLength(2);
  for (const next of deferred) next();
  expect((await Promise.all(asked)).map(({ language }) => language)).toEqual(
    asked.map(() => "typescript"),
  );
});

test("more texts at once than may be get the plain analysis of their beginning", async () => {
  const own = createCodeParser(loadGrammars(), { maxAtOnce: 2 });
  const texts = ["let a;", "let b;", "// c\n".repeat(5_000)];
  const read = await Promise.all(texts.map((text) => own.analyze(text, "typescript")));
  expect(read.map(({ language }) => language)).toEqual(["typescript", "typescript", undefined]);
  expect(read[2]?.areCommentsKnown).toBe(false);
  expect((await own.analyze(texts[2] ?? "", "typescript")).language).toBe("typescript");
});

test("a text that was given up while it waited is not counted for ever", async () => {
  let time = 0;
  // As a Worker drops the timers of a request whose client has left.
  const forgets = { maxAtOnce: 1, maxWait: 100, now: () => time, defer: () => {} };
  const never = () => new Promise<undefined>(() => {});
  const own = createCodeParser({ ...loadGrammars(), grammar: never }, forgets);
  const isReadWhole = async (text: string): Promise<boolean> =>
    (await own.analyze(text.repeat(5_000), "kotlin")).areCommentsKnown;
  void own.analyze("let a;", "typescript");
  expect(await isReadWhole("// b\n")).toBe(false);
  time = 101;
  expect(await isReadWhole("// c\n")).toBe(true);
});

test("text that nests deeply or repeats a lot is no danger", async () => {
  const texts = [
    "(".repeat(50_000),
    "function a(x){".repeat(2000),
    `const a = 1${", b = 2".repeat(20_000)};`,
    `function f(a = ${"(".repeat(20_000)}1${")".repeat(20_000)}) {}`,
    "// x\n".repeat(50_000),
  ];
  for (const text of texts) {
    const analysis = await parser.analyze(text, "typescript");
    expect(analysis.problems.length).toBeLessThanOrEqual(20);
    analysis.branchesIn(everything);
  }
});

test("whatever the text, analyze does not throw and ranges stay inside", async () => {
  const words = constantFrom(
    ..."{}()[]<>;:,.#/*\"'`=+&|?\n\r\t 😀中".split(""),
    "class ",
    "def ",
    "fn ",
    "func ",
    "if ",
    "a",
    "/**",
    "*/",
    "<?php ",
    "=> ",
    "//",
  );
  await assert(
    asyncProperty(
      array(words, { maxLength: 60 }),
      constantFrom(...languages.map(({ language }) => language), "unknown"),
      async (parts, language) => {
        const text = parts.join("");
        const lines = text.split(/\r\n|\r|\n/).length;
        const analysis = await parser.analyze(text, language);
        analysis.identifiersIn(everything);
        const ranges = [
          ...analysis.symbols.map(({ range }) => range),
          ...rangesOf(analysis, "comments"),
          ...analysis.branchesIn(everything).map(({ line }) => ({ endLine: line })),
        ];
        for (const range of ranges) expect(range.endLine).toBeLessThanOrEqual(lines);
      },
    ),
    { numRuns: cases(100) },
  );
});
