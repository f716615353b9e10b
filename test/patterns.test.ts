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

async function lintLoop(loop: string): Promise<string[]> {
  const config = JSON.stringify({
    jsPlugins: [`${root}scripts/lint-patterns.ts`],
    rules: { "patterns/no-loose-loop": "error" },
  });
  await writeFile(join(folder, "oxlintrc.json"), config);
  const path = join(folder, "loop.ts");
  await writeFile(
    path,
    `export function read(text: string, next: (at: number) => number) {\n${loop}\n}\n`,
  );
  const { text } = run("oxlint", ["-c", join(folder, "oxlintrc.json"), "--format=json", path]);
  return Report.parse(JSON.parse(text)).diagnostics.map((found) => found.code);
}

test.each([
  "let at = 0; while (at < text.length) at = next(at);",
  "for (let at = 0; at < text.length; at = next(at)) next(0);",
  "for (;;) if (next(0) === 1) return;",
  "let at = 0; do { at = next(at); } while (at < text.length);",
])("%s is reported as a loop that may stay where it is", async (loop) => {
  expect(await lintLoop(loop)).toContain("patterns(no-loose-loop)");
});

test.each([
  "for (let at = 0; at < text.length; at += 1) next(at);",
  "let at = 0; while (at < text.length) { next(at); at += 2; }",
  'for (let at = text.indexOf("a"); at !== -1; at = text.indexOf("a", at + 1)) next(at);',
  "for (const sign of text) next(sign.length);",
])("%s goes on", async (loop) => {
  expect(await lintLoop(loop)).not.toContain("patterns(no-loose-loop)");
});

test("a linear pattern passes", async () => {
  expect(
    await lint("export const one = (text: string) => text.replaceAll(/[ \\t]+/g, ' ');"),
  ).toEqual([]);
});
