import { describe, expect, test } from "vitest";
import { applyUnits } from "../../src/edit/apply-units.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

describe.each([
  ["line feeds", "\n"],
  ["carriage returns", "\r\n"],
])("in a file with %s", (_, end) => {
  const file = (text: string) => text.replaceAll("\n", end);

  test("the final line end stays where the last line is changed", () => {
    expect(apply(file("a\nb\n"), "b\n", "x\n")).toBe(file("a\nx\n"));
  });

  test("the lack of a final line end stays where the last line is changed", () => {
    expect(apply(file("a\nb"), "b\n", "x\n")).toBe(file("a\nx"));
  });

  test("the lack of a final line end stays where another line is changed", () => {
    expect(apply(file("a\nb"), "a\n", "x\n")).toBe(file("x\nb"));
  });

  test("the lack of a final line end stays where the last line is deleted", () => {
    expect(apply(file("a\nb\nc"), "c\n", "")).toBe(file("a\nb"));
    expect(apply(file("a\nb\nc"), "b\nc\n", "b\n")).toBe(file("a\nb"));
  });

  test("the lack of a final line end stays where lines are added after the last", () => {
    expect(apply(file("a\nb"), "b\n", "b\nx\ny\n")).toBe(file("a\nb\nx\ny"));
  });

  test("the only line without a line end is deleted", () => {
    expect(apply("a", "a\n", "")).toBe("");
  });

  test("the final line end stays where the last line is deleted", () => {
    expect(apply(file("a\nb\n"), "b\n", "")).toBe(file("a\n"));
  });

  test("new lines get the line ends of the file", () => {
    expect(apply(file("a\nb\n"), "a\nb\n", "a\nx\ny\nb\n")).toBe(file("a\nx\ny\nb\n"));
  });

  test("blank lines at the end of the file stay", () => {
    expect(apply(file("a\n\n\n"), "a\n", "x\n")).toBe(file("x\n\n\n"));
  });

  test("a byte-order mark stays before a first line that is changed", () => {
    expect(apply(file("\uFEFFa\nb\n"), "a\n", "x\n")).toBe(file("\uFEFFx\nb\n"));
  });

  test("a byte-order mark stays before lines that are added above the first", () => {
    expect(apply(file("\uFEFFa\nb\n"), "a\n", "x\na\n")).toBe(file("\uFEFFx\na\nb\n"));
  });

  test("a byte-order mark stays where all lines are deleted", () => {
    expect(apply(file("\uFEFFa\nb\n"), "a\nb\n", "")).toBe("\uFEFF");
  });

  test("a byte-order mark that SEARCH and REPLACE hold as well stands once", () => {
    expect(apply(file("\uFEFFa\nb\n"), "\uFEFFa\n", "\uFEFFx\n")).toBe(file("\uFEFFx\nb\n"));
  });

  test("blank lines alone are found", () => {
    expect(apply(file("a\n\n\nb\n"), "\n\n", "\n")).toBe(file("a\n\nb\n"));
  });

  test("an exact place wins over one with blanks at the line ends", () => {
    expect(apply(file("a \n-\na\n"), "a\n", "x\n")).toBe(file("a \n-\nx\n"));
  });
});

describe("mixed line ends", () => {
  test("new lines get the line end that most lines have", () => {
    expect(apply("a\r\nb\nc\n", "a\n", "x\ny\n")).toBe("x\ny\nb\nc\n");
    expect(apply("a\nb\r\nc\r\n", "a\n", "x\ny\n")).toBe("x\r\ny\r\nb\r\nc\r\n");
  });

  test("every kept line keeps its own", () => {
    expect(apply("a\r\nb\nc\r\nd\n", "a\nb\nc\nd\n", "a\nb\nnew\nc\nd\n")).toBe(
      "a\r\nb\nnew\nc\r\nd\n",
    );
  });

  test("a carriage return inside a line is part of the line", () => {
    expect(apply("a\rb\nc\n", "c\n", "x\n")).toBe("a\rb\nx\n");
    expect(apply("a\rb\nc\n", "a\n", "x\n")).not.toBe("x\nb\nc\n");
  });

  test("a carriage return that ends a last line without a line feed stays", () => {
    expect(apply("a\nb\r", "a\n", "x\n")).toBe("x\nb\r");
  });
});

describe("blank lines drift", () => {
  test("blank lines of the file that SEARCH and REPLACE leave out stay", () => {
    expect(apply(lines("a", "", "b", "", "c"), "a\nb\nc\n", "a\nb\nx\n")).toBe(
      lines("a", "", "b", "", "x"),
    );
  });

  test("a blank line that REPLACE puts where the file has one does not stand twice", () => {
    expect(apply(lines("a", "", "b"), "a\nb\n", "a\n\nx\nb\n")).toBe(lines("a", "", "x", "b"));
  });

  test("a blank line that REPLACE adds between lines that stay is added", () => {
    expect(apply(lines("a", "b", "", "c"), "a\nb\nc\n", "a\n\nb\nc\n")).toBe(
      lines("a", "", "b", "", "c"),
    );
  });

  test("blank lines of SEARCH around its lines need not stand in the file", () => {
    expect(apply(lines("a", "b", "c"), "\nb\n\n", "\nx\n\n")).toBe(lines("a", "x", "c"));
  });

  test("blank lines at the end of SEARCH that REPLACE lacks are deleted with the lines", () => {
    expect(apply(lines("a", "b", "", "c"), "b\n\n", "")).toBe(lines("a", "c"));
  });

  test("blank lines go with the lines around them", () => {
    expect(apply(lines("a", "b", "", "c", "d"), "a\nb\nc\nd\n", "a\nd\n")).toBe(lines("a", "d"));
  });

  test("a blank line with blanks on it is a blank line", () => {
    expect(apply(lines("  a", "  ", "  b"), "  a\n\n  b\n", "  a\n\n  x\n")).toBe(
      lines("  a", "  ", "  x"),
    );
  });
});
