import { expect, test } from "vitest";
import { explainError } from "../../src/cli/edit/edit-file.ts";
import { applyDiff, type EditError, formatUnifiedDiff, printUnits } from "../../src/edit.ts";

/** How a diff is refused, as a person reads it. */
function refusalOf(before: string | undefined, diff: string): string {
  const result = applyDiff(before, diff);
  if (result.ok) throw new Error("The diff was applied.");
  return explainError(result.error, diff).message;
}

test("who brings a unified diff that cannot be read is told so, and what is wanted", () => {
  const added = "--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2,1 @@\n+b\n";
  const message = refusalOf("a\n", added);
  expect(message).toMatch(/^The diff adds lines on line 4/);
  expect(message).toContain("This is a unified diff, which `git apply` and `patch` take.");
  expect(message).toContain("a line `------- SEARCH`, the lines to find");
  const head = "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n";
  expect(refusalOf("a\n", head + added)).toContain("This is a unified diff");
});

test("who brings a unified diff that can be read has it applied", () => {
  const diff = formatUnifiedDiff("a.txt", "a\n", "b\n");
  expect(applyDiff("a\n", diff)).toMatchObject({ ok: true, text: "b\n" });
});

test("who wants a file that is missing is told how to create one", () => {
  const diff = printUnits([{ search: "a\n", replace: "b\n" }]);
  expect(refusalOf(undefined, diff)).toMatch(/To create it, write one unit with nothing between/);
});

test("any other refusal stays as it is, also where a unit quotes a unified diff", () => {
  const error: EditError = { code: "no-match", message: "No.", forModel: "No." };
  expect(explainError(error, "--- a\n+++ b\n@@ -1 +1 @@\n")).toEqual(error);
  expect(refusalOf("a\n", "hello\n")).not.toContain("unified");
});
