import { expect, test } from "vitest";
import { selectUnits } from "../../src/cli/edit/edit-file.ts";
import { printUnits } from "../../src/edit.ts";

const unit = (search: string, replace: string) => printUnits([{ search, replace }]);
const searches = (text: string, file: string) =>
  selectUnits(text, file).units.map(({ search }) => search);

test("units of a bare diff are meant for the file, also with text around them", () => {
  expect(searches(unit("a\n", "b\n"), "f.ts")).toEqual(["a\n"]);
  expect(searches(`Sure!\n${unit("a\n", "b\n")}Done.\n`, "f.ts")).toEqual(["a\n"]);
  expect(selectUnits(`Sure!\n${unit("a\n", "b\n").slice(0, 20)}`, "f.ts").error?.code).toBe(
    "malformed",
  );
});

test.each([
  ["a unified diff", "--- a/f.ts\n+++ b/f.ts\n@@ -1 +1 @@\n-a\n+b\n"],
  ["a diff in a fence", "Sure!\n\n```diff\n-a\n+b\n```\n"],
  ["JSON", '{"path": "f.ts", "search": "a", "replace": "b"}\n'],
  ["before/after blocks", "Before:\n```\na\n```\nAfter:\n```\nb\n```\n"],
])("%s is read", (_, text) => {
  expect(searches(text, "f.ts")).toEqual(["a\n"]);
});

test("code with marks is a code edit, and several options are refused with their titles", () => {
  const code = "// ... existing code ...\nb\n";
  expect(selectUnits(`\`\`\`ts\n${code}\`\`\`\n`, "f.ts").codeEdit).toBe(code);
  const options = `### Option A\n${unit("a\n", "b\n")}\n### Option B\n${unit("a\n", "c\n")}`;
  expect(selectUnits(options, "f.ts").error?.message).toContain("Option A; Option B");
});

test("tags that name the file, from the working directory, or no file are meant", () => {
  const tag = (name: string, search: string) =>
    `Text.\n<file-edit${name}>\n${unit(search, "x\n")}</file-edit>\n`;
  const answer = [
    tag(' filePath="src/f.ts"', "1\n"),
    tag(' filePath="./src/../src/f.ts"', "2\n"),
    tag(` filePath="${process.cwd()}/src/f.ts"`, "3\n"),
    tag("", "4\n"),
    tag(' filePath="f.ts"', "5\n"),
  ].join("");
  expect(searches(answer, "src/f.ts").toSorted()).toEqual(["1\n", "2\n", "3\n", "4\n"]);
  expect(selectUnits(answer, "src/f.ts").others).toEqual(["f.ts"]);
});

test("a fault in the edit of another file does not matter, one in the file's own refuses it", () => {
  const whole = `<file-edit filePath="f.ts">\n${unit("a\n", "b\n")}</file-edit>\n`;
  const broken = `<file-edit filePath="g.ts">\n${unit("a\n", "b\n").slice(0, 20)}`;
  expect(selectUnits(whole + broken, "f.ts").error).toBeUndefined();
  expect(selectUnits(whole + broken, "g.ts").error?.code).toBe("truncated");
});

test("tags that stand inside a unit are text of the file", () => {
  const inner = `<file-edit filePath="g.ts">\nold\n</file-edit>\n`;
  expect(searches(unit(inner, "x\n"), "f.ts")).toEqual([inner]);
});

test("an answer that names other files only is refused with their names", () => {
  const answer = `<file-edit filePath="g.ts\u001b[31m">\n${unit("a\n", "b\n")}</file-edit>\n`;
  expect(() => selectUnits(answer, "f.ts")).toThrow(
    String.raw`The answer edits g.ts\x1b[31m, and not f.ts.`,
  );
});
