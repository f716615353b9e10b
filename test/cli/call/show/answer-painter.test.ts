import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createAnswerPainter } from "../../../../src/cli/call/show/answer-painter.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { formatUnifiedDiff } from "../../../../src/edit.ts";
import { Screen } from "../screen.ts";

const red = (line: string) => `\u001b[31m${line}\u001b[39m`;
const green = (line: string) => `\u001b[32m${line}\u001b[39m`;

function createPainter() {
  return createAnswerPainter(createTerminal(new Screen(), new Screen()));
}

function paint(...pieces: string[]): string {
  const painter = createPainter();
  return pieces.map((piece) => painter.feed(piece)).join("") + painter.finish();
}

test("a diff in an answer is coloured, and without its colours it is the answer byte by byte", () => {
  const diff = formatUnifiedDiff("a.js", "a == b;\n-- x\nc\n", "a === b;\nc\nd\n");
  const answer = `The cause.\n\n\`\`\`diff\n${diff}\`\`\`\n\n- Change 1\n`;
  const painted = paint(answer);
  expect(stripVTControlCharacters(painted)).toBe(answer);
  expect(painted.split("\n").slice(2)).toEqual([
    "```diff",
    "\u001b[1m--- a/a.js\u001b[22m",
    "\u001b[1m+++ b/a.js\u001b[22m",
    "\u001b[36m@@ -1,3 +1,3 @@\u001b[39m",
    red("-a == b;"),
    red("--- x"),
    green("+a === b;"),
    " c",
    green("+d"),
    "```",
    "",
    "- Change 1",
    "",
  ]);
});

test("text that looks like a diff is not coloured outside of a block that says diff", () => {
  const answer = [
    "--- a/a.js",
    "@@ -1 +1 @@",
    "- one",
    "+ two",
    "```",
    "-x",
    "```",
    "```js",
    "-x;",
    "```",
    "Write ```diff -x``` for it.",
    "-x",
    "````markdown",
    "```diff",
    "-x",
    "```",
    "````",
    "-x",
    "",
  ].join("\n");
  expect(paint(answer)).toBe(answer);
});

test("a longer fence holds shorter ones, and a fence that the diff quotes does not end it", () => {
  expect(paint("````diff\n+```js\n```\n-x\n````\n-y\n")).toBe(
    `\`\`\`\`diff\n${green("+```js")}\n\`\`\`\n${red("-x")}\n\`\`\`\`\n-y\n`,
  );
  expect(paint("```diff\n ```\n-x\n```\n-y\n")).toBe(
    `\`\`\`diff\n \`\`\`\n${red("-x")}\n\`\`\`\n-y\n`,
  );
  expect(paint("~~~ diff\n```\n-x\n~~~\n-y\n")).toBe(`~~~ diff\n\`\`\`\n${red("-x")}\n~~~\n-y\n`);
});

test("a diff inside a list is coloured behind its indentation", () => {
  expect(paint("1. So:\n   ```diff\n   -x\n   +y\n   ```\n   -z\n")).toBe(
    `1. So:\n   \`\`\`diff\n   ${red("-x")}\n   ${green("+y")}\n   \`\`\`\n   -z\n`,
  );
});

test("outside of a diff nothing waits, inside of one a line waits for its end", () => {
  const painter = createPainter();
  const pieces = ["So", ":\n``", "`diff\n-", "x", "\n+y", "\n`", "``\ndo", "ne"];
  expect(pieces.map((piece) => painter.feed(piece))).toEqual([
    "So",
    ":\n``",
    "`diff\n",
    "",
    `${red("-x")}\n`,
    `${green("+y")}\n`,
    "```\ndo",
    "ne",
  ]);
  expect(painter.finish()).toBe("");
});

test("a diff that is cut off keeps its last line", () => {
  expect(paint("```diff\n-x\n+y")).toBe(`\`\`\`diff\n${red("-x")}\n${green("+y")}`);
  expect(paint("```diff\n-x\n``")).toBe(`\`\`\`diff\n${red("-x")}\n\`\``);
  expect(paint("```diff")).toBe("```diff");
});

test("an answer cut anywhere is painted as the whole answer is, and loses nothing", () => {
  const parts = [
    "```diff\n",
    "````diff\n",
    "```\n",
    "~~~\n",
    "  ",
    "-",
    "+",
    "@@",
    "--- ",
    "`",
    "a",
    "\n",
  ];
  const answers = fc
    .array(fc.constantFrom(...parts), { maxLength: 30 })
    .map((list) => list.join(""));
  fc.assert(
    fc.property(answers, fc.array(fc.nat(5), { minLength: 1 }), (answer, sizes) => {
      const pieces: string[] = [];
      for (let at = 0, nth = 0; at < answer.length; nth += 1) {
        const size = (sizes[nth % sizes.length] ?? 0) + 1;
        pieces.push(answer.slice(at, at + size));
        at += size;
      }
      const painted = paint(...pieces);
      expect(painted).toBe(paint(answer));
      expect(stripVTControlCharacters(painted)).toBe(answer);
    }),
  );
});

test("where there are no colours an answer stays as it is", () => {
  const painter = createAnswerPainter(createTerminal(new PassThrough(), new PassThrough()));
  const answer = "```diff\n-x\n```\n";
  expect(painter.feed(answer) + painter.finish()).toBe(answer);
});
