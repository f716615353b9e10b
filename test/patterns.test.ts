// The linter finds patterns that take more than linear time, and those built from texts. Here it proves
// that it reads: a linter whose rules are off finds nothing, too.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, run } from "../scripts/run.ts";

const Report = z.object({
  diagnostics: z.array(z.object({ code: z.string() })),
  number_of_files: z.number(),
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patterns-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function lint(code: string): Promise<string[]> {
  const path = join(folder, "case.ts");
  await writeFile(path, `${code}\n`);
  const { text } = run("oxlint", ["-c", `${root}.oxlintrc.json`, "--format=json", path]);
  const report = Report.parse(JSON.parse(text));
  expect(report.number_of_files).toBe(1);
  return report.diagnostics.map((found) => found.code);
}

test.each([
  ["export const ends = (text: string) => text.replace(/\\s+$/, '');", "no-super-linear-move"],
  ["export const blanks = /^[ \\t]*\\n?[ \\t]*$/;", "no-super-linear-backtracking"],
  ["export const named = /^(?<name>\\p{L}+)[\\p{L}.]*;$/u;", "no-super-linear-backtracking"],
  ["export const wide = /[[\\p{L}]--[a-z]]+;/v;", "no-super-linear-move"],
])("%s is reported", async (code, rule) => {
  expect(await lint(code)).toEqual([`regexp(${rule})`]);
});

test.each([
  "export const find = (text: string) => new RegExp(text);",
  "export const find = (text: string) => RegExp(`^${text}$`, 'u');",
])("%s is reported as a pattern that nobody reads", async (code) => {
  expect(await lint(code)).toEqual(["patterns(no-built-pattern)"]);
});

test("a linear pattern passes", async () => {
  expect(
    await lint("export const one = (text: string) => text.replaceAll(/[ \\t]+/g, ' ');"),
  ).toEqual([]);
});
