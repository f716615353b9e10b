import * as fc from "fast-check";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { formatUnifiedDiff } from "../../../src/edit/unified-diff.ts";

const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, nth) => `${name} ${nth}\n`).join("");

test("a change is shown with three lines of context", () => {
  expect(
    formatUnifiedDiff("src/a.ts", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
  ).toBe(
    [
      "--- a/src/a.ts",
      "+++ b/src/a.ts",
      "@@ -2,7 +2,7 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+x",
      " 6",
      " 7",
      " 8",
      "",
    ].join("\n"),
  );
});

test("changes far from each other are shown in hunks of their own", () => {
  const before = many(30, "line");
  const after = before.replace("line 3\n", "x\n").replace("line 25\n", "y\n");
  expect(formatUnifiedDiff("f", before, after).match(/^@@ .*$/gm)).toEqual([
    "@@ -1,7 +1,7 @@",
    "@@ -23,7 +23,7 @@",
  ]);
});

test("no change is shown as nothing", () => {
  expect(formatUnifiedDiff("f", "a\n", "a\n")).toBe("");
});

test("a new file comes from /dev/null", () => {
  expect(formatUnifiedDiff("f", undefined, "a\nb\n")).toBe(
    "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n",
  );
});

test("a file that was emptied keeps its name", () => {
  expect(formatUnifiedDiff("f", "a\n", "")).toBe("--- a/f\n+++ b/f\n@@ -1,1 +0,0 @@\n-a\n");
});

test("the lack of a final line end is shown", () => {
  expect(formatUnifiedDiff("f", "a\nb", "a\nx")).toContain(
    "-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n",
  );
});

test("what is shown, applied to the text before, gives the text after", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "d e\n", "+x\n", "-y\n", "@@\n");
  const body = fc.array(line, { maxLength: 12 }).map((all) => all.join(""));
  const whole = fc.tuple(body, fc.constantFrom("", "end", "a")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(whole, whole, (before, after) => {
      fc.pre(before !== after);
      expect(applyPatch(before, formatUnifiedDiff("f", before, after))).toBe(after);
    }),
  );
});

test("texts that differ in too many lines are shown as one block that applies", () => {
  const head = many(5, "same");
  const [before, after] = [
    `${head}${many(3000, "old")}${many(5, "end")}`,
    `${head}${many(2500, "new")}${many(5, "end")}`,
  ];
  const shown = formatUnifiedDiff("f", before, after);
  expect(shown).toContain("@@ -3,3006 +3,2506 @@\n same 2\n same 3\n same 4\n-old 0\n");
  expect(applyPatch(before, shown)).toBe(after);
});

test("one block that ends a text without a final line end applies", () => {
  const [before, after] = [`${many(3000, "old")}last`, `${many(3000, "new")}last one`];
  expect(applyPatch(before, formatUnifiedDiff("f", before, after))).toBe(after);
});

test("one block of lines that were only added or only deleted applies", () => {
  const added = `a\n${many(5000, "new")}b\n`;
  expect(applyPatch("a\nb\n", formatUnifiedDiff("f", "a\nb\n", added))).toBe(added);
  expect(applyPatch(added, formatUnifiedDiff("f", added, "a\nb\n"))).toBe("a\nb\n");
  expect(applyPatch("", formatUnifiedDiff("f", undefined, added))).toBe(added);
  expect(applyPatch(added, formatUnifiedDiff("f", added, ""))).toBe("");
});
