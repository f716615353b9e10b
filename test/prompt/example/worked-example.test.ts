import { bareCode, isSameCode } from "../../../src/code/same-code.ts";
import { languages as known } from "../../../src/code/languages.ts";
import { linesOf } from "../../../src/base/text/lines.ts";
import { languageOf } from "../../../src/turn/context/language.ts";
import { applyUnits } from "../../../src/edit.ts";
import { Locale } from "../../../src/base/errors/locale.ts";
import { workedExample } from "../../../src/prompt/worked-example.ts";
import { exampleOfDocstring } from "../../../src/flows/docstring/docstring.ts";
import { exampleOfFix } from "../../../src/flows/fix/command.ts";
import { exampleOfOptimize } from "../../../src/flows/optimize/command.ts";
import { parser } from "../../code/read-fixture.ts";
import { expect, test } from "vitest";

/** Those that a grammar reads; TSX shares the sample of TypeScript. */
const languages = known.map(({ language }) => language).filter((one) => one !== "tsx");
const makers = {
  fix: exampleOfFix,
  optimize: exampleOfOptimize,
  docstring: exampleOfDocstring,
};
const kinds = ["fix", "optimize", "docstring"] as const;
const all = languages.flatMap((language) =>
  kinds.flatMap((kind) => Locale.options.map((locale) => ({ language, kind, locale }))),
);

/** The code of an example without its heading, fence and gutter. */
function codeOf(example: string): string {
  const lines = linesOf(example).slice(2, -1);
  return `${lines.map((line) => line.replace(/^[> ] +\d+ \| ?/, "")).join("\n")}\n`;
}

test.each(all)("$kind in $language and $locale: the unit fits the code", async (row) => {
  const { kind, language, locale } = row;
  const shown = workedExample(makers[kind], language, locale);
  const before = codeOf(shown.example);
  const unit = { search: `${shown.exampleSearch}\n`, replace: `${shown.exampleReplace}\n` };
  const applied = applyUnits(before, [unit]);
  const after = applied.ok ? applied.text : "";
  const was = await parser.analyze(before, language, shown.examplePath);
  const is = await parser.analyze(after, language, shown.examplePath);
  expect([was.language, was.problems, is.problems]).toEqual([language, [], []]);
  expect(isSameCode(bareCode(was), bareCode(is))).toBe(kind === "docstring");
  expect(shown.exampleSearch).toMatch(kind === "docstring" ? /^/m : /^\s+\S/);
  expect(languageOf(shown.examplePath)).toBe(language);
  expect(linesOf(before)[Number(shown.exampleLine) - 1]).toBeDefined();
});

test("a doc comment of an example is read as one of its function", async () => {
  for (const language of languages) {
    const shown = workedExample(makers.docstring, language, "en");
    const text = codeOf(shown.example).replace(shown.exampleSearch, () => shown.exampleReplace);
    const { symbols } = await parser.analyze(text, language, shown.examplePath);
    const holders = symbols.flatMap((symbol) => [symbol, ...symbol.children]);
    expect(holders.some(({ docComment }) => docComment !== undefined)).toBe(true);
  }
});

test("ids of editors find the sample of their language, and unknown ones that of JavaScript", () => {
  const pathOf = (language: string) => workedExample(makers.fix, language, "en").examplePath;
  expect(pathOf("typescriptreact")).toBe("lib/totals.ts");
  expect(pathOf("Python")).toBe("lib/totals.py");
  expect([pathOf("kotlin"), pathOf(""), pathOf("constructor")]).toEqual(
    Array(3).fill("lib/totals.js"),
  );
});
