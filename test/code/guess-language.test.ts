import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guessLanguage } from "../../src/code/guess-language.ts";
import { languageOf } from "../../src/turn/context/language.ts";

const files = globSync("eval-cases/{code,defects}/*").toSorted();

test("there is code to guess the language of", () => {
  expect(files.length).toBeGreaterThan(15);
});

test.each(files)("the language of %s is guessed without its name", (path) => {
  const guessed = guessLanguage(readFileSync(path, "utf8"));
  const own = languageOf(path);
  // A dialect with nothing of its own in it reads as what it is a dialect of.
  const family = [
    ["javascript", "typescript", "typescriptreact"],
    ["c", "cpp"],
  ].find((one) => one.includes(own)) ?? [own];
  expect(family).toContain(guessed);
});

test.each(["", "   \n", "The price is too high.", "您好"])(
  "%j is no code of any language",
  (text) => {
    expect(guessLanguage(text)).toBe("");
  },
);

test("a hostile text takes no longer than any other", () => {
  for (const piece of ["select ", "def a(", "function ", " ", "<", "public a<", "$a "])
    expect(typeof guessLanguage(piece.repeat(100_000 / piece.length))).toBe("string");
});

test.each([
  ["python", "import os\nfor line in lines:\n"],
  ["ruby", "def total\n  1\nend\n"],
])("blanks and CR at the ends of lines do not change that code is %s", (language, code) => {
  expect(guessLanguage(code)).toBe(language);
  expect(guessLanguage(code.replaceAll("\n", " \t \r\n"))).toBe(language);
});

test("a megabyte of blanks behind a word changes nothing", () => {
  const blanks = " \t".repeat(524_288);
  expect(guessLanguage(`end${blanks}`)).toBe("ruby");
  expect(guessLanguage(`the end${blanks}\n`)).toBe("");
});
