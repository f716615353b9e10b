import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileIndex } from "../../../src/edit/find/file-index.ts";

const allLines = (index: FileIndex) =>
  Array.from({ length: index.lineCount }, (_, nth) => index.line(nth));
const piece = fc.constantFrom("a", "b b", "\n", "\r\n", "\r", "\uFEFF", " ", "\t", "“", "\u2028");
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\nb", ["a", "b"]],
  ["a\r\nb\r\n", ["a", "b"]],
  ["a\rb\nc", ["a\rb", "c"]],
  ["a\r", ["a\r"]],
  ["\n\n", ["", ""]],
  ["\r\n", [""]],
  ["\uFEFFa\n", ["a"]],
  ["\uFEFF", []],
  ["\uFEFF\n", [""]],
  ["a\u2028b\n", ["a\u2028b"]],
])("%j has the lines %j", (whole, lines) => {
  expect(allLines(new FileIndex(whole))).toEqual(lines);
});

test("lines and line ends, put together again, are the text", () => {
  fc.assert(
    fc.property(text, (whole) => {
      const index = new FileIndex(whole);
      const mark = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
      const parts = allLines(index).map((line, nth) => line + index.lineEnd(nth));
      expect(mark + parts.join("")).toBe(whole);
    }),
  );
});

test("only the last line lacks a line end, if any does", () => {
  fc.assert(
    fc.property(text, (whole) => {
      const index = new FileIndex(whole);
      for (let line = 0; line < index.lineCount - 1; line += 1) {
        expect(index.lineEnd(line)).toMatch(/^\r?\n$/);
      }
    }),
  );
});

test("the line that holds an offset is found", () => {
  const index = new FileIndex("ab\r\n\ncd");
  expect([0, 1, 2, 3, 4, 5, 6].map((offset) => index.lineOf(offset))).toEqual([
    0, 0, 0, 0, 1, 2, 2,
  ]);
});

describe("solid lines", () => {
  const index = new FileIndex("a\n\n  \nb\n\u00a0\na\n");

  test("are those with something to see", () => {
    expect(index.solidLines).toEqual([0, 3, 5]);
  });

  test("above a line are counted", () => {
    expect([0, 1, 3, 4, 5, 6].map((line) => index.solidBefore(line))).toEqual([0, 1, 1, 2, 2, 3]);
  });

  test("that look alike have one form, and its places come in order", () => {
    const form = index.formOf("a");
    expect(index.placesOf(form)).toEqual([0, 2]);
    expect(index.forms[1]).not.toBe(form);
  });

  test("of no form have no place", () => {
    expect(index.formOf("nothing")).toBe(-1);
    expect(index.placesOf(-1)).toEqual([]);
  });
});

describe("the form of a line", () => {
  const index = new FileIndex('it\'s a - "b"\n');

  test.each([
    '  it\'s a - "b"  ',
    "it’s a – “b”",
    'it\'s\ta  -\u00a0"b"',
    "it‘s a — „b”".replace("„", "“"),
    'it\'s a \u2212 "b"',
    '\u200bit\'s a - "b"\uFEFF',
    'it\'s\u3000a\u2003-\u202f"b"',
  ])("%j looks like it", (line) => {
    expect(index.formOf(line)).toBe(0);
  });

  test.each(['its a - "b"', 'it\'s a -"b"', 'It\'s a - "b"', 'it\'s a - "b".', "", 'it`s a - "b"'])(
    "%j does not look like it",
    (line) => {
      expect(index.formOf(line)).toBe(-1);
    },
  );
});
