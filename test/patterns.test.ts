// The linter finds patterns that take more than linear time, and those built from texts. Here it proves
// that it reads: a linter whose rules are off finds nothing, too.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, run } from "../scripts/run.ts";

const Report = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })),
  number_of_files: z.number(),
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patterns-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What is found in each of the texts, in one start of the linter. */
async function lint(codes: readonly string[], config = `${root}.oxlintrc.json`) {
  const paths = codes.map((_, nth) => join(folder, `case${nth}.ts`));
  for (const [nth, code] of codes.entries()) await writeFile(paths[nth] ?? "", `${code}\n`);
  const { text } = run("oxlint", ["-c", config, "--format=json", ...paths]);
  const report = Report.parse(JSON.parse(text));
  expect(report.number_of_files).toBe(codes.length);
  return codes.map((_, nth) =>
    report.diagnostics
      .filter(({ filename }) => filename.endsWith(`case${nth}.ts`))
      .map(({ code }) => code),
  );
}

test("patterns that take more than linear time, or that nobody reads, are reported", async () => {
  const found: [code: string, rule: string][] = [
    ["text.replace(/\\s+$/, '')", "regexp(no-super-linear-move)"],
    ["/^[ \\t]*\\n?[ \\t]*$/.test(text)", "regexp(no-super-linear-backtracking)"],
    ["/^(?<name>\\p{L}+)[\\p{L}.]*;$/u.test(text)", "regexp(no-super-linear-backtracking)"],
    ["/[[\\p{L}]--[a-z]]+;/v.test(text)", "regexp(no-super-linear-move)"],
    ["new RegExp(text)", "patterns(no-built-pattern)"],
    ["RegExp(`^${text}$`, 'u')", "patterns(no-built-pattern)"],
    ["text.replaceAll(/[ \\t]+/g, ' ')", ""],
  ];
  const codes = found.map(([code]) => `export const a = (text: string) => ${code};`);
  expect(await lint(codes)).toEqual(found.map(([, rule]) => (rule === "" ? [] : [rule])));
});

test("a loop that may stay where it is is reported", async () => {
  const config = join(folder, "oxlintrc.json");
  const plugin = `${root}scripts/lint-patterns.ts`;
  const rules = { "patterns/no-loose-loop": "error" };
  await writeFile(config, JSON.stringify({ jsPlugins: [plugin], rules }));
  const loops: [loop: string, isLoose: boolean][] = [
    ["let at = 0; while (at < text.length) at = next(at);", true],
    ["for (let at = 0; at < text.length; at = next(at)) next(0);", true],
    ["for (;;) if (next(0) === 1) return;", true],
    ["let at = 0; do { at = next(at); } while (at < text.length);", true],
    ["for (let at = 0; at < text.length; at += 1) next(at);", false],
    ["let at = 0; while (at < text.length) { next(at); at += 2; }", false],
    [
      'for (let at = text.indexOf("a"); at !== -1; at = text.indexOf("a", at + 1)) next(at);',
      false,
    ],
    ["for (const sign of text) next(sign.length);", false],
  ];
  const reports = await lint(
    loops.map(
      ([loop]) => `export function read(text: string, next: (at: number) => number) {\n${loop}\n}`,
    ),
    config,
  );
  expect(reports.map((codes) => codes.includes("patterns(no-loose-loop)"))).toEqual(
    loops.map(([, isLoose]) => isLoose),
  );
});
