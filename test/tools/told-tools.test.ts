// What models are told of the tools, held against what the tools take.
import { describe, expect, test } from "vitest";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { applyPlan, readPlan } from "../../src/tools/edit-plan/apply-plan.ts";
import { computeEdit } from "../../src/tools/workspace/compute-edit.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { readAnswer } from "./text-calls/read-answer.ts";

const locales = ["en", "zh"] as const;
const toolbox = createWorkspaceTools();
const files = loadPromptFiles();
const prompt = (locale: string, name: string): string => files[`${locale}/${name}`] ?? "";

/** Names of tools and fields are written like this, and nothing else is. */
const namesIn = (text: string): string[] => text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, quoted = ""]) => quoted);
const numbersIn = (text: string): string[] => text.match(/\d+/g) ?? [];

interface ToldTool {
  name: string;
  texts: [en: string, zh: string][];
}
const told = toolbox.tools.map(({ name, description, fields }): ToldTool => ({
  name,
  texts: [description, ...Object.values(fields)].map(({ en, zh }) => [en, zh]),
}));
const known = new Set([
  ...toolbox.names,
  ...toolbox.tools.flatMap(({ fields }) => Object.keys(fields)),
  // What results are in, and what a plan of lines has.
  "tool_result",
  "start_line",
  "end_line",
]);

describe.each(locales)("what a model is told in %s", (locale) => {
  const offered = toolbox.offer(locale);
  const texts = [
    prompt(locale, "code"),
    prompt(locale, "plan-edit-again"),
    ...told.flatMap((tool) => tool.texts.map(([en, zh]) => (locale === "en" ? en : zh))),
  ];

  test("names no tool and no field that does not exist", () => {
    expect([...new Set(texts.flatMap(namesIn))].filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(offered)("says of each field of $name what it is for", ({ parameters }) => {
    const properties = Object.values(parameters["properties"] ?? {}) as { description?: string }[];
    expect(properties.filter(({ description = "" }) => description === "")).toEqual([]);
  });

  test.each(offered)("lets fields of $name be left out that may be", ({ parameters }) => {
    const required = parameters["required"] as string[];
    const properties = Object.entries(parameters["properties"] ?? {}) as [
      string,
      { description: string },
    ][];
    const optional = properties.filter(([, { description }]) =>
      /\bleave (?:it )?out\b|省略(?:时|。|$)/i.test(description),
    );
    expect(optional.map(([name]) => name).filter((name) => required.includes(name))).toEqual([]);
  });

  test("has every form of an edit in the prompt that the schema allows", () => {
    const field = toolbox.find("edit_file")?.fields["code_edit"]?.[locale] ?? "";
    const forms = quotedIn(field);
    expect(forms).toContain("... existing code ...");
    const rules = prompt(locale, "code");
    expect(forms.filter((form) => !rules.includes(form))).toEqual([]);
  });

  test("has an example that is a call, and does what it says", async () => {
    const [, example = ""] =
      /{% if writesCalls[^\n]*\n([^]*?){% endif/.exec(prompt(locale, "code")) ?? [];
    const { calls, faults } = readAnswer(example);
    expect(faults).toEqual([]);
    expect(calls.map(({ tool }) => tool)).toEqual(["edit_file"]);
    const { code_edit: edit = "" } = { ...(calls[0]?.args as { code_edit?: string }) };
    const before = "f() {\n  return w + h;\n}\n";
    const { signal } = new AbortController();
    const { result } = await computeEdit("src/area.js", before, edit, undefined, signal);
    expect(result).toMatchObject({ ok: true, text: "f() {\n  return w * h;\n}\n" });
  });

  test("has a plan of lines that can be read, and applied", () => {
    const plan = /^\[\{.*\}\]$/m.exec(prompt(locale, "plan-edit-again"))?.[0] ?? "";
    const edits = readPlan(plan);
    expect(edits).toHaveLength(1);
    expect(applyPlan("1\n2\n3\n4\n5\n6\n", edits ?? [])).toMatchObject({ ok: true });
  });
});

test.each(told)("of $name both languages say the same: names, marks, numbers", ({ texts }) => {
  for (const [en, zh] of texts)
    for (const read of [namesIn, quotedIn, numbersIn])
      expect(read(zh).toSorted()).toEqual(read(en).toSorted());
});

test("the prompts of both languages name the same tools, fields and marks", () => {
  for (const name of ["code", "plan-edit-again"]) {
    const [en, zh] = locales.map((locale) => prompt(locale, name));
    for (const read of [namesIn, numbersIn])
      expect(new Set(read(zh ?? ""))).toEqual(new Set(read(en ?? "")));
  }
});
