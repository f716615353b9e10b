import { describe, expect, test } from "vitest";
import { applyUnits } from "../../src/edit/edit-session.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const file = lines("begin {", "  one", "  two", "  three", "} end", "more");

const marks = [
  "// ... existing code ...",
  "  // ...",
  "# ... rest of the code ...",
  "# ...",
  "-- ... remaining columns ...",
  "; ... existing code ...",
  "% ... existing code ...",
  "/* ... existing code ... */",
  "/* ... */",
  " * ... existing code ...",
  "<!-- ... existing code ... -->",
  "{/* ... existing code ... */}",
  "(* ... existing code ... *)",
  "...",
  "…",
  "// … existing code …",
  "// ...existing code...",
  "// ... (rest unchanged)",
  "# ... the other methods ...",
  "// ... keep this ...",
  "... unchanged ...",
];

describe("marks in SEARCH and REPLACE", () => {
  test.each(marks)("%j stands for the lines between", (mark) => {
    const result = applyUnits(file, [
      { search: lines("begin {", mark, "} end"), replace: lines("start {", mark, "} end") },
    ]);
    expect(result).toEqual({
      ok: true,
      text: file.replace("begin {", "start {"),
      units: [{ level: "elision", startLine: 1, endLine: 5 }],
    });
  });

  test("two marks stand for two gaps", () => {
    const around = (inner: string) => lines("begin {", "// ...", inner, "// ...", "} end");
    expect(apply(file, around("  two"), around("  2"))).toBe(file.replace("two", "2"));
  });

  test("a mark at the end of SEARCH and REPLACE stands for what follows", () => {
    const text = (first: string) => lines(first, "// ... existing code ...");
    expect(apply(file, text("begin {"), text("start {"))).toBe(file.replace("begin", "start"));
  });

  test("a mark at the start of SEARCH and REPLACE stands for what comes before", () => {
    const text = (last: string) => lines("// ... existing code ...", last);
    expect(apply(file, text("} end"), text("} stop"))).toBe(file.replace("end", "stop"));
  });

  test("a mark may stand for no line at all", () => {
    expect(apply(file, lines("  one", "// ...", "  two"), lines("  one", "// ...", "  2"))).toBe(
      file.replace("two", "2"),
    );
  });

  test("the mark of REPLACE may be written otherwise than that of SEARCH", () => {
    expect(
      apply(
        file,
        lines("begin {", "...", "} end"),
        lines("x {", "// ... existing code ...", "} end"),
      ),
    ).toBe(file.replace("begin", "x"));
  });

  test("lines are added and deleted on both sides of a mark", () => {
    expect(
      apply(
        file,
        lines("begin {", "  one", "// ...", "} end"),
        lines("begin {", "// ...", "  four", "} end"),
      ),
    ).toBe(lines("begin {", "  two", "  three", "  four", "} end", "more"));
  });

  test("each segment is indented like the file", () => {
    expect(
      apply(
        lines("    begin {", "      one", "    }"),
        lines("begin {", "  // ...", "}"),
        lines("begin {", "  zero", "  // ...", "  two", "}"),
      ),
    ).toBe(lines("    begin {", "      zero", "      one", "      two", "    }"));
  });

  test("segments in another order than the file's are not found", () => {
    expect(apply(file, lines("} end", "// ...", "begin {"), lines("} end", "// ...", "x"))).toBe(
      "refused: no-match",
    );
  });

  test("a segment that stands twice is told by the one that has to follow", () => {
    const before = lines("a", "same", "b", "same", "c");
    expect(apply(before, lines("b", "...", "same", "c"), lines("b", "...", "x", "c"))).toBe(
      lines("a", "same", "b", "x", "c"),
    );
    expect(apply(before, lines("b", "...", "same"), lines("b", "...", "x"))).toBe(
      lines("a", "same", "b", "x", "c"),
    );
  });
});

describe("marks that do not pair", () => {
  test.each([
    [
      "REPLACE lacks the mark of SEARCH",
      lines("begin {", "...", "} end"),
      lines("begin {", "} end"),
    ],
    [
      "REPLACE has one mark more",
      lines("begin {", "...", "} end"),
      lines("...", "x", "...", "y", "..."),
    ],
    [
      "code takes the place of a mark at the end",
      lines("begin {", "// ..."),
      lines("x", "// ...", "y"),
    ],
  ])("%s: refused", (_, search, replace) => {
    expect(apply(file, search, replace)).toBe("refused: elision");
  });
});

describe("marks in REPLACE only", () => {
  test.each(marks.filter((mark) => !["...", "…", " * ... existing code ..."].includes(mark)))(
    "%j is filled from SEARCH",
    (mark) => {
      const search = lines("begin {", "  one", "  two", "  three", "} end");
      expect(apply(file, search, lines("begin {", mark, "  four", "} end"))).toBe(
        "refused: elision",
      );
      expect(apply(file, search, lines("begin {", "  0", "  one", mark, "} end"))).toBe(
        lines("begin {", "  0", "  one", "  two", "  three", "} end", "more"),
      );
    },
  );

  test("a mark at the end stands for the rest of SEARCH", () => {
    expect(
      apply(
        file,
        lines("begin {", "  one", "  two"),
        lines("x", "begin {", "// ... existing code ..."),
      ),
    ).toBe("x\n" + file);
  });

  test("a mark at the start stands for the beginning of SEARCH", () => {
    expect(
      apply(
        file,
        lines("begin {", "  one", "  two"),
        lines("// ... existing code ...", "  two", "  2"),
      ),
    ).toBe(file.replace("  two\n", "  two\n  2\n"));
  });

  test("a mark behind a line that SEARCH does not hold is refused", () => {
    expect(
      apply(file, lines("  one", "  two"), lines("new", "// ... existing code ...", "  two")),
    ).toBe("refused: elision");
  });

  test("a mark behind a line that SEARCH holds twice is refused", () => {
    expect(
      apply(
        lines("a", "b", "a", "c", "d"),
        lines("a", "b", "a", "c", "d"),
        lines("a", "// ... existing code ...", "d", "e"),
      ),
    ).toBe("refused: elision");
  });

  test("dots that end a line of words are no mark", () => {
    expect(apply(file, lines("  one"), lines("  // one, two ...", "  one"))).toBe(
      file.replace("  one\n", "  // one, two ...\n  one\n"),
    );
  });
});

describe("Python's own dots", () => {
  const stub = lines("class A:", "    def f(self):", "        ...", "", "    x = 1");

  test("in REPLACE are code", () => {
    expect(
      apply(stub, lines("    x = 1"), lines("    def g(self):", "        ...", "", "    x = 1")),
    ).toBe(stub.replace("    x = 1\n", "    def g(self):\n        ...\n\n    x = 1\n"));
  });

  test("in SEARCH are code where the file has them", () => {
    const result = applyUnits(stub, [
      {
        search: lines("    def f(self):", "        ..."),
        replace: lines("    def f(self):", "        return 1"),
      },
    ]);
    expect(result).toMatchObject({
      ok: true,
      text: stub.replace("...", "return 1"),
      units: [{ level: "exact" }],
    });
  });

  test("in SEARCH do not let a mark in REPLACE pass as text", () => {
    const after = apply(
      stub,
      lines("    def f(self):", "        ..."),
      lines("    def f(self):", "        # ... existing code ...", "        return 1"),
    );
    expect(after).not.toContain("existing code");
  });

  test("in REPLACE are code beside a mark that says so", () => {
    expect(
      apply(
        lines("a", "b", "c"),
        lines("a", "b", "c"),
        lines("a", "# ... existing code ...", "c", "def g():", "    ..."),
      ),
    ).toBe(lines("a", "b", "c", "def g():", "    ..."));
  });
});

test("a mark that stands in the file byte by byte is text of the file", () => {
  const before = lines("a", "// ... existing code ...", "b");
  expect(apply(before, before, lines("a", "// ... existing code ...", "x"))).toBe(
    lines("a", "// ... existing code ...", "x"),
  );
});
