import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CountedWords,
  countWords,
  matchTexts,
} from "../../../../src/flows/loop/context/map-focus.ts";

const stems = new Map([
  ["round", 1],
  ["total", 1],
  ["part", 0.4],
]);

function count(text: string): CountedWords {
  return countWords(text, new Set(stems.keys()));
}

function match(texts: Record<string, string>): Map<string, { score: number; stem: string }> {
  const counted = new Map(Object.entries(texts).map(([path, text]) => [path, count(text)]));
  return matchTexts(counted, stems);
}

test("parts of names are words, in any form", () => {
  const { counts, length } = count("roundTotals(TOTAL_ROUNDED); // rounding, of 3 others");
  expect([...counts]).toEqual([
    ["round", 3],
    ["total", 2],
  ]);
  expect(length).toBe(7);
});

test("a text that has the rarer word matches better, and the best has 1", () => {
  const matches = match({ a: "total", b: "total", c: "total", d: "round", e: "nothing" });
  expect(matches.get("d")).toEqual({ score: 1, stem: "round" });
  expect(matches.get("a")?.score).toBeLessThan(1);
  expect(matches.has("e")).toBe(false);
});

test("of two texts that have a word as often the shorter matches better", () => {
  const matches = match({ long: `total ${"other ".repeat(500)}`, short: "total other" });
  expect(matches.get("short")?.score).toBe(1);
  expect(matches.get("long")?.score).toBeLessThan(1);
});

test("scores lie between 0 and 1 for any texts", () => {
  const words = fc.array(fc.constantFrom("round", "totals", "partOf", "x", "订单"), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string(),
        words.map((all) => all.join(" ")),
      ),
      (texts) => {
        const scores = Array.from(match(texts).values(), ({ score }) => score);
        for (const score of scores) expect(score).toBeGreaterThan(0);
        if (scores.length > 0) expect(Math.max(...scores)).toBe(1);
      },
    ),
  );
});
