import { describe, expect, test } from "vitest";
import { findIndentRule, type IndentRule } from "../../../src/edit/find/indentation.ts";
import { indentOf } from "../../../src/base/text/lines.ts";

/** Pairs written as "search>file", blanks as ".", tabs as "-". */
function ruleOf(...pairs: string[]): IndentRule | undefined {
  return findIndentRule(
    pairs.map((pair) => {
      const [search = "", file = ""] = pair.replaceAll(".", " ").replaceAll("-", "\t").split(">");
      return { search, file };
    }),
  );
}

function map(rule: IndentRule | undefined, indent: string, isFirst = false): string {
  if (rule === undefined) return "no rule";
  const mapped = rule.map(indent.replaceAll(".", " ").replaceAll("-", "\t"), isFirst);
  return mapped === undefined ? "unknown" : mapped.replaceAll(" ", ".").replaceAll("\t", "-");
}

test("the indentation of a line is its blanks and tabs, and nothing else", () => {
  expect(indentOf(" \t a b")).toBe(" \t ");
  expect(indentOf("\u00a0a")).toBe("");
  expect(indentOf("  ")).toBe("  ");
  expect(indentOf("")).toBe("");
});

describe("identity", () => {
  test("equal pairs need no change", () => {
    const rule = ruleOf("..>..", "....>....");
    expect(rule?.isIdentity).toBe(true);
    expect(map(rule, "---")).toBe("---");
  });

  test("no pair at all needs no change", () => {
    expect(ruleOf()?.isIdentity).toBe(true);
  });
});

describe("shift", () => {
  test("blanks that the file has more are added", () => {
    const rule = ruleOf(">....", "..>......");
    expect(rule?.isIdentity).toBe(false);
    expect(map(rule, "..")).toBe("......");
    expect(map(rule, "......")).toBe("..........");
  });

  test("blanks that the file has less are taken off", () => {
    const rule = ruleOf("....>", "......>..");
    expect(map(rule, "........")).toBe("....");
    expect(map(rule, "....")).toBe("");
  });

  test("less than nothing cannot be taken off", () => {
    expect(map(ruleOf("....>", "......>.."), "..")).toBe("unknown");
  });

  test("tabs are added before tabs", () => {
    expect(map(ruleOf(">-", "->--"), "--")).toBe("---");
  });

  test("one pair is enough", () => {
    expect(map(ruleOf("..>...."), "....")).toBe("......");
  });

  test("pairs that shift by different widths have no rule", () => {
    expect(ruleOf("..>....", "....>.....")).toBeUndefined();
    expect(ruleOf("..>.", "..>...")).toBeUndefined();
  });
});

describe("tabs and blanks", () => {
  test("blanks become tabs of the width that explains all pairs", () => {
    const rule = ruleOf(">", "....>-", "........>--");
    expect(map(rule, "............")).toBe("---");
    expect(map(rule, "......")).toBe("-..");
  });

  test("two blanks are a tab as well", () => {
    expect(map(ruleOf("..>-", "....>--"), "......")).toBe("---");
  });

  test("tabs become blanks", () => {
    expect(map(ruleOf("->..", "-->...."), "---")).toBe("......");
    expect(map(ruleOf("->........"), "--")).toBe("................");
  });

  test("a shift by whole tabs is explained as well", () => {
    const rule = ruleOf(">-", "....>--");
    expect(map(rule, "........")).toBe("---");
    expect(map(rule, "....")).toBe("--");
  });

  test("where no pair tells the width, a line that needs it is unknown", () => {
    const rule = ruleOf(">-");
    expect(map(rule, "")).toBe("-");
    expect(map(rule, "....")).not.toBe("--");
  });

  test("pairs of different widths have no rule", () => {
    expect(ruleOf(">", "..>-", "....>-")).toBeUndefined();
    expect(ruleOf(">", "....>-", "......>--")).toBeUndefined();
  });
});

describe("scale", () => {
  test("levels of two blanks become levels of four", () => {
    const rule = ruleOf(">", "..>....", "....>........");
    expect(map(rule, "......")).toBe("............");
  });

  test("levels of four blanks become levels of two", () => {
    const rule = ruleOf(">", "....>..", "........>....");
    expect(map(rule, "............")).toBe("......");
  });

  test("a width between two levels is unknown", () => {
    expect(map(ruleOf(">", "....>..", "........>...."), "...")).toBe("unknown");
  });

  test("a level that does not fit the others has no rule", () => {
    expect(ruleOf(">", "..>....", "....>......")).toBeUndefined();
  });
});

describe("first line trimmed", () => {
  test("the first line lost its blanks, the others are as in the file", () => {
    const rule = ruleOf(">....", "......>......", "....>....");
    expect(rule?.isIdentity).toBe(false);
    expect(map(rule, "", true)).toBe("....");
    expect(map(rule, "......")).toBe("......");
    expect(map(rule, "")).toBe("");
  });

  test("the others may follow a rule of their own", () => {
    const rule = ruleOf(">....", "..>......", "...>.......");
    expect(map(rule, "....", false)).toBe("........");
  });

  test("a first line of REPLACE that has blanks follows the rule of the others", () => {
    const rule = ruleOf(">....", "......>......", "....>....");
    expect(map(rule, "......", true)).toBe("......");
  });

  test("a line other than the first that lost its blanks has no rule", () => {
    expect(ruleOf("....>....", ">......", "....>....")).toBeUndefined();
  });

  test("a first line with other blanks has no rule", () => {
    expect(ruleOf("..>......", "........>........", "....>....")).toBeUndefined();
  });
});
