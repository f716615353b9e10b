import { expect, test } from "vitest";
import { printChanges } from "../../src/workspace/approvals.ts";

const before = (text: string) => ({ text, hash: "1" });

test("a name cannot forge a line of the diff", () => {
  const path = 'a\n+++ b/"x"';
  const quoted = String.raw`"b/a\n+++ b/\"x\""`;
  const created = printChanges([{ path, before: undefined, after: "x\n" }]);
  expect(created).toBe(`--- /dev/null\n+++ ${quoted}\n@@ -0,0 +1,1 @@\n+x\n`);
  const empty = printChanges([{ path, before: undefined, after: "" }]);
  expect(empty).toBe(
    `diff --git ${quoted.replace("b/", "a/")} ${quoted}\nnew file mode 100644\n--- /dev/null\n+++ ${quoted}\n`,
  );
  const gone = printChanges([{ path, before: before("x\n"), after: undefined }]);
  expect(gone.split("\n").slice(1)).toEqual(["+++ /dev/null", "@@ -1,1 +0,0 @@", "-x", ""]);
});
