// Diffs of documents that are about diffs: lines of their text look like rules.
import { describe, expect, test } from "vitest";
import { parseDiff } from "../../../src/edit/read/parse-diff.ts";

const rules = (length: number) => ({
  search: `${"-".repeat(length)} SEARCH\n`,
  separator: `${"=".repeat(length)}\n`,
  replace: `${"+".repeat(length)} REPLACE\n`,
});
const [short, full, long] = [rules(3), rules(7), rules(20)];
const example = `${full.search}x\n${full.separator}y\n${full.replace}`;

function unitsOf(diff: string) {
  const parsed = parseDiff(diff);
  return parsed.ok ? parsed.units : parsed.error.code;
}

describe("a text about edits", () => {
  test("in SEARCH is read whole if the rules around it are longer", () => {
    const diff = `${long.search}${example}${long.separator}z\n${long.replace}`;
    expect(unitsOf(diff)).toMatchObject([
      { search: example, replace: "z\n", line: 1, strict: true },
    ]);
  });

  test("in REPLACE is read whole if the rules around it are longer", () => {
    const replace = `See:\n${example}\n${example}Done.\n`;
    const diff = `${long.search}z\n${long.separator}${replace}${long.replace}`;
    expect(unitsOf(diff)).toMatchObject([{ search: "z\n", replace, strict: true }]);
  });

  test("that ends with an example is read whole", () => {
    const diff = `${long.search}z\n${long.separator}${example}${long.replace}${example}`;
    expect(unitsOf(diff)).toMatchObject([
      { search: "z\n", replace: example, line: 1 },
      { search: "x\n", replace: "y\n", line: 10 },
    ]);
  });

  test("holds short rules between full ones", () => {
    const text = `${short.search}x\n${short.separator}y\n${short.replace}`;
    const diff = `${full.search}${text}${full.separator}${text}${full.replace}`;
    expect(unitsOf(diff)).toEqual([{ search: text, replace: text, line: 1, strict: true }]);
  });

  test("with rules of its own length is refused", () => {
    expect(unitsOf(`${full.search}${example}${full.separator}z\n${full.replace}`)).toBe(
      "malformed",
    );
  });

  test("holds a lone REPLACE rule that is followed by text", () => {
    const replace = `Write\n${full.replace}at the end.\n`;
    expect(unitsOf(`${full.search}z\n${full.separator}${replace}${full.replace}`)).toMatchObject([
      { search: "z\n", replace },
    ]);
  });

  test("holds a lone REPLACE rule before a code fence", () => {
    const replace = `\`\`\`\n${full.replace}\`\`\`\n`;
    expect(unitsOf(`${long.search}z\n${long.separator}${replace}${long.replace}`)).toMatchObject([
      { search: "z\n", replace },
    ]);
  });

  test("that is cut off inside the example is truncated", () => {
    const diff = `${long.search}z\n${long.separator}${full.search}x\n${full.separator}y\n`;
    expect(unitsOf(diff)).toBe("truncated");
    expect(unitsOf(`${diff}${full.replace}`)).toBe("truncated");
  });

  test("keeps the bytes of closing tags in it", () => {
    const replace = "  </file-edit> closes it\n\t</file-edit>\nas +++ REPLACE</file-edit>\n";
    const inTag = `<file-edit filePath="a.md">\n${full.search}z\n${full.separator}${replace}${full.replace}</file-edit>\n`;
    expect(unitsOf(inTag)).toMatchObject([{ search: "z\n", replace }]);
  });

  test("keeps a REPLACE rule and a closing tag on one line as the one line that they are", () => {
    const replace = "+++++++ REPLACE</file-edit>\nz\n";
    const inTag = `<file-edit filePath="a.md">\n${long.search}z\n${long.separator}${replace}${long.replace}</file-edit>\n`;
    expect(unitsOf(inTag)).toMatchObject([{ search: "z\n", replace }]);
  });
});

describe("several lines that could be the separator", () => {
  test("give a reading each, in the order of the lines, and no strict unit", () => {
    const diff = `${full.search}a\n${full.separator}b\n${full.separator}c\n${full.separator}${full.replace}`;
    expect(unitsOf(diff)).toEqual([
      {
        search: "a\n",
        replace: "b\n=======\nc\n=======\n",
        line: 1,
        strict: false,
        markers: ["======="],
        readings: [
          { search: "a\n=======\nb\n", replace: "c\n=======\n" },
          { search: "a\n=======\nb\n=======\nc\n", replace: "" },
        ],
      },
    ]);
  });

  test("are read first at the one that is as long as the SEARCH rule", () => {
    const diff = `${full.search}a\n========\nb\n${full.separator}c\n${full.replace}`;
    expect(unitsOf(diff)).toEqual([
      {
        search: "a\n========\nb\n",
        replace: "c\n",
        line: 1,
        strict: true,
        readings: [{ search: "a\n", replace: "b\n=======\nc\n" }],
      },
    ]);
  });

  test("are not those that are too short to count", () => {
    const diff = `${full.search}a\n======\nb\n${full.separator}c\n${full.replace}`;
    expect(unitsOf(diff)).toEqual([
      { search: "a\n======\nb\n", replace: "c\n", line: 1, strict: true },
    ]);
  });

  test("stand between the rules, not after the REPLACE rule that ends the unit", () => {
    const diff = `${full.search}a\n${full.separator}b\n${full.replace}\n${full.search}c\n${full.separator}d\n${full.replace}`;
    expect(unitsOf(diff)).toEqual([
      { search: "a\n", replace: "b\n", line: 1, strict: true },
      { search: "c\n", replace: "d\n", line: 7, strict: true },
    ]);
  });

  test("are 32 at most", () => {
    const diff = (count: number) => `${full.search}${full.separator.repeat(count)}${full.replace}`;
    expect(unitsOf(diff(32))).toMatchObject([{ search: "", replace: "=======\n".repeat(31) }]);
    expect(parseDiff(diff(32))).toHaveProperty("units.0.readings.length", 31);
    expect(unitsOf(diff(33))).toBe("malformed");
  });

  test("are 32 at most if none is as long as the SEARCH rule", () => {
    // A reading that is left out may be the right one, and a wrong one may fit.
    const diff = (count: number) => `${full.search}${"========\n".repeat(count)}${full.replace}`;
    expect(parseDiff(diff(32))).toHaveProperty("units.0.readings.length", 31);
    expect(unitsOf(diff(33))).toBe("malformed");
  });

  test("are no reason to refuse a unit whose own separator is alone in its length", () => {
    const search = "T\n========\n".repeat(40);
    const diff = `${full.search}${search}${full.separator}z\n${full.replace}`;
    expect(unitsOf(diff)).toMatchObject([{ search, replace: "z\n", strict: true }]);
  });
});
