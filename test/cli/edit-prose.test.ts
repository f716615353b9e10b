import { expect, test } from "vitest";
import { applyToFile } from "../../src/cli/edit/edit-file.ts";

const unit = { search: "retry(1)\n", replace: "retry(2)\n", line: 1, strict: true };
/** Asked until a thread was there in time, which reads the file: a busy machine starts one too late. */
const applied = (path: string, before: string) =>
  expect.poll(() => applyToFile(path, before, [unit]));

test("a part of a line is code or a comment as the language of the file has it", async () => {
  const line = "x = a // retry(1)\n";
  await applied("sums.py", line).toMatchObject({ ok: true, text: "x = a // retry(2)\n" });
  await applied("sums.ts", line).toMatchObject({ ok: false, error: { code: "no-match" } });
});

test("code is not found in a string over several lines that only a parser tells", async () => {
  const before = "const a = `\n  ${b} retry(1)\n`;\n";
  await applied("text.ts", before).toMatchObject({ ok: false, error: { code: "no-match" } });
});
