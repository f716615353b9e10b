import { expect, test } from "vitest";
import { codeLanguageOf } from "../../src/code/language-of.ts";
import { languages } from "../../src/code/languages.ts";
import { createHostileFile } from "./hostile-files.ts";
import { seededRandom } from "./seeded-random.ts";

test("hostile files come in all languages that have a grammar, and are of bounded length", () => {
  const random = seededRandom(1);
  const files = Array.from({ length: 300 }, () => createHostileFile(random));
  const found = new Set(files.map(({ language, path }) => codeLanguageOf(language, path)));
  expect(found).toEqual(new Set(languages.map(({ language }) => language)));
  expect(Math.max(...files.map(({ text }) => text.length))).toBeLessThanOrEqual(300_010);
  for (const { language, path } of files)
    expect(codeLanguageOf(undefined, path)).toBe(codeLanguageOf(language, undefined));
});

test("the same numbers make the same file", () => {
  const make = () => createHostileFile(seededRandom(7));
  expect(make()).toEqual(make());
});
