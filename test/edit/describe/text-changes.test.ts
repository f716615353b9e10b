import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyTextChanges } from "../../../src/edit.ts";
import { findTextChanges } from "../../../src/edit/unified-diff.ts";

const line = fc.constantFrom("a", "b", "c", "", "\\ x", "-y", "+z", "\uFEFFd");
const text = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.flat().join(""), lines.flat().slice(0, -1).join("")));

test("changes make the new text out of the old one, with every line end", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyTextChanges(before, findTextChanges(before, after))).toBe(after);
    }),
    { numRuns: 2_000 },
  );
});

test("changes come in the order of the text and do not overlap", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      let last = 0;
      for (const { startLine, endLine } of findTextChanges(before, after)) {
        expect(startLine).toBeGreaterThan(last);
        expect(endLine).toBeGreaterThanOrEqual(startLine - 1);
        last = Math.max(last, endLine);
      }
    }),
  );
});

test("a change names the lines that go, and no others", () => {
  const before = Array.from({ length: 50 }, (_, nth) => `line ${nth + 1}\n`).join("");
  const after = before.replace("line 9\n", "nine\n9\n").replace("line 40\n", "");
  expect(findTextChanges(before, after)).toEqual([
    { startLine: 9, endLine: 9, text: "nine\n9\n" },
    { startLine: 40, endLine: 40, text: "" },
  ]);
});

test("what is added stands before the line that its empty range begins with", () => {
  expect(findTextChanges("a\nb\n", "a\nx\nb\n")).toEqual([
    { startLine: 2, endLine: 1, text: "x\n" },
  ]);
  expect(findTextChanges("", "x")).toEqual([{ startLine: 1, endLine: 0, text: "x" }]);
});

test("texts that are the same need no change", () => {
  expect(findTextChanges("a\n", "a\n")).toEqual([]);
});
