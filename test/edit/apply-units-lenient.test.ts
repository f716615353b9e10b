import { describe, expect, test } from "vitest";
import { applyUnits } from "../../src/edit/apply-units.ts";
import type { EditUnit } from "../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const unit = (search: string, replace: string): EditUnit => ({ search, replace });

function apply(before: string, ...units: EditUnit[]): string {
  const result = applyUnits(before, units);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

describe("decorations", () => {
  const file = lines("a", "  b", "c");

  test("a code fence around SEARCH only is taken off", () => {
    expect(apply(file, unit(lines("```", "c", "```"), lines("x")))).toBe(lines("a", "  b", "x"));
  });

  test("a code fence around REPLACE only is text: nobody knows better", () => {
    expect(apply(file, unit(lines("c"), lines("```", "c", "```")))).toBe(
      lines("a", "  b", "```", "c", "```"),
    );
  });

  test("a code fence that the file has is quoted, not taken off", () => {
    const before = lines("text", "```", "code", "```");
    expect(apply(before, unit(lines("```", "code", "```"), lines("```", "x", "```")))).toBe(
      lines("text", "```", "x", "```"),
    );
  });

  test.each(["2 |   b", "2|  b", "2:   b", "2\t  b", "  2→  b", " 2 │   b"])(
    "the line number of %j is taken off",
    (quoted) => {
      expect(apply(file, unit(`${quoted}\n`, lines("  x")))).toBe(lines("a", "  x", "c"));
    },
  );

  test("line numbers before lines of REPLACE are taken off, and new lines without stay as they are", () => {
    expect(apply(file, unit(lines("1 | a", "2 |   b"), lines("1 | a", "  new", "2 |   b")))).toBe(
      lines("a", "  new", "  b", "c"),
    );
  });

  test("numbers that do not rise are no line numbers", () => {
    expect(apply(file, unit(lines("2 | a", "1 |   b"), lines("x")))).toBe("refused: no-match");
  });

  test("entities in REPLACE are decoded where SEARCH is found by decoding only", () => {
    expect(apply(lines("a < b", "c"), unit(lines("a &lt; b"), lines("a &gt; &quot;b&quot;")))).toBe(
      lines('a > "b"', "c"),
    );
  });

  test("one line with entities is enough", () => {
    expect(
      apply(lines("a < b", "c"), unit(lines("a &lt; b", "c"), lines("a &lt; b", "c &amp; d"))),
    ).toBe(lines("a < b", "c & d"));
  });

  test("entities that the file has are quoted, not decoded", () => {
    expect(apply(lines("<p>a &lt; b</p>"), unit("<p>a &lt; b</p>\n", "<p>a &gt; b</p>\n"))).toBe(
      lines("<p>a &gt; b</p>"),
    );
  });

  test("if one unit is escaped, a unit beside it whose SEARCH shows nothing is as well", () => {
    expect(
      apply(
        lines("a < b", "c"),
        unit(lines("a &lt; b"), lines("a &lt;= b")),
        unit(lines("c"), lines("c &amp;&amp; d")),
      ),
    ).toBe(lines("a <= b", "c && d"));
  });
});

describe("partial lines", () => {
  const file = lines("const total = sum(first, second);", "const rest = total - used;", "done();");

  test("the rest of a first line stays", () => {
    expect(
      apply(
        file,
        unit(lines("sum(first, second);", "const rest = total - used;"), lines("sum(all);")),
      ),
    ).toBe(lines("const total = sum(all);", "done();"));
  });

  test("the rest of a last line stays", () => {
    expect(
      apply(
        file,
        unit(lines("const rest = total - used;", "done"), lines("const rest = 0;", "stop")),
      ),
    ).toBe(lines("const total = sum(first, second);", "const rest = 0;", "stop();"));
  });

  test("the rest of a last line with blanks around it stays", () => {
    expect(
      apply(lines("a();", "  done(1);  "), unit(lines("a();", "  done"), lines("a();", "  stop"))),
    ).toBe(lines("a();", "  stop(1);  "));
  });

  test("both rests stay", () => {
    expect(
      apply(
        file,
        unit(
          lines("second);", "const rest = total - used;", "done"),
          lines("third);", "const rest = total - used;", "stop"),
        ),
      ),
    ).toBe(lines("const total = sum(first, third);", "const rest = total - used;", "stop();"));
  });

  test("a cut line that REPLACE keeps stays whole", () => {
    expect(
      apply(file, unit(lines("second);", "const rest = total - used;"), lines("second);", "x();"))),
    ).toBe(lines("const total = sum(first, second);", "x();", "done();"));
  });

  test("a cut line that REPLACE lacks is not deleted as a whole", () => {
    expect(apply(file, unit(lines("second);", "const rest = total - used;"), ""))).toBe(
      "refused: no-match",
    );
  });

  test("one line inside another becomes several", () => {
    expect(apply(file, unit(lines("total - used"), lines("total", "  - used")))).toBe(
      lines("const total = sum(first, second);", "const rest = total", "  - used;", "done();"),
    );
  });

  test("one line inside another is not deleted", () => {
    expect(apply(file, unit(lines("total - used"), ""))).toBe("refused: no-match");
  });

  test.each(["otal - used", "total - use", "irst", "tot"])(
    "%j is cut out of a word: it is not found",
    (quoted) => {
      expect(apply(file, unit(`${quoted}\n`, "x\n"))).toBe("refused: no-match");
    },
  );

  test("a part of a word with other letters than English ones is not found either", () => {
    expect(apply(lines("größe = naïve(übung);"), unit("ve\n", "x\n"))).toBe("refused: no-match");
    expect(apply(lines("größe = naïve(übung);"), unit("gr\n", "x\n"))).toBe("refused: no-match");
  });
});

describe("comment lines that SEARCH leaves out", () => {
  const file = lines("one(1);", "// why two", "two(2);", "three(3);", "four(4);", "five(5);");
  const quoted = lines("one(1);", "two(2);", "three(3);", "four(4);");

  test("survive a change of the lines around them", () => {
    expect(apply(file, unit(quoted, quoted.replace("three(3)", "three(33)")))).toBe(
      file.replace("three(3)", "three(33)"),
    );
    expect(apply(file, unit(quoted, quoted.replace("two(2)", "two(22)")))).toBe(
      file.replace("two(2)", "two(22)"),
    );
  });

  test("survive beside an addition", () => {
    const after = apply(file, unit(quoted, quoted.replace("two(2);", "new();\ntwo(2);")));
    expect(
      after
        .split("\n")
        .filter((line) => line !== "new();")
        .join("\n"),
    ).toBe(file);
    expect(after).toContain("new();");
  });

  test("are not deleted with the lines around them", () => {
    expect(apply(file, unit(quoted, lines("four(4);")))).toBe("refused: unquoted");
  });

  test.each(["# why", "/* why */", "-- why", "; why", "<!-- why -->", '"""Why."""'])(
    "%j is a comment line",
    (comment) => {
      const before = file.replace("// why two", comment);
      expect(apply(before, unit(quoted, quoted.replace("three(3)", "three(33)")))).toBe(
        before.replace("three(3)", "three(33)"),
      );
    },
  );

  test("a line of code that SEARCH leaves out is not passed over", () => {
    const before = file.replace("// why two", "compute();");
    expect(apply(before, unit(quoted, quoted.replace("three(3)", "x")))).toBe("refused: no-match");
  });
});

describe("indentation of new lines", () => {
  const file = lines("if a:", "    b", "      c");
  const quoted = lines("if a:", "  b", "    c");

  test("is refused where the lines around do not tell it by one rule", () => {
    expect(apply(file, unit(quoted, `${quoted}d()\n`))).toBe("refused: indentation");
  });

  test("is known for a line that stays, even where no rule explains all lines", () => {
    expect(apply(file, unit(quoted, lines("if a:", "    c")))).toBe(lines("if a:", "      c"));
  });

  test("is that of the file where only SEARCH is indented otherwise", () => {
    expect(
      apply(
        lines("  {", "    a", "  }"),
        unit(lines("{", "  a", "}"), lines("  {", "    x", "    a", "  }")),
      ),
    ).toBe(lines("  {", "    x", "    a", "  }"));
  });

  test("is that of the file also for a line as far out as the lines of the file", () => {
    expect(
      apply(
        lines("  {", "    a", "  }"),
        unit(lines("{", "  a", "}"), lines("  {", "    a", "  }", "  y")),
      ),
    ).toBe(lines("  {", "    a", "  }", "  y"));
  });

  test("is refused for a line farther out than the lines of the file", () => {
    expect(
      apply(
        lines("  {", "    a", "  }"),
        unit(lines("{", "  a", "}"), lines("  {", "    a", "  }", "y")),
      ),
    ).toBe("refused: indentation");
  });

  test("is found for a first line that lost its blanks", () => {
    expect(
      apply(
        lines("  {", "    a", "  }"),
        unit(lines("{", "    a", "  }"), lines("{", "    x", "  }")),
      ),
    ).toBe(lines("  {", "    x", "  }"));
  });

  test("is refused where less than nothing would be left", () => {
    expect(apply(lines("a", "  b"), unit(lines("  a", "    b"), lines("  a", "x", "    b")))).toBe(
      "refused: indentation",
    );
  });

  test("of a blank line with blanks on it stays as written", () => {
    expect(apply(lines("  a", "  b"), unit(lines("a", "b"), lines("a", "", "b")))).toBe(
      lines("  a", "", "  b"),
    );
  });
});

describe("an edit that was made before", () => {
  test("is refused where its SEARCH is gone and its REPLACE stands", () => {
    const before = lines("alpha(1);", "inserted();", "beta(2);", "gamma(3);", "delta(4);", "e();");
    expect(
      apply(
        before,
        unit(
          lines("alpha(1);", "beta(2);", "gamma(3);", "delta(4);"),
          lines("alpha(1);", "inserted();", "beta(2);", "gamma(3);", "delta(4);"),
        ),
      ),
    ).toBe("refused: no-match");
  });

  test("is refused where its SEARCH now is a part of the line that it wrote", () => {
    expect(
      apply(
        lines("const a = call(1, 2);"),
        unit(lines("const a = call(1"), lines("const a = call(1, 2")),
      ),
    ).toBe("refused: no-match");
  });

  test("is refused where its SEARCH is like the line that it wrote", () => {
    const text = (third: string) => lines("one(1);", "two(2);", third, "four(4);");
    expect(apply(text("three(33);"), unit(text("three(3);"), text("three(33);")))).toMatch(
      /^refused: no-(?:match|change)$/,
    );
  });
});
