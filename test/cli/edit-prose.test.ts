import { expect, test } from "vitest";
import { applyToFile } from "../../src/cli/edit/edit-file.ts";

const unit = { search: "retry(1)\n", replace: "retry(2)\n", line: 1, strict: true };

test("a part of a line is code or a comment as the language of the file has it", async () => {
  const division = await applyToFile("sums.py", "x = a // retry(1)\n", [unit]);
  expect(division).toMatchObject({ ok: true, text: "x = a // retry(2)\n" });
  const comment = await applyToFile("sums.ts", "x = a // retry(1)\n", [unit]);
  expect(comment).toMatchObject({ ok: false, error: { code: "no-match" } });
});

test("code is not found in a string over several lines that only a parser tells", async () => {
  const before = "const a = `\n  ${b} retry(1)\n`;\n";
  const result = await applyToFile("text.ts", before, [unit]);
  expect(result).toMatchObject({ ok: false, error: { code: "no-match" } });
});
