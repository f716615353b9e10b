import { expect, test } from "vitest";
import { parsePlace } from "../../../../src/cli/call/collect/read-editor.ts";

const none = () => false;

test.each<[string, object]>([
  ["src/app.ts", { file: "src/app.ts" }],
  ["src/app.ts:10", { file: "src/app.ts", lines: "10" }],
  ["src/app.ts:10-20", { file: "src/app.ts", lines: "10-20" }],
  ["src/app.ts:10:5", { file: "src/app.ts", cursor: { line: 10, column: 5 } }],
  // As compilers print it in front of a message.
  ["src/app.ts:10:5:", { file: "src/app.ts", cursor: { line: 10, column: 5 } }],
  ["src/app.ts:10:5-20:8", { file: "src/app.ts", lines: "10-20" }],
  ["C:\\code\\app.ts:3", { file: "C:\\code\\app.ts", lines: "3" }],
  ["a:b:3", { file: "a:b", lines: "3" }],
  ["文件.ts:3-4", { file: "文件.ts", lines: "3-4" }],
  ["src/app.ts:x", { file: "src/app.ts:x" }],
  ["src/app.ts:", { file: "src/app.ts:" }],
  [":10", { file: ":10" }],
  ["a-1", { file: "a-1" }],
])("%s is read as a place", (text, place) => {
  expect(parsePlace(text, none)).toEqual(place);
});

test("a file whose own name ends like a place is meant as a file", () => {
  expect(parsePlace("log:10", (file) => file === "log:10")).toEqual({ file: "log:10" });
});

test("line 0 and column 0 are refused", () => {
  for (const text of ["a.ts:0", "a.ts:0-3", "a.ts:3:0"])
    expect(() => parsePlace(text, none)).toThrow(`${text}: lines and columns are counted from 1.`);
});
