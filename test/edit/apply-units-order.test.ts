// Units that depend on each other: additions at one place, units that quote what others wrote, and twice the same.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../src/edit/apply-units.ts";
import { EditSession } from "../../src/edit/edit-session.ts";
import type { EditUnit } from "../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const unit = (search: string, replace: string): EditUnit => ({ search, replace });

function apply(before: string, ...units: EditUnit[]): string {
  const result = applyUnits(before, units);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const file = lines("import a;", "import b;", "", "function one() {", "  first();", "}");

test("units that each quote the text as it is after those before give what they give one by one", () => {
  const word = fc.constantFrom("a", "b", "c", "d");
  const size = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.array(fc.tuple(fc.nat({ max: 7 }), size, fc.array(word, { maxLength: 2 })), {
        minLength: 2,
        maxLength: 4,
      }),
      (count, changes) => {
        const before = Array.from({ length: count }, (_, nth) => `line ${nth}`);
        let now = before;
        const units = changes.map(([at, length, added], nth) => {
          const start = at % Math.max(1, now.length);
          const search = now.slice(start, start + length);
          const replace = added.map((each) => `${each}${nth}`);
          now = now.toSpliced(start, length, ...replace);
          return unit(lines(...search), lines(...replace));
        });
        fc.pre(units.every(({ search }) => search.trim() !== ""));
        const result = applyUnits(lines(...before), units);
        if (result.ok) expect(result.text).toBe(lines(...now));
      },
    ),
    { numRuns: 2000 },
  );
});

describe("additions at one place", () => {
  test("after one line come in the order of their units", () => {
    expect(
      apply(
        file,
        unit("import b;\n", lines("import b;", "import c;")),
        unit("import b;\n", lines("import b;", "import d;")),
      ),
    ).toBe(file.replace("import b;\n", "import b;\nimport c;\nimport d;\n"));
  });

  test("before one line do so as well", () => {
    expect(
      apply(
        file,
        unit("import a;\n", lines("import y;", "import a;")),
        unit("import a;\n", lines("import z;", "import a;")),
      ),
    ).toBe(`import y;\nimport z;\n${file}`);
  });
});

describe("a unit that quotes the result of an earlier one", () => {
  const first = unit(lines("  first();"), lines("  first(1);", "  second();"));

  test("is applied to that", () => {
    expect(apply(file, first, unit(lines("  first(1);"), lines("  first(2);")))).toBe(
      file.replace("  first();", "  first(2);\n  second();"),
    );
  });

  test("together with lines of the file around it", () => {
    const second = unit(
      lines("function one() {", "  first(1);"),
      lines("function two() {", "  first(1);"),
    );
    expect(apply(file, first, second)).toBe(
      file.replace("one() {\n  first();", "two() {\n  first(1);\n  second();"),
    );
  });

  test("is told where the lines stand that the earlier one quotes", () => {
    const session = new EditSession(file);
    session.add(first);
    expect(session.add(unit("  second();\n", "  third();\n"))).toEqual({
      ok: true,
      level: "exact",
      startLine: 5,
      endLine: 5,
    });
    expect(session.end()).toMatchObject({ ok: true, units: [{ startLine: 5 }, { startLine: 5 }] });
  });

  test("is refused if it comes first", () => {
    expect(apply(file, unit(lines("  first(1);"), lines("  first(2);")), first)).toBe(
      "refused: no-match",
    );
  });

  test("is refused if it fits several places there", () => {
    const twice = unit(lines("  first();"), lines("  new();", "  other();", "  new();"));
    expect(apply(file, twice, unit(lines("  new();"), lines("  newer();")))).toBe(
      "refused: no-match",
    );
  });

  test("is refused if it quotes none of the lines that the earlier one wrote", () => {
    const before = lines("a", "x", "b", "c");
    expect(apply(before, unit("x\n", ""), unit(lines("a", "b"), lines("a", "y", "b")))).toBe(
      "refused: no-match",
    );
  });

  test("is refused if it is ambiguous in the text as it was", () => {
    const before = lines("same();", "a();", "same();", "b();");
    const units = [unit(lines("same();", "a();"), lines("a();")), unit("same();\n", "x();\n")];
    expect(apply(before, ...units)).toBe("refused: ambiguous");
  });
});

describe("a unit that is there twice", () => {
  test("counts once if it fits one place", () => {
    const one = unit("import b;\n", lines("import b;", "import c;"));
    expect(apply(file, one, one)).toBe(file.replace("import b;\n", "import b;\nimport c;\n"));
    const other = unit("  first();\n", "  x();\n");
    expect(applyUnits(file, [other, one, other])).toMatchObject({
      units: [{ startLine: 5 }, { startLine: 2 }, { startLine: 5 }],
    });
  });

  test("is refused if it fits two", () => {
    const one = unit("a\n", "x\n");
    expect(apply(lines("a", "b", "a"), one, one)).toBe("refused: ambiguous");
  });
});

describe("what differs in looks only is found where it is unique", () => {
  test.each([
    ["letters of two characters", 'say("caf\u00e9");', 'say("cafe\u0301");'],
    ["letters of one character", 'say("cafe\u0301");', 'say("caf\u00e9");'],
    ["a syllable of parts", "say(\u1112\u1161\u11ab);", "say(\ud55c);"],
    ["full-width signs", "说（“你好”，一）。", '说("你好",一).'],
    ["plain signs", "say(a, b);", "say（a， b）；"],
    ["brackets of Chinese", "【一】《二》、", "[一]<二>,"],
    ["an ellipsis", 'say("wait...");', 'say("wait…");'],
    ["three dots", 'say("wait…");', 'say("wait...");'],
    ["variation selectors", 'say("\u2764\ufe0f");', 'say("\u2764");'],
    ["other quotes", "import a from 'a';", 'import a from "a";'],
  ])("%s", (_, line, quoted) => {
    const before = lines("first", line, "last");
    const search = lines("first", quoted);
    expect(apply(before, unit(search, lines("1st", quoted)))).toBe(lines("1st", line, "last"));
    expect(apply(lines(line, "x", line), unit(lines(quoted), "y\n"))).toBe("refused: ambiguous");
    expect(apply(lines(line, "x", quoted), unit(lines(quoted), "y\n"))).toBe(lines(line, "x", "y"));
  });
});
