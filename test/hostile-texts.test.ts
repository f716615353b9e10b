// Texts from outside that once took minutes, or more arguments than a call has: each ends with its test.
import { expect, test } from "vitest";
import { splitLines } from "../src/cli/call/collect/read-editor.ts";
import { createMarkdownPainter } from "../src/cli/call/show/markdown-painter.ts";
import { createTerminal } from "../src/cli/call/terminal.ts";
import { withoutCredentials } from "../src/turn/context/variables.ts";
import { applyUnits } from "../src/edit/edit-session.ts";
import { readOpeningTag } from "../src/edit/read/dress/tags.ts";
import { FileIndex } from "../src/edit/find/file-index.ts";
import { mayBecomeMark } from "../src/edit/read/answer-scanner.ts";
import { isDone } from "../src/edit/find/locate-unit.ts";
import { formatUnifiedDiff } from "../src/edit/unified-diff.ts";
import { findTestFramework } from "../src/flows/test/test-framework.ts";
import { readMarkdown } from "../src/knowledge/markdown-sections.ts";
import { tokenize } from "../src/knowledge/tokenize.ts";
import { analyzePlain } from "../src/code/plain/analyze-plain.ts";
import { findLexemes, lexicalRules } from "../src/code/plain/lexical-rules.ts";
import { readCases } from "../src/flows/test/case-prompt.ts";
import { Screen } from "./cli/call/screen.ts";

const many = 400_000;
const run = (sign: string): string => sign.repeat(Math.ceil(many / sign.length));
const lexemes = (id: string, text: string) => {
  const rules = lexicalRules.find(({ ids }) => ids.includes(id));
  return rules && findLexemes(text, rules);
};
test.each<[string, () => unknown, unknown]>([
  ["a remote of letters", () => withoutCredentials(run("a")).length, many],
  ["a line of rule signs", () => mayBecomeMark(`${run(">")}x`), false],
  ["a word of dollars", () => tokenize(`a${run("$")}b`).length, 1],
  ["a heading of brackets", () => readMarkdown([`# ${run("[")}`]).sections.length, 1],
  [
    "a heading of links without an end",
    () => readMarkdown([`# ${run("[a](")}`]).sections.length,
    1,
  ],
  ["fences that nothing closes", () => readMarkdown(run("```\n").split("\n")).sections.length, 1],
  ["a test case of blanks", () => readCases(`1. ${run(" ")}\r`).cases[0]?.description, ""],
  ["one line without an end", () => splitLines(run("a")).length, 1],
  [
    "a fence of backticks",
    () =>
      createMarkdownPainter(createTerminal(new Screen(), new Screen())).feed(`${run("`")}x\`\n`)
        .length,
    many + 3,
  ],
  ["hashes of Swift", () => lexemes("swift", run("#"))?.comments, []],
  ["dollars of Kotlin", () => lexemes("kotlin", run("$"))?.comments, []],
  [
    "substitutions of a shell",
    () => lexemes("bash", run(`${"$(a ".repeat(120)})`)),
    { comments: [] },
  ],
  ["raw strings of R", () => lexemes("r", `r"${run("-")}(`), undefined],
  ["escaped quotes", () => analyzePlain(run(`${'"\\'.repeat(249)}\n`)).symbols, []],
  [
    "settings of pytest",
    () =>
      findTestFramework("python")?.testPath("a.py", [
        { filepath: "pytest.ini", content: `testpaths =${run("\n")}` },
      ]),
    "test_a.py",
  ],
  ["a tag of quotes", () => readOpeningTag(`<file-edit ${run('""').repeat(20)}`), undefined],
  ["a run of Chinese", () => tokenize(run("中")).length, 2 * many - 1],
])("%s", (_, read, expected) => {
  const found = read();
  if (typeof expected === "object" && expected !== null) expect(found).toMatchObject(expected);
  else expect(found).toBe(expected);
});

test("a diff shows a line without an end whole", () => {
  expect(formatUnifiedDiff("a", "", run("a"))).toContain(`+${run("a")}`);
});

test("40,000 lines in the other order are not all compared with each other", () => {
  const search = Array.from(
    { length: 40_000 },
    (_, at) => `call(${"a".repeat(at % 97)}${at * 7919});`,
  );
  const replace = search.toReversed().map((line) => line.replace("call", "tell"));
  const index = new FileIndex(replace.join("\n"));
  expect(isDone({ search: [...search, "end();"], replace }, index)).toBe(true);
});

test("130,000 lines that REPLACE indents as the file does are applied", () => {
  const lines = Array.from({ length: 130_000 }, (_, at) => `line ${at}`);
  const indented = lines.map((line) => `  ${line}`).join("\n");
  const search = `head {\n${lines.join("\n")}\n}\n`;
  const replace = `head {\n${indented}\n  new\n}\n`;
  const result = applyUnits(`head {\n${indented}\n}\n`, [{ search, replace }]);
  expect(result).toMatchObject({ ok: true, text: replace });
});
