// What is shown of a change is a patch that the real git takes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import { formatUnifiedDiff } from "../../../src/edit/unified-diff.ts";
import { printChanges } from "../../../src/workspace/approvals.ts";

function applyWithGit(patch: string, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-apply-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = spawnSync("git", ["apply", "--whitespace=nowarn", "-"], {
    cwd: folder,
    input: patch,
  });
  expect(git.stderr.toString()).toBe("");
  return (path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;
}

test.each([
  ["/home/ada/x.py", "home/ada/x.py"],
  ["//srv//x.py", "srv/x.py"],
  ["./src/x.py", "src/x.py"],
  ["src/../x.py", "x.py"],
  ["C:\\Users\\ada\\my app\\x.py", "Users/ada/my app/x.py"],
  ["c:/src/x.py", "src/x.py"],
  ["\\\\host\\share\\x.py", "host/share/x.py"],
  ["/etc/a b\tc", "etc/a b\tc"],
  ["notes 2020-01-01 00:00:00", "notes 2020-01-01 00:00:00"],
])("the diff of %j is one of %j", (path, name) => {
  const read = applyWithGit(formatUnifiedDiff(path, "1\n2\n", "1\n3"), { [name]: "1\n2\n" });
  expect(read(name)).toBe("1\n3");
  const created = applyWithGit(formatUnifiedDiff(path, undefined, "1\n"), {});
  expect(created(name)).toBe("1\n");
});

test("whatever files change, come and go, git makes the same of them", () => {
  const step = fc.string({
    unit: fc.constantFrom(
      "a",
      "Z",
      " ",
      "\t",
      '"',
      "'",
      "\\",
      "\n",
      "é",
      "件",
      "😀",
      "-",
      "+",
      "@",
    ),
    minLength: 1,
    maxLength: 6,
  });
  const line = fc.constantFrom("a\n", "b\n", "\n", "c\r\n", "--- a\n", "+++ b\n", "@@ -1 +1 @@\n");
  const text = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("", "end"))
    .map(([lines, last]) => lines.join("") + last);
  const side = fc.option(text, { nil: undefined });
  const change = fc.record({
    path: fc.array(step, { minLength: 1, maxLength: 3 }),
    before: side,
    after: side,
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (drawn) => {
      const changes = drawn
        // A number keeps names apart.
        .map(({ path, ...sides }, nth) => ({ ...sides, path: `${nth}${path.join("/")}` }))
        .filter(({ before, after }) => before !== after);
      fc.pre(changes.length > 0);
      const files = Object.fromEntries(
        changes.flatMap(({ path, before }) => (before === undefined ? [] : [[path, before]])),
      );
      const shown = changes.map(({ before, ...rest }) => ({
        ...rest,
        before: before === undefined ? undefined : { text: before, hash: "" },
      }));
      const read = applyWithGit(printChanges(shown), files);
      for (const { path, after } of changes) expect(read(path)).toBe(after);
    }),
    { numRuns: cases(20) },
  );
});
