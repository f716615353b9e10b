import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import {
  createTerminal,
  printApprovalDiff,
  showWholeName,
} from "../../../../src/cli/call/terminal.ts";
import { Screen } from "../../call/screen.ts";

const terminal = createTerminal(new Screen(), new PassThrough(), { plain: true });
const head = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n";

test("what a terminal would hide is shown", () => {
  const diff = `${head}-a\n+a\u200b\u202e b \u001b[8mc\rd \u{e0041}\n`;
  expect(printApprovalDiff(diff, terminal)).toBe(
    `${head}-a\n+a\\u{200b}\\u202e b \\x1b[8mc\\x0dd \\u{e0041}`,
  );
});

test("line ends are shown where they differ, and only there", () => {
  expect(printApprovalDiff(`${head}-a\r\n+b\r\n`, terminal)).toBe(`${head}-a\n+b`);
  expect(printApprovalDiff(`${head}-a\r\n+a\n`, terminal)).toBe(`${head}-a\\x0d\n+a`);
});

test("lines come in colours where there are some", () => {
  const coloured = createTerminal(new Screen(), new PassThrough());
  expect(printApprovalDiff(`${head}-a\n+b\n`, coloured)).toContain("\u001b[32m+b");
});

test("names that differ look different", () => {
  const names = ["a b", "a  b", "a\tb", "a\nb", "a\r\nb", "a\u200bb", "a\u001bb", "ab", "a\u202eb"];
  expect(names.map(showWholeName)).toEqual([
    "a b",
    "a  b",
    "a\\tb",
    "a\\nb",
    "a\\r\\nb",
    "a\\u{200b}b",
    "a\\x1bb",
    "ab",
    "a\\u202eb",
  ]);
});
