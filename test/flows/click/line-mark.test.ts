import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addMark,
  printLineMark,
  readLineMark,
  withoutMark,
} from "../../../src/flows/click/line-mark.ts";

const lines = fc
  .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 1, max: 9_999_999 }))
  .map(([startLine, endLine]) => ({ startLine, endLine }));
const name = fc.option(
  fc.oneof(fc.string({ maxLength: 250 }), fc.string({ unit: "grapheme", maxLength: 50 })),
  { nil: undefined },
);
const words = fc.constantFrom(
  "Explain",
  "`total`.",
  "解释",
  "[lines 3-9]",
  "[a, lines 1-2]",
  "x".repeat(1_200),
);
const prompt = fc
  .array(fc.array(words, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map((text) => text.map((line) => line.join(" ")).join("\n"));

test("a mark that was printed is read back: its lines always, its name where it can stand in one", () => {
  fc.assert(
    fc.property(lines, name, (range, symbol) => {
      const mark = printLineMark(range, symbol);
      const read = readLineMark(mark);
      expect(read).toMatchObject({ text: mark, lines: range });
      const isPlain = mark !== printLineMark(range);
      expect(read?.name).toBe(isPlain ? symbol : undefined);
    }),
    { numRuns: 2_000 },
  );
});

test.each(["total", "operator ==", "总计", "a".repeat(200)])(
  "the name %s stands in a mark",
  (symbol) => {
    expect(readLineMark(printLineMark({ startLine: 1, endLine: 2 }, symbol))?.name).toBe(symbol);
  },
);

test("a mark that was added to a prompt is read back, and the prompt is what it was", () => {
  fc.assert(
    fc.property(prompt, lines, name, (text, range, symbol) => {
      const mark = printLineMark(range, symbol);
      fc.pre(!text.split("\n").includes(mark));
      const marked = addMark(text, mark);
      const read = readLineMark(marked);
      expect(read).toMatchObject({ text: mark, lines: range });
      if (read !== undefined) expect(withoutMark(marked, read)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test("a first line that is long has the mark on a line of its own before it", () => {
  const long = "x".repeat(1_000);
  expect(addMark(`${long}\nmore`, "[lines 1-2]")).toBe(`[lines 1-2]\n${long}\nmore`);
});

test("marks that a client repeats on further lines go with the first", () => {
  const marked = "[lines 1-2]\nhappy path: adds\n[lines 1-2]\nedge case: null";
  const mark = readLineMark(marked);
  expect(mark && withoutMark(marked, mark)).toBe("happy path: adds\nedge case: null");
});
