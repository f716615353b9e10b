import { describe, expect, test } from "vitest";
import { applyLineEdits } from "../../src/edit/apply-line-edits.ts";
import type { LineEdit } from "../../src/edit/edit-unit.ts";

const file = "a\nb\nc\nd\n";
const edit = (start_line: number, end_line: number, replacement: string): LineEdit => ({
  start_line,
  end_line,
  replacement,
});

/** The text, or the message of the refusal. */
function apply(before: string | undefined, ...edits: LineEdit[]): string {
  const result = applyLineEdits(before, edits);
  return result.ok ? result.text : `${result.error.code}: ${result.error.message}`;
}

test("a line is replaced, and the level says how it was found", () => {
  expect(applyLineEdits(file, [edit(2, 3, "x")])).toEqual({
    ok: true,
    text: "a\nx\nd\n",
    units: [{ level: "line-numbers", startLine: 2, endLine: 3 }],
  });
});

test("both ends of the range are replaced", () => {
  expect(apply(file, edit(1, 4, "x"))).toBe("x\n");
  expect(apply(file, edit(1, 1, "x"))).toBe("x\nb\nc\nd\n");
  expect(apply(file, edit(4, 4, "x"))).toBe("a\nb\nc\nx\n");
});

test("a final line end of the replacement is not needed", () => {
  expect(apply(file, edit(2, 2, "x\ny"))).toBe("a\nx\ny\nc\nd\n");
  expect(apply(file, edit(2, 2, "x\ny\n"))).toBe("a\nx\ny\nc\nd\n");
});

test("a second line end of the replacement is a blank line", () => {
  expect(apply(file, edit(2, 2, "x\n\n"))).toBe("a\nx\n\nc\nd\n");
});

test("a replacement of one line end is a blank line", () => {
  expect(apply(file, edit(2, 2, "\n"))).toBe("a\n\nc\nd\n");
});

test("an empty replacement deletes", () => {
  expect(apply(file, edit(2, 3, ""))).toBe("a\nd\n");
  expect(apply(file, edit(1, 4, ""))).toBe("");
});

test("all numbers mean the text before the edit, whatever the order of the edits", () => {
  const edits = [edit(1, 1, "x\ny\nz"), edit(3, 3, ""), edit(4, 4, "w")];
  expect(apply(file, ...edits)).toBe("x\ny\nz\nb\nw\n");
  expect(apply(file, ...edits.toReversed())).toBe("x\ny\nz\nb\nw\n");
});

test("the applied ranges come in the order of the edits", () => {
  const result = applyLineEdits(file, [edit(3, 4, "x"), edit(1, 1, "y")]);
  expect(result).toMatchObject({
    units: [
      { startLine: 3, endLine: 4 },
      { startLine: 1, endLine: 1 },
    ],
  });
});

describe("appending", () => {
  test("an edit of the line after the last appends", () => {
    expect(apply(file, edit(5, 5, "x\ny"))).toBe("a\nb\nc\nd\nx\ny\n");
  });

  test("a last line without a line end gets one, and the new last line has none", () => {
    expect(apply("a\nb", edit(3, 3, "x"))).toBe("a\nb\nx");
  });

  test("line 1 of a missing or an empty file is the line after the last", () => {
    expect(apply(undefined, edit(1, 1, "x"))).toBe("x\n");
    expect(apply("", edit(1, 1, "x"))).toBe("x\n");
  });

  test("the last line can be replaced in the same edit", () => {
    expect(apply(file, edit(5, 5, "x"), edit(4, 4, "y"))).toBe("a\nb\nc\ny\nx\n");
    expect(apply("a\nb", edit(3, 3, "x"), edit(2, 2, "y"))).toBe("a\ny\nx");
  });

  test("the last line can be deleted in the same edit", () => {
    expect(apply(file, edit(4, 4, ""), edit(5, 5, "x"))).toBe("a\nb\nc\nx\n");
    expect(apply("a\nb", edit(2, 2, ""), edit(3, 3, "x"))).toBe("a\nx");
  });

  test("two edits of the line after the last are refused", () => {
    expect(apply(file, edit(5, 5, "x"), edit(5, 5, "y"))).toMatch(/^overlap: /);
  });
});

describe("the style of the file", () => {
  test("new lines get the line ends of the file, also where the replacement has others", () => {
    expect(apply("a\r\nb\r\n", edit(1, 1, "x\ny"))).toBe("x\r\ny\r\nb\r\n");
    expect(apply("a\nb\n", edit(1, 1, "x\r\ny\r\n"))).toBe("x\ny\nb\n");
  });

  test("a byte-order mark stays and counts as no line", () => {
    expect(apply("\uFEFFa\nb\n", edit(1, 1, "x"))).toBe("\uFEFFx\nb\n");
    expect(apply("\uFEFF", edit(1, 1, "x"))).toBe("\uFEFFx\n");
  });

  test("the lack of a final line end stays", () => {
    expect(apply("a\nb", edit(2, 2, "x\n"))).toBe("a\nx");
    expect(apply("a\nb", edit(2, 2, ""))).toBe("a");
    expect(apply("a\nb", edit(1, 2, ""))).toBe("");
  });

  test("a final line end begins no line", () => {
    expect(apply("a\n", edit(2, 2, "x"))).toBe("a\nx\n");
    expect(apply("a\n", edit(3, 3, "x"))).toMatch(/^line-range: /);
  });
});

describe("refused", () => {
  test("edits that share a line", () => {
    expect(apply(file, edit(1, 2, "x"), edit(2, 3, "y"))).toMatch(/^overlap: .*line 2\.$/);
    expect(apply(file, edit(2, 2, "x"), edit(1, 4, "y"))).toMatch(/^overlap: .*line 2\.$/);
    expect(apply(file, edit(1, 3, "x"), edit(2, 4, "y"))).toMatch(/^overlap: .*lines 2 to 3\.$/);
    expect(apply(file, edit(2, 2, "x"), edit(2, 2, "x"))).toMatch(/^overlap: /);
  });

  test.each([
    [0, 1, "Line edit 1: line 0 does not exist; the file has 4 lines."],
    [-1, 1, "Line edit 1: line -1 does not exist; the file has 4 lines."],
    [3, 2, "Line edit 1: its end, line 2, comes before its start, line 3; the file has 4 lines."],
    [1, 5, "Line edit 1: line 5 does not exist; the file has 4 lines."],
    [6, 6, "Line edit 1: line 6 does not exist; the file has 4 lines."],
    [5, 6, "Line edit 1: line 6 does not exist; the file has 4 lines."],
    [1.5, 2, "Line edit 1: its lines are not whole numbers; the file has 4 lines."],
    [1, Number.NaN, "Line edit 1: its lines are not whole numbers; the file has 4 lines."],
    [1, Infinity, "Line edit 1: its lines are not whole numbers; the file has 4 lines."],
  ])("lines %d to %d", (start, end, message) => {
    expect(apply(file, edit(start, end, "x"))).toBe(`line-range: ${message}`);
  });

  test("all edits, if one of them is", () => {
    const result = applyLineEdits(file, [edit(1, 1, "x"), edit(9, 9, "y")]);
    expect(result).toMatchObject({ ok: false, error: { code: "line-range", unit: 2 } });
  });

  test("edits that change nothing", () => {
    expect(apply(file, edit(1, 2, "a\nb"))).toMatch(/^no-change: /);
    expect(apply(file, edit(5, 5, ""))).toMatch(/^no-change: /);
  });
});
