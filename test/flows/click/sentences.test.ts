import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  printBlockSentence,
  printPlaceSentence,
  readPrompt,
} from "../../../src/flows/click/sentences.ts";

const sentenceIn = (line: string) => readPrompt(line)?.sentence;

const placeKind = fc.constantFrom(
  ...(["explain", "fix", "optimize", "docstring"] as const),
  ...(["cases", "more-cases", "tests", "place"] as const),
);
const blockKind = fc.constantFrom(
  ...(["whole-file", "apply-at", "apply-option", "explain-change", "explain-passage"] as const),
);
const locale = fc.constantFrom("en" as const, "zh" as const);
const lines = fc
  .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.nat({ max: 500 }))
  .map(([startLine, more]) => ({ startLine, endLine: Math.min(9_999_999, startLine + more) }));
const names = [
  "total",
  "Cart.total",
  "operator ==",
  "[]=",
  "总计",
  "a, b",
  "Foo<Bar, Baz>",
  "~Cart",
];
const name = fc.oneof(
  fc.constantFrom(...names),
  fc.string({ maxLength: 250 }),
  fc.string({ unit: "grapheme", maxLength: 50 }),
);

test("a sentence with a place is read back: its lines always, its name where it can be said in one line", () => {
  fc.assert(
    fc.property(placeKind, lines, name, locale, (kind, range, symbol, language) => {
      const sentence = printPlaceSentence(kind, { ...range, name: symbol }, language);
      const isNamed = sentence !== printPlaceSentence(kind, range, language);
      const place = isNamed ? { ...range, name: symbol } : range;
      expect(sentenceIn(sentence)).toEqual({ kind, place });
    }),
    { numRuns: 3_000 },
  );
});

test.each(names)("the name %s can be said", (symbol) => {
  const place = { startLine: 3, endLine: 9, name: symbol };
  for (const language of ["en", "zh"] as const) {
    const sentence = printPlaceSentence("explain", place, language);
    expect(sentenceIn(sentence)).toEqual({ kind: "explain", place });
  }
});

test("every sentence about a block is read back", () => {
  fc.assert(
    fc.property(blockKind, fc.string(), locale, (kind, words, language) => {
      const hasWords = kind !== "whole-file" && kind !== "explain-change";
      const sentence = printBlockSentence(kind, language, hasWords ? `x${words}` : "");
      expect(sentence).not.toMatch(/[\r\n[\]`]/);
      expect(sentenceIn(sentence)).toMatchObject({ kind });
    }),
  );
});

test.each([
  "Explain total",
  "Explain this",
  "Explain why lines 3-9 fail",
  "Please explain lines 3-9",
  "Explain total, lines 3-9.",
  "lines 3-9 are wrong",
  "Fix",
  "解释 total",
  "x".repeat(10_000),
])("%s is none of our sentences", (line) => {
  expect(sentenceIn(line)).toBeUndefined();
});

const words =
  "Explain Fix total, total this the whole file lines 3-9? 解释 Show change Apply 第三行 `total` [x] 12 line";
const word = fc.constantFrom("Write tests for", ...words.split(" "));

test("what a person asks is none of our sentences, unless it names lines at its end", () => {
  const asked = fc.array(word, { maxLength: 8 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(asked, (line) => {
      fc.pre(!/lines? \d+$/.test(line) && line !== "Show the whole file with this change");
      expect(sentenceIn(line)).toBeUndefined();
    }),
    { numRuns: 3_000 },
  );
});
