import { expect, test } from "vitest";
import { createTerminal, printUnifiedDiff } from "../../src/cli/call/terminal.ts";
import { cliTexts } from "../../src/cli/texts.ts";
import { printEditError } from "../../src/cli/edit/edit-file.ts";
import { applyDiff, formatUnifiedDiff, printUnits } from "../../src/edit.ts";
import { Screen } from "./call/screen.ts";

function createScreen() {
  const [out, err] = [new Screen(), new Screen()];
  return { out, err, terminal: createTerminal(out, err) };
}

test("a unified diff goes to a program byte by byte, and to a person coloured and escaped", () => {
  const diff = formatUnifiedDiff("a.sql", "-- x\r\nkept\r\n", "\u001b[2J\r\nkept\r\n");
  const { out, terminal } = createScreen();
  printUnifiedDiff(diff, terminal, false);
  expect(out.text).toBe(diff);
  printUnifiedDiff(diff, terminal, true);
  expect(out.text.split("\n")).toEqual([
    "\u001b[1m--- a/a.sql\u001b[22m",
    "\u001b[1m+++ b/a.sql\u001b[22m",
    "\u001b[36m@@ -1,2 +1,2 @@\u001b[39m",
    "\u001b[31m--- x\u001b[39m",
    "\u001b[32m+\\x1b[2J\u001b[39m",
    " kept",
    "",
  ]);
});

test("every unit that failed is told, with the text of the file escaped", () => {
  const before = "one \u001b[2J\ntwo\nthree\ntwo\n";
  const result = applyDiff(
    before,
    printUnits([
      { search: "two\n", replace: "2\n" },
      { search: "nothing like it\n", replace: "" },
      { search: "one \u001b[2J\nthree\nfour\n", replace: "" },
    ]),
  );
  const { err, terminal } = createScreen();
  if (!result.ok) printEditError(result.error, { name: "f", before }, terminal);
  const { text } = err;
  expect(text).toMatch(/31mambiguous: Unit 1: [^]*31mno-match: Unit 2: [^]*31mno-match: Unit 3: /);
  expect(text).toContain("  line 2: two\n  line 4: two\n");
  expect(text).toContain(String.raw`one \x1b[2J`);
  expect(text).not.toContain("\u001b[2J");
  expect(text.endsWith("f was not changed.\n")).toBe(true);
});

test("lines are named as people name them", () => {
  expect(cliTexts("en").lines({ startLine: 3, endLine: 3 })).toBe("line 3");
  expect(cliTexts("en").lines({ startLine: 3, endLine: 5 })).toBe("lines 3 to 5");
  expect(cliTexts("en").lines({ startLine: 3, endLine: 2 })).toBe("before line 3");
});
