import { describe, expect, test } from "vitest";
import { applyUnits } from "../../src/edit/edit-session.ts";
import type { EditUnit, ParsedUnit } from "../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const unit = (search: string, replace: string): EditUnit => ({ search, replace });
const five = lines("a", "b", "c", "d", "e");

/** The text, or the code of the refusal. */
function apply(before: string | undefined, ...units: (EditUnit | ParsedUnit)[]): string {
  const result = applyUnits(before, units);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

describe("all units or none", () => {
  test("one unit that is not found refuses those that are", () => {
    expect(apply(five, unit("a\n", "x\n"), unit("nope\n", "y\n"))).toBe("refused: no-match");
  });

  test("the order of the units need not be the order in the file", () => {
    const result = applyUnits(five, [unit("d\n", "x\n"), unit("a\n", "y\n")]);
    expect(result).toEqual({
      ok: true,
      text: lines("y", "b", "c", "x", "e"),
      units: [
        { level: "exact", startLine: 4, endLine: 4 },
        { level: "exact", startLine: 1, endLine: 1 },
      ],
    });
  });

  test("every SEARCH means the text as it was, not what other units make of it", () => {
    expect(apply(five, unit("a\n", "b\n"), unit("b\n", "a\n"))).toBe(
      lines("b", "a", "c", "d", "e"),
    );
    expect(apply(five, unit("a\n", "b\n"), unit("b\n", "y\n"))).toBe(
      lines("b", "y", "c", "d", "e"),
    );
  });

  test("line numbers of units mean the file before the edit", () => {
    const result = applyUnits(five, [unit("a\n", lines("x", "x", "x")), unit("d\n", "")]);
    expect(result).toMatchObject({ units: [{ startLine: 1 }, { startLine: 4, endLine: 4 }] });
  });

  test("thirty-three units are applied like one", () => {
    const before = Array.from({ length: 33 }, (_, nth) => `line ${nth}\n`);
    const units = before.map((line) => unit(line, `new ${line}`));
    expect(apply(before.join(""), ...units)).toBe(before.map((line) => `new ${line}`).join(""));
  });
});

describe("overlap", () => {
  test("two units that change the same line are refused", () => {
    expect(apply(five, unit("b\nc\n", "x\n"), unit("c\nd\n", "y\n"))).toBe("refused: overlap");
  });

  test("the same lines changed in two ways are refused", () => {
    expect(apply(five, unit("b\n", "x\n"), unit("b\n", "y\n"))).toBe("refused: overlap");
  });

  test("one unit inside another is refused", () => {
    expect(apply(five, unit("a\nb\nc\nd\n", "x\n"), unit("b\n", ""))).toBe("refused: overlap");
  });

  test("a line added between lines that another unit deletes is refused", () => {
    expect(apply(five, unit("b\nc\n", ""), unit("b\nc\n", "b\nx\nc\n"))).toBe("refused: overlap");
  });

  test("units that share context, but change different lines, are applied", () => {
    expect(apply(five, unit("a\nb\nc\n", "x\nb\nc\n"), unit("b\nc\nd\n", "b\nc\ny\n"))).toBe(
      lines("x", "b", "c", "y", "e"),
    );
  });

  test("units that touch are applied", () => {
    expect(apply(five, unit("c\nd\n", "y\n"), unit("a\nb\n", "x\n"))).toBe(lines("x", "y", "e"));
  });

  test("two additions at one point stand in the order of the lines that their units quote", () => {
    const below = unit("c\n", "y\nc\n");
    const above = unit("b\n", "b\nx\n");
    expect(apply(five, below, above)).toBe(lines("a", "b", "x", "y", "c", "d", "e"));
    expect(apply(five, above, below)).toBe(lines("a", "b", "x", "y", "c", "d", "e"));
  });

  test("two additions at one point whose units quote the same lines come in the order of the units", () => {
    expect(apply(five, unit("b\nc\n", "b\ny\nc\n"), unit("b\nc\n", "b\nx\nc\n"))).toBe(
      lines("a", "b", "y", "x", "c", "d", "e"),
    );
  });

  test("a line added right below lines that another unit changes is applied", () => {
    expect(apply(five, unit("a\nb\n", "x\n"), unit("b\nc\n", "b\ny\nc\n"))).toBe(
      lines("x", "y", "c", "d", "e"),
    );
  });
});

describe("empty SEARCH", () => {
  test("a missing file is created", () => {
    expect(apply(undefined, unit("", "a\n"))).toBe("a\n");
  });

  test("a missing file is created empty", () => {
    expect(apply(undefined, unit("", ""))).toBe("");
  });

  test("an existing file is replaced as a whole", () => {
    expect(apply(five, unit("", "x\n"))).toBe("x\n");
  });

  test("an existing file is emptied", () => {
    expect(apply(five, unit("", ""))).toBe("");
  });

  test("an existing file is not replaced by a unit that is not written as specified", () => {
    const parsed = { ...unit("", "x\n"), line: 1, strict: false };
    expect(apply(five, parsed)).toBe("refused: whole-file");
    expect(apply(five, { ...parsed, strict: true })).toBe("x\n");
  });

  test("a missing or empty file is filled even by a unit that is not written as specified", () => {
    const parsed = { ...unit("", "x\n"), line: 1, strict: false };
    expect(apply(undefined, parsed)).toBe("x\n");
    expect(apply("", parsed)).toBe("x\n");
  });

  test.each([undefined, "", five])(
    "beside another unit it is refused, whatever the file",
    (file) => {
      expect(apply(file, unit("", "x\n"), unit("a\n", "y\n"))).toBe("refused: whole-file");
      expect(apply(file, unit("a\n", "y\n"), unit("", "x\n"))).toBe("refused: whole-file");
      expect(apply(file, unit("", "x\n"), unit("", "y\n"))).toBe("refused: whole-file");
    },
  );

  test("a whole file that is what stands there is no change", () => {
    expect(apply(five, unit("", five))).toBe("refused: no-change");
  });

  test("a whole file keeps the byte-order mark and the line ends", () => {
    expect(apply("\uFEFFa\r\nb\r\n", unit("", "x\ny\n"))).toBe("\uFEFFx\r\ny\r\n");
  });

  test("a whole file takes the line end that most lines have", () => {
    expect(apply("a\r\nb\nc\nd\n", unit("", "x\ny\n"))).toBe("x\ny\n");
  });

  test("a whole file whose last line had no line end has none after it", () => {
    expect(apply("a\nb", unit("", "x\ny\n"))).toBe("x\ny");
  });

  test("a SEARCH of blank lines is not empty", () => {
    expect(apply(lines("a", "", "b"), unit("\n", "x\n"))).toBe(lines("a", "x", "b"));
  });

  test("a SEARCH that is not empty finds nothing in a missing or an empty file", () => {
    expect(apply(undefined, unit("a\n", "x\n"))).toBe("refused: missing-file");
    expect(apply("", unit("a\n", "x\n"))).toBe("refused: no-match");
  });
});

describe("empty REPLACE", () => {
  test("deletes the lines", () => {
    expect(apply(five, unit("b\nc\n", ""))).toBe(lines("a", "d", "e"));
  });

  test("deletes all lines", () => {
    expect(apply(five, unit(five, ""))).toBe("");
  });
});

describe("no change", () => {
  test("units that change nothing together are refused", () => {
    expect(apply(five, unit("a\n", "a\n"), unit("b\n", "b\n"))).toBe("refused: no-change");
  });

  test("a unit that changes nothing stands beside one that does", () => {
    expect(apply(five, unit("a\n", "a\n"), unit("b\n", "x\n"))).toBe(
      lines("a", "x", "c", "d", "e"),
    );
  });

  test("a change of line ends only is none: the file's are kept", () => {
    expect(apply("a\r\nb\r\n", unit("a\nb\n", "a\nb\n"))).toBe("refused: no-change");
  });
});

describe("characters that mean something elsewhere", () => {
  test.each(["$&", "$1", "$$", "$`", "$'", "\\1", "%s", "\\n"])(
    "%s is written as it is",
    (text) => {
      expect(apply(five, unit("b\n", `${text}\n`))).toBe(lines("a", text, "c", "d", "e"));
      expect(apply("a\r\nb\r\n", unit("b\n", `${text}\n`))).toBe(`a\r\n${text}\r\n`);
      expect(apply(lines("  b c"), unit("b\n", `${text}\n`))).toBe(lines(`  ${text} c`));
    },
  );

  test.each([".*", "[a", "(b", "a|b", "^", "\\"])("%s is found as it is", (text) => {
    expect(apply(lines("a", "b", text), unit(`${text}\n`, "x\n"))).toBe(lines("a", "b", "x"));
  });
});

describe("a place that was chosen", () => {
  const before = lines("a", "b", "-", "a", "b");
  const twice = unit("a\nb\n", "a\nx\n");

  test("among places that fit equally is taken", () => {
    const result = applyUnits(before, [twice], { places: new Map([[1, 4]]) });
    expect(result).toMatchObject({ ok: true, text: lines("a", "b", "-", "a", "x") });
  });

  test("that is none of them leaves the unit ambiguous", () => {
    const result = applyUnits(before, [twice], { places: new Map([[1, 2]]) });
    expect(result).toMatchObject({ ok: false, error: { code: "ambiguous" } });
  });

  test("for another unit leaves the unit ambiguous", () => {
    const result = applyUnits(before, [twice], { places: new Map([[2, 4]]) });
    expect(result).toMatchObject({ ok: false, error: { code: "ambiguous" } });
  });

  test("does not move a unit that fits one place only", () => {
    const result = applyUnits(five, [unit("b\n", "x\n")], { places: new Map([[1, 4]]) });
    expect(result).toMatchObject({ ok: true, text: lines("a", "x", "c", "d", "e") });
  });
});
