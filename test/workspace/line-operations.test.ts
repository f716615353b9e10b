import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  editLines,
  insertLines,
  type LineChange,
  removeLines,
  replaceLines,
} from "../../src/workspace/line-operations.ts";

const file = (text: string) => ({ path: "a.txt", text, hash: "1" });
const after = (made: LineChange): string | undefined =>
  made.ok ? made.change.after : made.error.code;

test("lines are inserted before a line, and behind the last one", () => {
  expect(after(insertLines("a.txt", file("1\n2\n"), 1, "0"))).toBe("0\n1\n2\n");
  expect(after(insertLines("a.txt", file("1\n2\n"), 2, "x\ny\n"))).toBe("1\nx\ny\n2\n");
  expect(after(insertLines("a.txt", file("1\n2\n"), 3, "3"))).toBe("1\n2\n3\n");
  expect(after(insertLines("a.txt", file("1\n2"), 3, "3\n"))).toBe("1\n2\n3");
  expect(after(insertLines("a.txt", file("1\r\n2\r\n"), 2, "x\n"))).toBe("1\r\nx\r\n2\r\n");
  expect(after(insertLines("a.txt", file("1\n2\n"), 4, "x"))).toBe("line-range");
  expect(after(insertLines("a.txt", file("1\n2\n"), 0, "x"))).toBe("line-range");
});

test("a file that is not there, or empty, is filled", () => {
  expect(after(insertLines("a.txt", undefined, 1, "x\n"))).toBe("x\n");
  expect(after(insertLines("a.txt", file(""), 1, "x\n"))).toBe("x\n");
});

test("lines are removed: a range, to the end, or all", () => {
  expect(after(removeLines("a.txt", file("1\n2\n3\n"), { startLine: 2, endLine: 2 }))).toBe(
    "1\n3\n",
  );
  expect(after(removeLines("a.txt", file("1\n2\n3\n"), { startLine: 2 }))).toBe("1\n");
  expect(after(removeLines("a.txt", file("1\n2\n3\n"), {}))).toBe("");
  expect(after(removeLines("a.txt", file("1\n"), { startLine: 2, endLine: 1 }))).toBe("line-range");
});

test("lines are replaced, by their numbers before, and the hash goes along", () => {
  const made = replaceLines("a.txt", file("1\n2\n3\n"), 2, 3, "x");
  const before = { text: "1\n2\n3\n", hash: "1" };
  expect(made).toEqual({ ok: true, change: { path: "a.txt", before, after: "1\nx\n" } });
  const edits = [
    { start_line: 3, end_line: 3, replacement: "c" },
    { start_line: 1, end_line: 1, replacement: "a\nb" },
  ];
  expect(after(editLines("a.txt", file("1\n2\n3\n"), edits))).toBe("a\nb\n2\nc\n");
});

test("what is inserted can be removed again by its numbers", () => {
  const line = fc.stringMatching(/^[a-c ]{0,3}$/);
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.nat(5),
      (lines, added, place) => {
        const text = lines.map((one) => `${one}\n`).join("");
        const at = Math.min(place, lines.length) + 1;
        const made = insertLines("a.txt", file(text), at, added.map((one) => `${one}\n`).join(""));
        const grown = after(made) ?? "";
        const range = { startLine: at, endLine: at + added.length - 1 };
        expect(after(removeLines("a.txt", file(grown), range))).toBe(text);
      },
    ),
  );
});
