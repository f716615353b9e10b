import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeperThan } from "../../src/wire/json-depth.ts";

/** Strings of what a scanner may take for structure. */
const tricky = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", "a", "\n") });
const json = fc.anything({
  key: tricky,
  values: [tricky, fc.integer(), fc.boolean(), fc.constant(null)],
  maxDepth: 5,
});

/** What the scanner must agree with. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("the scan finds the depth that a recursive count finds", () => {
  fc.assert(
    fc.property(json, fc.nat({ max: 7 }), fc.constantFrom(0, 2), (value, limit, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(isDeeperThan(text, limit)).toBe(depthOf(JSON.parse(text)) > limit);
    }),
  );
});

test("brackets inside of strings are no depth, whatever is escaped there", () => {
  expect(isDeeperThan('["\\"[[[[", "\\\\", [1]]', 2)).toBe(false);
  expect(isDeeperThan('["\\"[[[[", "\\\\", [1]]', 1)).toBe(true);
});

test("100,000 levels, and a million escaped quotes, are answered without delay", () => {
  const levels = 100_000;
  const deep = "[".repeat(levels) + "]".repeat(levels);
  const quotes = `["${'\\"'.repeat(1_000_000)}",["${"\\\\".repeat(1_000_000)}"]]`;
  const started = performance.now();
  expect(isDeeperThan(deep, levels)).toBe(false);
  expect(isDeeperThan(deep, levels - 1)).toBe(true);
  expect(isDeeperThan(deep, 64)).toBe(true);
  expect(isDeeperThan(quotes, 2)).toBe(false);
  expect(isDeeperThan(quotes, 1)).toBe(true);
  expect(performance.now() - started).toBeLessThan(1_000);
});

test("text that is no JSON gets an answer", () => {
  for (const text of ["", '"', '"\\', "]]]][", '{"a', "\\"]) {
    expect(isDeeperThan(text, 3)).toBe(false);
  }
});
