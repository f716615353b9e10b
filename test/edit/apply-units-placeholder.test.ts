// A placeholder is never written: it stands for lines of SEARCH, for nothing, or the unit is refused.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit/apply-code-edit.ts";
import { applyLineEdits } from "../../src/edit/apply-line-edits.ts";
import { applyUnits } from "../../src/edit/edit-session.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const marks = [
  "// ... existing code ...",
  "// ... snip ...",
  "// (unchanged)",
  "// rest of the code remains the same",
  "[... existing code ...]",
  "# 其余代码保持不变",
  "// ...（其余代码不变）",
  "/* ... */",
  "<!-- ... -->",
  "其余代码保持不变",
  "// rest of the function...",
  "/*\n * ... existing code ...\n */",
];

describe("whatever file and unit", () => {
  const word = fc.constantFrom("a();", "b();", "c();", "if (x) {", "}", "", "  d();", "...rest,");
  const place = fc.nat({ max: 12 });
  test("no placeholder of REPLACE is in the text, and no line that SEARCH quotes is lost for one", () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 10 }),
        fc.tuple(place, place),
        fc.array(word, { maxLength: 4 }),
        fc.tuple(place, place),
        fc.constantFrom(...marks),
        fc.constantFrom("", "  "),
        (file, [from, size], added, [at, cut], mark, indent) => {
          const start = from % file.length;
          const search: string[] = file.slice(start, start + 1 + size);
          const replace = search.toSpliced(at % (search.length + 1), cut % 3, mark);
          replace.splice(cut % (replace.length + 1), 0, ...added);
          const shift = (all: string[]) => lines(...all.map((line) => indent + line));
          const result = applyUnits(lines(...file), [
            { search: shift(search), replace: shift(replace) },
          ]);
          if (!result.ok) return;
          for (const part of mark.split("\n")) expect(result.text).not.toContain(part);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

const file = lines("begin {", "  one();", "  two();", "  three();", "}", "more();");
const body = lines("begin {", "  one();", "  two();", "  three();", "}");

describe("a placeholder in REPLACE alone", () => {
  test.each(marks)("%j is filled where the lines around it tell what it stands for", (mark) => {
    expect(apply(file, body, lines("begin {", "  zero();", "  one();", mark, "}"))).toBe(
      file.replace("  one();", "  zero();\n  one();"),
    );
  });

  test.each(marks)("%j is refused where quoted lines would be lost", (mark) => {
    expect(apply(file, body, lines("start {", mark, "}"))).toBe("refused: elision");
  });

  test.each(marks)("%j is left out at the end where no line would be lost", (mark) => {
    expect(apply(file, lines("more();"), lines("more();", "evenMore();", "", mark))).toBe(
      `${file}evenMore();\n`,
    );
  });

  test("is left out at the start where no line would be lost", () => {
    expect(
      apply(file, lines("more();"), lines("// ... existing code ...", "less();", "more();")),
    ).toBe(file.replace("more();", "less();\nmore();"));
  });

  test("that stands for nothing goes with the blank lines that set it apart", () => {
    const before = lines("a();", "", "b();", "", "c();");
    const mark = "// ... existing code ...";
    expect(apply(before, lines("b();"), lines(mark, "", "b();", "", "x();"))).toBe(
      before.replace("b();", "b();\n\nx();"),
    );
    expect(
      apply(before, lines("a();", "", "b();"), lines("a();", "", mark, "", "b();", "x();")),
    ).toBe(before.replace("b();", "b();\nx();"));
    expect(apply(before, lines("c();"), lines("c();", "x();", "", mark))).toBe(`${before}x();\n`);
  });

  test("is refused before new lines that close what it opened", () => {
    const replace = lines("begin {", "  zero();", "  // ... existing code ...", "}");
    expect(apply(file, lines("begin {"), replace)).toBe("refused: elision");
  });

  test("inside a line of code is refused where quoted lines would be lost", () => {
    expect(apply(file, body, lines("begin { /* ... existing code ... */ }"))).toBe(
      "refused: elision",
    );
    expect(apply(file, body, lines("begin { ... }"))).toBe("refused: elision");
  });

  test("is not written into a whole file", () => {
    expect(apply(file, "", lines("begin {", "  // ... existing code ...", "}"))).toBe(
      "refused: elision",
    );
  });

  test("that the file holds itself is text of a whole file", () => {
    const docs = lines("Write `// ...`:", "// ... existing code ...", "and so on");
    expect(apply(docs, "", docs.replace("and", "And"))).toBe(docs.replace("and", "And"));
  });
});

describe("a usual comment that may stand for code", () => {
  test("is text where no quoted line would be lost", () => {
    expect(apply(file, lines("more();"), lines("// other methods", "more();"))).toBe(
      file.replace("more();", "// other methods\nmore();"),
    );
  });

  test("is refused or filled where quoted lines would be lost", () => {
    expect(apply(file, body, lines("start {", "  // unchanged", "}"))).toBe("refused: elision");
    expect(apply(file, body, lines("begin {", "  // unchanged", "}", "new();"))).toBe(
      file.replace("more", "new();\nmore"),
    );
  });
});

describe("code with dots", () => {
  test.each([
    "...rest",
    "...other,",
    "...args",
    "...previous",
    "  ...existing,",
    "Ellipsis",
    '"x ...",',
  ])("%j is written, also in place of a quoted line", (line) => {
    expect(apply(file, lines("  two();"), lines(line))).toBe(file.replace("  two();", line));
    expect(apply(file, lines("  two();"), lines("  two();", line))).toBe(
      file.replace("  two();", `  two();\n${line}`),
    );
  });

  test("is the whole body of a Python block, also in place of another body", () => {
    const before = lines("class A:", "    def f(self):", "        return 1", "", "x = 1");
    const search = lines("    def f(self):", "        return 1");
    expect(apply(before, search, lines("    def f(self):", "        ..."))).toBe(
      before.replace("return 1", "..."),
    );
  });

  test("stands for quoted lines where they would be lost beside it", () => {
    const before = lines("def f():", "    a()", "    b()", "    return 1");
    expect(apply(before, before, lines("def f():", "    a()", "    ...", "    return 2"))).toBe(
      "refused: elision",
    );
    expect(apply(before, before, lines("def f(): # x", "    a()", "    ...", "    return 1"))).toBe(
      before.replace("():", "(): # x"),
    );
  });

  test("is written where nothing would be lost", () => {
    const before = lines("int printf(", "  const char *format", ");");
    const search = lines("  const char *format");
    expect(apply(before, search, lines("  const char *format", "  ..."))).toBe(
      lines("int printf(", "  const char *format", "  ...", ");"),
    );
  });
});

describe("a code edit", () => {
  const edit = (...all: string[]): string => {
    const result = applyCodeEdit(file, lines(...all));
    return result.ok ? result.text : `refused: ${result.error.code}`;
  };

  test.each(marks)("takes %j for a mark", (mark) => {
    expect(edit(mark, "  one();", "  new();", "  two();", mark)).toBe(
      file.replace("  two();", "  new();\n  two();"),
    );
  });

  test("with a usual comment that may be a mark is refused", () => {
    expect(edit("// ...", "  one();", "  // unchanged", "  two();", "// ...")).toBe(
      "refused: elision",
    );
  });

  test("with code left out inside a line is refused", () => {
    expect(edit("// ...", "begin { ... }", "more();")).toBe("refused: elision");
  });
});

test("a line edit with a placeholder is refused", () => {
  const edit = { start_line: 2, end_line: 3, replacement: "  zero();\n  // ... existing code ..." };
  expect(applyLineEdits(file, [edit])).toMatchObject({ ok: false, error: { code: "elision" } });
});
