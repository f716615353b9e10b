import { describe, expect, test } from "vitest";
import { parseDiff } from "../../../src/edit/read/parse-diff.ts";

/** A unit as a diff, in rules as specified. */
const unitText = (search: string, replace: string) =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;
const plain = unitText("a\n", "b\n");
const unit = { search: "a\n", replace: "b\n", line: 1, strict: true };

/** The code, the message and the number of the unit of a diff that is refused. */
function refusal(diff: string) {
  const parsed = parseDiff(diff);
  if (parsed.ok) return { code: "none", message: JSON.stringify(parsed), unit: undefined };
  const { code, message } = parsed.error;
  return { code, message, unit: parsed.error.unit };
}

describe("a diff of one unit", () => {
  test("gives whole lines, the line of the SEARCH rule, and that it is strict", () => {
    const diff = unitText("  one\n\n\ttwo \n", "three\n");
    const read = { search: "  one\n\n\ttwo \n", replace: "three\n", line: 1, strict: true };
    expect(parseDiff(diff)).toEqual({ ok: true, units: [read] });
  });

  test("needs no line end after its REPLACE rule", () => {
    expect(parseDiff(plain.trimEnd())).toEqual({ ok: true, units: [unit] });
  });

  test("with CRLF gives the lines that it gives with LF", () => {
    expect(parseDiff(plain.replaceAll("\n", "\r\n"))).toEqual({ ok: true, units: [unit] });
  });

  test("keeps a carriage return inside a line", () => {
    expect(parseDiff(unitText("a\rb\n", "c\r\rd\r\n"))).toMatchObject({
      units: [{ search: "a\rb\n", replace: "c\r\rd\n" }],
    });
  });

  test.each([
    ["rules of different lengths", "------- SEARCH\na\n========\nb\n+++++++++ REPLACE\n", true],
    ["angle brackets", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", false],
    ["two styles", "<<<<<<< SEARCH\na\n=======\nb\n+++++++ REPLACE\n", false],
    ["a > after the SEARCH rule", "------- SEARCH>\na\n=======\nb\n+++++++ REPLACE\n", false],
    ["a > after the REPLACE rule", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE>\n", false],
    ["blanks after the separator", "------- SEARCH\na\n=======  \nb\n+++++++ REPLACE\n", false],
    ["rules of three characters", "--- SEARCH\na\n===\nb\n+++ REPLACE\n", false],
    ["rules of six characters", "<<<<<< SEARCH\na\n======\nb\n>>>>>> REPLACE\n", false],
    [
      "a separator that is short among full rules",
      "------- SEARCH\na\n=====\nb\n+++++++ REPLACE\n",
      false,
    ],
    ["short rules of different lengths", "---- SEARCH\na\n===\nb\n+++++ REPLACE\n", false],
  ])("is read with %s", (_, diff, strict) => {
    expect(parseDiff(diff)).toEqual({ ok: true, units: [{ ...unit, strict }] });
  });

  test.each([
    ["an empty SEARCH", unitText("", "b\n"), "", "b\n"],
    ["an empty REPLACE", unitText("a\n", ""), "a\n", ""],
    ["both empty", unitText("", ""), "", ""],
    ["a blank line as SEARCH", unitText("\n", "b\n"), "\n", "b\n"],
    ["a line of blanks as REPLACE", unitText("a\n", " \t\n"), "a\n", " \t\n"],
  ])("is read with %s", (_, diff, search, replace) => {
    expect(parseDiff(diff)).toEqual({
      ok: true,
      units: [{ search, replace, line: 1, strict: true }],
    });
  });
});

test("longer rules are told: shorter ones inside are text", () => {
  expect(parseDiff("--------- SEARCH\na\n=========\nb\n+++++++++ REPLACE\n")).toEqual({
    ok: true,
    units: [{ ...unit, ruleLength: 9 }],
  });
});

describe("a diff of several units", () => {
  test("numbers their lines, blank lines and code fences included", () => {
    const diff = `\n${plain}\n\n${plain}\`\`\`\n\`\`\`diff\n${plain}\`\`\`\n`;
    const units = [2, 9, 16].map((line) => ({ ...unit, line }));
    expect(parseDiff(diff)).toEqual({ ok: true, units });
  });

  test("judges each for itself whether it is strict", () => {
    const loose = plain.replace("SEARCH", "SEARCH>");
    expect(parseDiff(plain + loose)).toMatchObject({
      units: [{ strict: true }, { strict: false }],
    });
  });

  test("whose rules have different lengths ends each at its own", () => {
    const long = "--------- SEARCH\nc\n=========\nd\n+++++++++ REPLACE\n";
    const longUnit = { search: "c\n", replace: "d\n", strict: true, ruleLength: 9 };
    expect(parseDiff(plain + long + plain)).toEqual({
      ok: true,
      units: [unit, { ...longUnit, line: 6 }, { ...unit, line: 11 }],
    });
  });
});

describe("a code fence", () => {
  test.each(["```", "~~~~", "```diff", "  ```c++", "```objective-c "])(
    "%j around is no text",
    (open) => {
      const diff = `${open}\n${plain}${open.trim().replace(/[^`~].*/, "")}\n`;
      expect(parseDiff(diff)).toEqual({ ok: true, units: [{ ...unit, line: 2 }] });
    },
  );

  test("that is never closed is no text", () => {
    expect(parseDiff(`\`\`\`\n${plain}`)).toEqual({ ok: true, units: [{ ...unit, line: 2 }] });
  });

  test("inside a unit belongs to its lines", () => {
    const search = "```ts\na\n```\n";
    expect(parseDiff(unitText(search, "b\n"))).toMatchObject({ units: [{ search }] });
  });
});

describe("a tag", () => {
  test("around the units names the file", () => {
    const diff = `\n<file-edit filePath="src/a.ts">\n${plain}</file-edit>\n\n`;
    const units = [{ ...unit, line: 3 }];
    expect(parseDiff(diff)).toEqual({ ok: true, units, filePath: "src/a.ts" });
  });

  test("stands in a code fence", () => {
    const diff = `\`\`\`xml\n<file-edit filePath="a">\n${plain}</file-edit>\n\`\`\`\n`;
    expect(parseDiff(diff)).toEqual({ ok: true, units: [{ ...unit, line: 3 }], filePath: "a" });
  });

  test("with CRLF names the file that it names with LF", () => {
    const diff = `<file-edit filePath="a">\n${plain}</file-edit>\n`.replaceAll("\n", "\r\n");
    expect(parseDiff(diff)).toEqual({ ok: true, units: [{ ...unit, line: 2 }], filePath: "a" });
  });

  test("that names no file leaves the file open", () => {
    const parsed = parseDiff(`<file-edit>\n${plain}</file-edit>`);
    expect(parsed).toEqual({ ok: true, units: [{ ...unit, line: 2 }] });
  });
});

describe("the whole diff is malformed", () => {
  test.each([
    ["before the first unit", `Here it is:\n${plain}`, "Here it is:"],
    ["between two units", `${plain}\nAnd now:\n${plain}`, "And now:"],
    ["after the last unit", `${plain}\nThat is all.`, "That is all."],
    ["in a tag before the units", `<file-edit filePath="a">\nHi.\n${plain}</file-edit>`, "Hi."],
    [
      "in a tag between units",
      `<file-edit filePath="a">\n${plain}So:\n${plain}</file-edit>`,
      "So:",
    ],
    ["in a tag after the units", `<file-edit filePath="a">\n${plain}Bye.\n</file-edit>`, "Bye."],
    ["before a tag", `Hi.\n<file-edit filePath="a">\n${plain}</file-edit>`, "Hi."],
    ["after a tag", `<file-edit filePath="a">\n${plain}</file-edit>\nBye.`, "Bye."],
  ])("by text %s, and the error quotes that text", (_, diff, text) => {
    const { code, message } = refusal(diff);
    expect(code).toBe("malformed");
    expect(message).toContain(text);
    expect(message).toMatch(/\bline \d+/i);
  });

  test("by a unit without separator", () => {
    expect(refusal("------- SEARCH\na\n+++++++ REPLACE\n")).toEqual({
      code: "malformed",
      message: "The unit that begins on line 1 has no ======= between SEARCH and REPLACE.",
      unit: 1,
    });
  });

  test("by a separator of two characters", () => {
    const { code } = refusal("------- SEARCH\na\n==\nb\n+++++++ REPLACE\n");
    expect(code).toBe("malformed");
  });

  test("by a second SEARCH rule before the REPLACE rule", () => {
    expect(refusal(`${plain}------- SEARCH\na\n=======\nb\n${plain}`)).toEqual({
      code: "malformed",
      message: "The unit that begins on line 6 has no REPLACE rule before the next SEARCH rule.",
      unit: 2,
    });
  });

  test("by a unit of short rules beside one of full rules", () => {
    const { code, message } = refusal(`--- SEARCH\na\n===\nb\n+++ REPLACE\n${plain}`);
    expect(code).toBe("malformed");
    expect(message).toContain("--- SEARCH");
  });

  test.each([
    ["is empty", ""],
    ["holds blank lines only", "\n \n\r\n"],
    ["holds a code fence only", "```diff\n```\n"],
    ["holds an empty tag only", '<file-edit filePath="a">\n</file-edit>'],
  ])("if it %s, and the error says that there is no unit", (_, diff) => {
    const message = "The diff holds no unit: it has no SEARCH rule.";
    expect(refusal(diff)).toEqual({ code: "malformed", message, unit: undefined });
  });

  test("if two tags name two files", () => {
    const tag = (path: string) => `<file-edit filePath="${path}">\n${plain}</file-edit>\n`;
    expect(refusal(tag("a") + tag("b"))).toMatchObject({
      code: "malformed",
      message: "The diff names several files.",
    });
  });
});

describe("the whole diff is truncated", () => {
  test.each([
    ["in SEARCH", "------- SEARCH\na", 1],
    ["right after the SEARCH rule", "------- SEARCH\n", 1],
    ["in the separator", "------- SEARCH\na\n====", 1],
    ["in REPLACE", "------- SEARCH\na\n=======\nb", 1],
    ["in the REPLACE rule", "------- SEARCH\na\n=======\nb\n+++++++ REPL", 1],
    ["before the word of the REPLACE rule", "------- SEARCH\na\n=======\nb\n+++++++", 1],
    ["in its second unit", `${plain}------- SEARCH\na\n`, 2],
    [
      "in a unit inside a tag that is closed",
      "<file-edit>\n------- SEARCH\na\n=======\n</file-edit>",
      1,
    ],
    ["in a unit inside a code fence", "```\n------- SEARCH\na\n=======\nb\n```\n", 1],
  ])("if it ends %s, and the error counts the unit", (_, diff, nth) => {
    const { code, message, unit: number } = refusal(diff);
    expect({ code, number }).toEqual({ code: "truncated", number: nth });
    expect(message).toMatch(/begins on line \d+ is cut off/);
  });

  test("if its tag is not closed, though its units are", () => {
    const { code, message } = refusal(`<file-edit filePath="a">\n${plain}`);
    expect(code).toBe("truncated");
    expect(message).toContain("<file-edit>");
  });
});

test("a unit of megabytes that can be read in several ways is read in one, so that its texts are few", () => {
  const rules = Array.from({ length: 30 }, (_, nth) => `${"=".repeat(8 + nth)}\n`).join("");
  const body = "x".repeat(1_000).concat("\n").repeat(3_000);
  const parsed = parseDiff(unitText("a\n", rules + body));
  if (!parsed.ok) throw new Error("It cannot be read.");
  const [read] = parsed.units;
  expect(read).toMatchObject({ search: "a\n", replace: rules + body });
  expect(read?.readings ?? []).toEqual([]);
});
