import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeper, scanJson } from "../../../../src/base/text/json.ts";

/** Strings of what a scanner may take for structure. */
const tricky = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", "a", "\n") });
const json = fc.anything({
  key: tricky,
  values: [tricky, fc.integer(), fc.boolean(), fc.constant(null)],
  maxDepth: 5,
});

function isDeeperThan(text: string, maxDepth: number): boolean {
  return scanJson(text, { maxDepth, maxValues: Number.POSITIVE_INFINITY }) === "too_deep";
}

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
      expect(isDeeper(JSON.parse(text), limit)).toBe(depthOf(JSON.parse(text)) > limit);
    }),
  );
});

test("text that is no JSON gets an answer", () => {
  for (const text of ["", '"', '"\\', "]]]][", '{"a', "\\"]) {
    expect(isDeeperThan(text, 3)).toBe(false);
  }
});

/** The parser's work as the scan counts it: objects and arrays, commas, and different names. */
function workOf(value: unknown, names = new Set<string>()): number {
  const count = (item: unknown): number => {
    if (typeof item !== "object" || item === null) return 0;
    const entries = Object.entries(item);
    if (!Array.isArray(item)) for (const [name] of entries) names.add(name);
    return Math.max(1, entries.length) + entries.reduce((sum, [, inner]) => sum + count(inner), 0);
  };
  return count(value) + names.size;
}

test("the scan counts the values and the different names of fields", () => {
  fc.assert(
    fc.property(json, fc.nat({ max: 30 }), fc.constantFrom(0, 2), (value, most, indent) => {
      const text = JSON.stringify(value, null, indent);
      const found = scanJson(text, { maxDepth: 100, maxValues: most });
      expect(found).toBe(workOf(JSON.parse(text)) > most ? "too_many_values" : undefined);
    }),
  );
});

test("what follows a long string of quotes is still structure", () => {
  const limits = { maxDepth: 2, maxValues: 1_000 };
  expect(scanJson(`["${'\\"'.repeat(1_000_000)}",[[1]]]`, limits)).toBe("too_deep");
});
