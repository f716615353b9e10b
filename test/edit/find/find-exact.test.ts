import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findExact } from "../../../src/edit/find/find-exact.ts";

/** All offsets, by the definition: at the start of a line, whole lines, the last may lack its line end. */
function offsetsOf(text: string, lines: string): number[] {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const body = text.slice(start);
  const isOpen = !body.endsWith("\n");
  const whole = isOpen ? `${body}\n` : body;
  const found: number[] = [];
  for (let at = 0; at < whole.length; at += 1) {
    const isLineStart = at === 0 || whole[at - 1] === "\n";
    if (isLineStart && whole.startsWith(lines, at)) found.push(at + start);
  }
  return found;
}

const line = fc.constantFrom("a\n", "b\n", "ab\n", "\n", "a \n", "“\n");
const text = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom("", "a", "ab", " "),
  )
  .map(([mark, lines, last]) => mark + lines.join("") + last);
const wanted = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join(""));

test("all places are found, in order, up to the limit", () => {
  fc.assert(
    fc.property(text, wanted, fc.integer({ min: 1, max: 4 }), (whole, lines, limit) => {
      fc.pre(whole !== "" && whole !== "\uFEFF");
      const { offsets, gaveUp } = findExact(whole, lines, limit);
      fc.pre(!gaveUp);
      expect(offsets).toEqual(offsetsOf(whole, lines).slice(0, limit));
    }),
    { numRuns: 500 },
  );
});

test("texts of usual size are searched to the end", () => {
  fc.assert(
    fc.property(text, wanted, (whole, lines) => {
      fc.pre(offsetsOf(whole, lines).length < 3);
      expect(findExact(whole, lines, 10).gaveUp).toBe(false);
    }),
  );
});

test("a text that repeats more than is worth comparing is given up", () => {
  const lines = `${"a\n".repeat(1000)}b\n`;
  expect(findExact("a\n".repeat(20_000), lines, 2)).toEqual({ offsets: [], gaveUp: true });
});

test("an empty text holds no line", () => {
  expect(findExact("", "a\n", 2).offsets).toEqual([]);
});

test.each([
  ["a\nb\n", "a\n", [0]],
  ["xa\na\n", "a\n", [3]],
  ["ax\na\n", "a\n", [3]],
  ["b\na", "a\n", [2]],
  ["\uFEFFa\na\n", "a\n", [1, 3]],
  ["a\n\nb\n", "\n", [2]],
  ["\na\n", "\n", [0]],
  ["a\na\na\n", "a\na\n", [0, 2]],
])("in %j %j stands at %j", (whole, lines, offsets) => {
  expect(findExact(whole, lines, 10).offsets).toEqual(offsets);
});
