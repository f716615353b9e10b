import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../src/edit/apply-code-edit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const rest = "// ... existing code ...";

/** The text, or the code of the refusal. */
function apply(before: string | undefined, ...edit: string[]): string {
  const result = applyCodeEdit(before, lines(...edit));
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const file = lines(
  "import a;",
  "",
  "function one() {",
  "  first();",
  "  second();",
  "}",
  "",
  "function two() {",
  "  third();",
  "  fourth();",
  "}",
);

describe("a segment between marks", () => {
  test("is placed by the unchanged lines around it, and what lies between them is replaced", () => {
    const edit = lines(rest, "function one() {", "  other();", "}", rest);
    expect(applyCodeEdit(file, edit)).toEqual({
      ok: true,
      text: file.replace("  first();\n  second();\n", "  other();\n"),
      units: [{ level: "elision", startLine: 3, endLine: 6 }],
    });
  });

  test("adds lines between two unchanged ones", () => {
    expect(apply(file, rest, "  first();", "  new();", "  second();", rest)).toBe(
      file.replace("  second();", "  new();\n  second();"),
    );
  });

  test("that leaves out a line and writes nothing there is refused: the line may be left out or not", () => {
    expect(apply(file, rest, "function one() {", "  second();", "}", rest)).toBe(
      "refused: unquoted",
    );
    expect(apply(file, rest, "function one() {", "", "  second();", "}", rest)).toBe(
      "refused: unquoted",
    );
  });

  test("keeps blank lines that it leaves out", () => {
    expect(apply(file, rest, "}", "function two() {", "  x();", "  fourth();", rest)).toBe(
      file.replace("third", "x"),
    );
  });

  test("adds lines below the only unchanged line, which is its first", () => {
    expect(apply(file, rest, "import a;", "import b;", rest)).toBe(
      file.replace("import a;\n", "import a;\nimport b;\n"),
    );
  });

  test("adds lines above the only unchanged line, which is its last", () => {
    expect(apply(file, rest, "// The first.", "function one() {", rest)).toBe(
      file.replace("function one", "// The first.\nfunction one"),
    );
  });

  test("is indented like the file", () => {
    expect(
      apply(
        lines("class A {", "  f() {", "    a();", "    b();", "  }", "}"),
        rest,
        "f() {",
        "  a();",
        "  x();",
        "  b();",
        "}",
        rest,
      ),
    ).toBe(lines("class A {", "  f() {", "    a();", "    x();", "    b();", "  }", "}"));
  });

  test("keeps the bytes of its unchanged lines", () => {
    expect(apply(lines("say(“a”);  ", "b();", "c();"), 'say("a");', "x();", "c();", rest)).toBe(
      lines("say(“a”);  ", "x();", "c();"),
    );
  });

  test("brings no blank lines that only set it apart from its marks", () => {
    expect(
      apply(
        file,
        "import a;",
        "import b;",
        "",
        rest,
        "",
        "  first();",
        "  x();",
        "  second();",
        "",
        rest,
      ),
    ).toBe(
      file.replace("import a;\n", "import a;\nimport b;\n").replace("  second", "  x();\n  second"),
    );
  });

  test("brings the blank line that sets new lines apart from the file's", () => {
    expect(apply(lines("a", "b"), rest, "a", "", "new", "", rest)).toBe(
      lines("a", "", "new", "", "b"),
    );
  });

  test("without any unchanged line at its borders is refused", () => {
    expect(apply(file, rest, "new();", "newer();", rest)).toBe("refused: no-match");
  });

  test("whose only unchanged lines stand twice is refused", () => {
    expect(apply(lines("a", "b", "a", "b"), rest, "a", "x", rest)).toBe("refused: ambiguous");
  });

  test("that ends where several blocks end ends with the block that it begins", () => {
    const before = lines("f {", "  a", "}", "g {", "  b", "}", "h {", "  c", "}");
    expect(apply(before, rest, "g {", "  x", "}", rest)).toBe(before.replace("  b", "  x"));
  });

  test("that ends like a block inside of the one that it begins is refused", () => {
    const before = lines("f {", "  if x {", "    a", "  }", "}", "g {", "}");
    expect(apply(before, rest, "f {", "  y", "}", rest)).toBe("refused: ambiguous");
  });

  test("with a new line that is like the file's next line is refused: it may replace it or not", () => {
    expect(apply(file, rest, "  first();", "  secondly();", rest)).toBe("refused: no-match");
  });

  test("with a new line that is like the file's line above is refused: it may replace it or not", () => {
    expect(apply(file, rest, "import b;", "function one() {", rest)).toBe("refused: no-match");
  });
});

describe("the borders of the file", () => {
  test("a missing mark counts as there where the first or last line is found", () => {
    expect(apply(file, "function one() {", "  new();", "  first();", rest)).toBe(
      file.replace("  first", "  new();\n  first"),
    );
    expect(apply(file, rest, "  first();", "  new();", "  second();")).toBe(
      file.replace("  second", "  new();\n  second"),
    );
    expect(apply(file, "  first();", "  new();", "  second();")).toBe(
      file.replace("  second", "  new();\n  second"),
    );
  });

  test("a new line at a border without a mark is refused where lines of the file would go", () => {
    expect(apply(file, "import b;", "", "function one() {", rest)).toBe("refused: no-match");
    expect(apply(file, rest, "  third();", "  new();")).toBe("refused: no-match");
    expect(apply(file, rest, "  third();", "}")).toBe("refused: unquoted");
  });

  test("a new line at a border without a mark is added where no line of the file would go", () => {
    expect(apply(file, "// Copyright", "import a;", rest)).toBe(`// Copyright\n${file}`);
    expect(apply(file, rest, "  fourth();", "}", "more();")).toBe(`${file}more();\n`);
  });

  test("a last segment without an unchanged line is added at the end", () => {
    expect(apply(file, rest, "function three() {}")).toBe(`${file}function three() {}\n`);
  });

  test("a first segment without an unchanged line is added at the start", () => {
    expect(apply(file, "// Copyright", rest)).toBe(`// Copyright\n${file}`);
  });
});

describe("several segments", () => {
  test("are placed in the order of the file", () => {
    expect(
      apply(file, rest, "  first();", "  x();", rest, "  third();", "  y();", "  fourth();", rest),
    ).toBe(
      file
        .replace("  first();\n", "  first();\n  x();\n")
        .replace("  fourth();", "  y();\n  fourth();"),
    );
  });

  test("in another order than the file's are refused", () => {
    expect(apply(file, rest, "  third();", "  x();", rest, "  first();", "  y();", rest)).toBe(
      "refused: no-match",
    );
  });

  test("are applied all or not at all", () => {
    expect(apply(file, rest, "import a;", "import b;", rest, "nothing like it", rest)).toBe(
      "refused: no-match",
    );
  });

  test("that are blank stand for nothing", () => {
    expect(apply(file, rest, "", rest, "import a;", "import b;", rest)).toBe(
      file.replace("import a;\n", "import a;\nimport b;\n"),
    );
  });
});

describe("marks", () => {
  test.each(["# ... existing code ...", "/* ... */", "<!-- ... rest of the page ... -->", "..."])(
    "%j is one",
    (mark) => {
      expect(apply(file, mark, "import a;", "import b;", mark)).toBe(
        file.replace("import a;\n", "import a;\nimport b;\n"),
      );
    },
  );

  test("dots that stand in the file are code", () => {
    const before = lines(
      "class A:",
      "    def f(self):",
      "        ...",
      "",
      "    x = 1",
      "    y = 2",
    );
    expect(
      apply(
        before,
        "# ... existing code ...",
        "    def f(self):",
        "        ...",
        "",
        "    x = 3",
        "    y = 2",
      ),
    ).toBe(before.replace("x = 1", "x = 3"));
  });
});

describe("without any mark", () => {
  test("the edit is the whole file", () => {
    const result = applyCodeEdit(file, file.replace("first", "other"));
    expect(result).toEqual({
      ok: true,
      text: file.replace("first", "other"),
      units: [{ level: "whole-file", startLine: 1, endLine: 11 }],
    });
  });

  test("an edit that shows less than half of the file is refused", () => {
    expect(apply(file, "function one() {", "}")).toBe("refused: whole-file");
    expect(apply(file)).toBe("refused: whole-file");
  });

  test("an edit that leaves out a line and writes nothing there is refused", () => {
    expect(apply(lines("a", "b", "c", "d"), "a", "b")).toBe("refused: whole-file");
    expect(apply(lines("a", "b", "c", "d"), "a", "x")).toBe("refused: whole-file");
    expect(apply(lines("a", "b", "c", "d"), "a", "c", "d")).toBe("refused: whole-file");
  });

  test("an edit with every line of the file may add lines anywhere, and keeps the bytes of the others", () => {
    const before = lines("\ta(“x”);  ", "\tb();");
    expect(apply(before, "    // A.", '    a("x");', "    // B.", "    b();", "    c();")).toBe(
      lines("\t// A.", "\ta(“x”);  ", "\t// B.", "\tb();", "\tc();"),
    );
  });

  test.each([undefined, "", "\n\n"])("a file without text (%j) is filled", (before) => {
    expect(apply(before, "a", "b")).toBe(lines("a", "b"));
  });

  test("marks in an edit of a file without text are left out", () => {
    expect(apply(undefined, rest, "a", rest, "b")).toBe(lines("a", "b"));
  });
});

describe("the style of the file", () => {
  test("line ends and the byte-order mark stay", () => {
    expect(apply("\uFEFFa\r\nb\r\nc\r\n", rest, "a", "x", "b", rest)).toBe(
      "\uFEFFa\r\nx\r\nb\r\nc\r\n",
    );
    expect(apply("\uFEFFa\r\nb\r\n", "a", "x", "b")).toBe("\uFEFFa\r\nx\r\nb\r\n");
  });

  test("the lack of a final line end stays", () => {
    expect(apply("a\nb\nc", rest, "b", "x", "c")).toBe("a\nb\nx\nc");
    expect(apply("a\nb\nc", rest, "b", "c", "x")).toBe("a\nb\nc\nx");
    expect(apply("a\nb\nc", "a", "b", "x", "c")).toBe("a\nb\nx\nc");
  });

  test("an edit with carriage returns means the same", () => {
    expect(applyCodeEdit(file, `${rest}\r\nimport a;\r\nimport b;\r\n${rest}\r\n`)).toMatchObject({
      ok: true,
      text: file.replace("import a;\n", "import a;\nimport b;\n"),
    });
  });

  test("a final line end of the edit is not needed", () => {
    expect(applyCodeEdit(file, `${rest}\nfunction three() {}`)).toMatchObject({
      ok: true,
      text: `${file}function three() {}\n`,
    });
  });
});

test("no line goes but between two lines that one segment shows with new ones between them", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.oneof(fc.nat({ max: 9 }), fc.constantFrom("mark", "new")), { maxLength: 8 }),
      (size, parts) => {
        const before = Array.from({ length: size }, (_, nth) => `line(${nth});`);
        const shown = parts.filter((part) => typeof part === "string" || part < size);
        const numbers = shown.filter((part) => typeof part === "number");
        fc.pre(numbers.every((number, nth) => nth === 0 || number > (numbers[nth - 1] ?? 0)));
        const edit = shown.map((part, nth) => {
          if (part === "mark") return rest;
          return part === "new" ? `added.${nth} = [];` : `line(${part});`;
        });
        const result = applyCodeEdit(lines(...before), lines(...edit));
        if (!result.ok) return;
        const mayGo = new Set<number>();
        let [last, isNew] = [-1, false];
        for (const part of shown) {
          if (part === "mark") [last, isNew] = [-1, false];
          else if (part === "new") isNew = true;
          else {
            const between = Array.from(before.keys()).slice(last + 1, part);
            if (last !== -1 && isNew) for (const line of between) mayGo.add(line);
            [last, isNew] = [part, false];
          }
        }
        const after = result.text.split("\n");
        const lost = before.flatMap((line, nth) => (after.includes(line) ? [] : [nth]));
        expect(lost.filter((line) => !mayGo.has(line))).toEqual([]);
      },
    ),
    { numRuns: 3000 },
  );
});

describe("a closing line that the file has several times", () => {
  const type = lines(
    "class A {",
    "  one() {",
    "    a();",
    "  }",
    "",
    "  two() {",
    "    b();",
    "  }",
    "}",
  );
  const shown = ["class A {", `  ${rest}`, "", "  one() {", "    c();", "  }", "", `  ${rest}`];

  test("is the one with its indentation, if all segments above are indented as the file is", () => {
    expect(apply(type, ...shown, "  static three = 3;", "}")).toBe(
      type.replace("a();", "c();").replace(/\}\n$/, "  static three = 3;\n}\n"),
    );
  });

  test("is unclear, if they are not", () => {
    const outdented = [...shown, "}"].map((line) => line.replace(/^ {2}/, ""));
    expect(apply(type, ...outdented)).toBe("refused: ambiguous");
  });
});

describe("refused", () => {
  test("an edit that changes nothing", () => {
    expect(apply(file, rest, "function one() {", "  first();", rest)).toBe("refused: no-change");
    expect(apply(file, rest)).toBe("refused: no-change");
    expect(apply(file, ...file.slice(0, -1).split("\n"))).toBe("refused: no-change");
  });

  test("a segment that would delete lines that it does not show", () => {
    const long = Array.from({ length: 50 }, (_, nth) => `line ${nth}`);
    const result = applyCodeEdit(lines(...long), lines(rest, "line 3", "line 46", rest));
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: "unquoted",
        unit: 2,
        message:
          'Segment 2 leaves out line 5 of the file, "line 4", and writes nothing in its place.',
      },
    });
  });

  test("a segment that is found, but whose new line has no clear indentation", () => {
    const before = lines("f {", "   a", " b", "}");
    const result = applyCodeEdit(before, lines(rest, "  a", "      new", "    b", rest));
    expect(result).toMatchObject({ ok: false, error: { code: "indentation", unit: 2 } });
  });
});

describe("new lines below the last mark", () => {
  const python = `class Cart:
    def total(self):
        items = self.items
        return items

    def clear(self):
        self.items = []


def main(cart):
    print(cart)
    return cart
`;

  test.each([
    [
      "would come after the return of a block",
      "class Cart:\n    def total(self):\n        # ... existing code ...\n        return items * 2\n",
    ],
    [
      "are shown at another depth, and may replace its return",
      "def total(self):\n    # ... existing code ...\n    return items * 2\n",
    ],
    [
      "would come after the return of the last block",
      "def main(cart):\n    # ... existing code ...\n    return cart.total()\n",
    ],
    [
      "belong to no block that the file ends with",
      "# ... existing code ...\n\n        self.count = 0\n",
    ],
    [
      "stand in brackets that the edit does not close",
      "def main(\n    # ... existing code ...\n    other,\n",
    ],
  ])("are refused where they %s", (_, edit) => {
    expect(applyCodeEdit(python, edit)).toMatchObject({ ok: false });
  });

  test.each([
    [
      "class Cart:\n    # ... existing code ...\n\n    def is_empty(self):\n        return not self.items\n",
      "    ",
    ],
    ["def clear(self):\n    # ... existing code ...\n    self.discount = None\n", "        "],
  ])(
    "go to the end of the block that the edit shows above them, at its depth: %j",
    (edit, depth) => {
      const result = applyCodeEdit(python, edit);
      const added = edit
        .slice(edit.indexOf("...\n") + 4)
        .trim()
        .split("\n");
      const [first = "", ...others] = added;
      const inside = [depth + first.trim(), ...others.map((line) => `${depth}    ${line.trim()}`)];
      const text = result.ok ? result.text : "";
      const end = text.indexOf("\n\n\ndef main");
      expect(text.slice(0, end).endsWith(inside.join("\n"))).toBe(true);
      expect(text.slice(end)).toBe(python.slice(python.indexOf("\n\n\ndef main")));
    },
  );
});
