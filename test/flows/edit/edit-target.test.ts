import { expect, test } from "vitest";
import {
  type EditTarget,
  isOfTarget,
  sentPart,
  targetOf,
} from "../../../src/flows/place/edit-target.ts";

const at = (path: string): EditTarget => ({ path, language: "", text: "", linesAbove: 0 });

test.each([
  ["src/a.ts", "src/a.ts", true],
  ["a.ts", "src/a.ts", true],
  ["./src/a.ts", "src/a.ts", true],
  ["src\\a.ts", "src/a.ts", true],
  ["shop/src/a.ts", "src/a.ts", true],
  ["/home/ada/a.ts", "a.ts", true],
  ["C:\\shop\\a.ts", "a.ts", true],
  ["packages/b/a.ts", "a.ts", false],
  ["src/b.ts", "src/a.ts", false],
  ["test/a.ts", "src/a.ts", false],
  ["", "src/a.ts", true],
  [undefined, "src/a.ts", true],
  ["a.ts", "", true],
])("an edit of %s for the editor's %s: %s", (named, path, isOwn) => {
  expect(isOfTarget(named, at(path))).toBe(isOwn);
});

const range = { content: "b\n", startLine: 4, startColumn: 1, endLine: 4, endColumn: 2 };

test("lines above a selection that were not sent are blank, and are no part of what was sent", () => {
  const target = targetOf({ selectedRanges: [{ ...range, contentBeforeSelection: "a\n" }] });
  expect(target).toMatchObject({ text: "\n\na\nb\n", linesAbove: 2 });
  if (target === undefined) return;
  expect(sentPart(target, "\n\na\nc\n")).toEqual({ text: "a\nc\n", startLine: 3 });
  expect(sentPart(target, "\na\nc\n")).toEqual({ text: "a\nc\n", startLine: 3 });
});

test("a line number that is out of reason is taken for the first", () => {
  const target = targetOf({ selectedRanges: [{ ...range, startLine: 900_000_000 }] });
  expect(target).toMatchObject({ text: "b\n", linesAbove: 0 });
});
