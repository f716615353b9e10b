// What holds for every code parser with grammars, wherever it reads.
import { beforeAll, expect, test } from "vitest";
import { loadGrammars } from "../../src/setup/load-grammars.node.ts";
import type { CodeAnalysis, CodeParser } from "../../src/code/code-analysis.ts";
import { createCodeParser } from "../../src/setup/create-code-parser.ts";
import { languages } from "../../src/code/languages.ts";
import { everything, readText, rangesOf } from "./read-fixture.ts";

const fixtures = [
  "cart.js",
  "cart.ts",
  "card.tsx",
  "cart.py",
  "cart.go",
  "Cart.java",
  "cart.rs",
  "cart.c",
  "cart.cpp",
  "Cart.cs",
  "cart.rb",
  "cart.php",
];

/** All that an analysis tells. */
function printAnalysis(analysis: CodeAnalysis): Record<string, unknown> {
  const { language, areCommentsKnown, symbols, docComment, imports, problems } = analysis;
  const { identifiersIn, branchesIn } = analysis;
  return {
    language,
    areCommentsKnown,
    symbols,
    docComment,
    imports,
    problems,
    comments: rangesOf(analysis, "comments"),
    directives: rangesOf(analysis, "directives"),
    strings: rangesOf(analysis, "strings"),
    identifiers: identifiersIn(everything),
    branches: branchesIn(everything),
  };
}

export function codeParserSuite(create: (limits: { maxCharacters: number }) => CodeParser): void {
  const inline = createCodeParser(loadGrammars());
  let parser: CodeParser;
  beforeAll(() => {
    parser = create({ maxCharacters: 50_000 });
  });

  test("there is a fixture for each language", async () => {
    const read = await Promise.all(
      fixtures.map((name) => parser.analyze(readText(name), undefined, name)),
    );
    const found = new Set(read.map(({ language }) => language));
    expect(found).toEqual(new Set(languages.map(({ language }) => language)));
  });

  test.each(fixtures)("%s reads the same wherever it is read", async (name) => {
    const text = readText(name);
    const analysis = await parser.analyze(text, undefined, name);
    expect(analysis.source.text).toBe(text);
    expect(printAnalysis(analysis)).toEqual(
      printAnalysis(await inline.analyze(text, undefined, name)),
    );
  });

  test.each([
    ["kotlin", "fun a() {}\n// b\n"],
    ["markdown", "# Title\n"],
    ["typescript", ""],
    [undefined, "\uFEFFa\r\nb\rc\n"],
  ])("%s without a grammar reads the same wherever it is read", async (language, text) => {
    const analysis = await parser.analyze(text, language);
    expect(printAnalysis(analysis)).toEqual(printAnalysis(await inline.analyze(text, language)));
  });

  test("texts that are asked for at once get their own analyses", async () => {
    const texts = Array.from({ length: 20 }, (_, nth) => `function f${nth}() {}\n`);
    const read = await Promise.all(texts.map((text) => parser.analyze(text, "javascript")));
    expect(read.map(({ symbols }) => symbols[0]?.name)).toEqual(texts.map((_, nth) => `f${nth}`));
  });

  test("a text that is too long for a grammar is read plainly", async () => {
    const text = "function a() {}\n".repeat(5_000);
    const { language, areCommentsKnown, symbols } = await parser.analyze(text, "javascript");
    expect([language, areCommentsKnown, symbols.length]).toEqual([undefined, true, 5_000]);
  });

  test("who has left is told the reason of the signal", async () => {
    const reason = new Error("The client has left.");
    const early = { signal: AbortSignal.abort(reason) };
    await expect(parser.analyze("let a;", "typescript", undefined, early)).rejects.toBe(reason);
    const controller = new AbortController();
    const asked = ["let b;", "let c;"].map((text) =>
      parser.analyze(text, "typescript", undefined, controller),
    );
    const stays = parser.analyze("let c;", "typescript");
    controller.abort(reason);
    expect(await Promise.allSettled(asked)).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    expect((await stays).language).toBe("typescript");
    expect((await parser.analyze("let b;", "typescript")).language).toBe("typescript");
  });

  test("what a query finds comes with the analysis, apart from what was read without it", async () => {
    const text = "a == b;\nf(c == d);\n";
    const query = '(binary_expression left: (identifier) @left operator: "==" @sign)';
    const plain = await parser.analyze(text, "javascript");
    const { matches } = await parser.analyze(text, "javascript", undefined, { query });
    expect(plain.matches).toEqual([]);
    expect(matches).toEqual([
      { pattern: 0, captures: { left: [0, 1], sign: [2, 4] } },
      { pattern: 0, captures: { left: [10, 11], sign: [12, 14] } },
    ]);
    const broken = `${text}f(e == ;\n`;
    const found = await parser.analyze(broken, "javascript", undefined, { query });
    expect(found.matches.length).toBeLessThanOrEqual(2);
    expect((await parser.analyze(text, "lua", undefined, { query })).matches).toEqual([]);
  });
}
