import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { evalCommands } from "../../eval/eval-case.ts";
import { hasDefect } from "../../eval/judge-edit.ts";
import { filterCases, loadCases, loadListed, toCase } from "../../eval/load-cases.ts";
import { applyUnits } from "../../src/edit.ts";
import { offlineModel } from "../helpers/offline-model.ts";
import { code, evaluate } from "./scripted-eval.ts";

const listed = loadListed();
const defects = listed
  .filter(({ defect }) => defect !== undefined)
  .map((row) => ({ ...row, title: `${row.file} ${row.symbol}` }));

test("the package ships the cases", () => {
  expect(manifest.files).toContain("eval-cases");
});

test("there are known defects in at least six languages, two in most", async () => {
  const languages = await Promise.all(
    defects.map(
      async ({ content, file }) => (await code.analyze(content, undefined, file)).language,
    ),
  );
  expect(new Set(languages).size).toBeGreaterThanOrEqual(6);
  expect(defects.length).toBeGreaterThanOrEqual(12);
});

test.each(listed.map(({ file, content }) => [file, content]))(
  "%s has no syntax error",
  async (file, content) => {
    expect((await code.analyze(content, undefined, file)).problems).toEqual([]);
  },
);

test.each(defects)("the defect of $title is there, and a right repair mends it", async (row) => {
  const asked = toCase(row);
  expect(await hasDefect(asked, row.content, code)).toBe(true);
  const repaired = applyUnits(row.content, row.repair === undefined ? [] : [row.repair]);
  const text = repaired.ok ? repaired.text : "";
  expect(await hasDefect(asked, text, code)).toBe(false);
  expect((await code.analyze(text, undefined, row.file)).problems).toEqual([]);
});

test.each(defects)(
  "the offline model mends $title just if its rules know the fault",
  async (row) => {
    const result = await evaluate(toCase(row), offlineModel(code));
    const isMended = row.mendedOffline === true;
    expect(result).toMatchObject({ edit: isMended ? "first" : "none", isDefectGone: isMended });
  },
);

test("every command is asked on every file in twelve languages", () => {
  const cases = loadCases();
  for (const command of evalCommands) {
    const files = new Set(cases.filter((one) => one.command === command).map(({ path }) => path));
    expect(files.size).toBeGreaterThanOrEqual(12);
  }
});

test("filters keep what fits both, and refuse what fits nothing", () => {
  const cases = loadCases();
  const some = filterCases(cases, { flows: ["fix", "docstring"], files: ["Invoice.java"] });
  expect(some.map(({ command }) => command)).toEqual(["fix", "fix", "fix", "docstring"]);
  expect(filterCases(cases, { flows: [], files: [] })).toEqual(cases);
  expect(() => filterCases(cases, { flows: ["fixx"], files: [] })).toThrow(
    '--flow "fixx" is not known. There are: explain, fix,',
  );
  expect(() => filterCases(cases, { flows: [], files: ["nope.ts"] })).toThrow('--file "nope.ts"');
  expect(() => filterCases(cases, { flows: ["unittest"], files: ["Coupon.php"] })).toThrow(
    "No case has --flow unittest and --file Coupon.php.",
  );
});
