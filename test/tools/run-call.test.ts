import * as fc from "fast-check";
import * as z from "zod";
import { expect, test } from "vitest";
import { runCall } from "../../src/tools/run-call.ts";
import { type Tool, Toolbox } from "../../src/tools/tool.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../helpers/tool-workspace.ts";

const toolbox = createWorkspaceTools();
const files = { "a.txt": "one\ntwo\n" };

async function run(name: string, json: string, locale: "en" | "zh" = "en") {
  const finished = await runCall(
    { id: "c1", name, arguments: json },
    toolbox,
    createUse(files, { locale }),
  );
  expect(finished.result).toEqual({
    id: "c1",
    content: JSON.stringify(finished.outcome),
    isError: !finished.outcome.success,
  });
  return finished;
}

test.each(["__proto__", "constructor", "toString", "", "run_terminal_cmd", "x".repeat(10_000)])(
  "there is no tool %j, and the result names those that there are",
  async (name) => {
    const { outcome } = await run(name, "{}");
    expect(outcome).toMatchObject({ success: false, code: "unknown-tool" });
    expect(outcome["error"]).toContain("read_file, edit_file, delete_file");
    expect(String(outcome["error"]).length).toBeLessThan(500);
  },
);

test("a name that is nearly right is suggested", async () => {
  expect((await run("reed_file", "{}")).outcome["error"]).toContain("Did you mean read_file?");
  expect((await run("reed_file", "{}", "zh")).outcome["error"]).toContain("是否想用 read_file？");
});

test.each(["readTool", "tool_code.readTool", "functions.read_file", "Read_File", "readFile"])(
  "%s is read_file",
  async (name) => {
    const { tool, outcome } = await run(name, '{"filePath":"a.txt"}');
    expect(tool).toBe("read_file");
    expect(outcome).toMatchObject({ success: true, content: "one\ntwo\n" });
  },
);

test.each([
  ["numbers as texts", '{"target_file":"a.txt","start_line":"2","end_line":"2"}'],
  ["null for what is left out", '{"target_file":"a.txt","start_line":2,"end_line":null}'],
  ["an empty text for a number", '{"target_file":"a.txt","start_line":2,"end_line":""}'],
  ["fields inside of arguments", '{"arguments":{"target_file":"a.txt","start_line":2}}'],
  ["JSON as a text", JSON.stringify('{"target_file":"a.txt","start_line":2}')],
  ["fields that no tool has", '{"target_file":"a.txt","start_line":2,"x":{"__proto__":1}}'],
  ["single quotes", "{'target_file':'a.txt','start_line':2}"],
  ["a comma too many", '{"target_file":"a.txt","start_line":2,}'],
])("arguments with %s are understood", async (_, json) => {
  expect((await run("read_file", json)).outcome).toMatchObject({ content: "two\n" });
});

test.each([
  ["cut in a string", '{"target_file":"a.t'],
  ["cut before a bracket", '{"target_file":"a.txt"'],
  ["no JSON", "target_file: a.txt"],
  ["a list", '["a.txt"]'],
  ["a number", "12"],
  ["deep", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`],
  ["very deep and open", "[".repeat(500_000)],
  ["too long", JSON.stringify({ target_file: "x".repeat(1_048_577) })],
])("arguments that are %s are a result", async (_, json) => {
  const { outcome, params } = await run("read_file", json);
  expect(outcome).toMatchObject({ success: false, code: "bad-arguments" });
  expect(params).toEqual({});
});

test("fields of a wrong type are named", async () => {
  const { outcome } = await run("read_file", '{"target_file":{"a":1},"start_line":"first"}');
  expect(outcome).toMatchObject({
    code: "bad-arguments",
    problems: [
      "target_file must be a text, not an object",
      "start_line must be a number, not a text",
    ],
  });
  const { outcome: missing } = await run("edit_file", '{"target_file":"a.txt"}', "zh");
  expect(missing["problems"]).toEqual(["code_edit 缺失，应为文本"]);
});

test("no arguments throw, whatever they are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...toolbox.names),
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => json.slice(0, -1)),
      ),
      async (name, json) => {
        const { outcome } = await run(name, json);
        expect(typeof outcome.success).toBe("boolean");
      },
    ),
  );
});

const broken: Tool<Record<string, never>> = {
  name: "broken",
  description: { en: "", zh: "" },
  input: z.object({}),
  fields: {},
  effect: "read",
  run: () => Promise.reject(new Error("secret of ours")),
};

test("a tool that throws is a result without what it threw", async () => {
  const { outcome } = await runCall(
    { id: "1", name: "broken", arguments: "" },
    new Toolbox([broken]),
    createUse(),
  );
  expect(outcome).toMatchObject({ success: false, code: "failed" });
  expect(JSON.stringify(outcome)).not.toContain("secret");
});

test("a call of a turn that was stopped throws the signal's reason", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  const call = { id: "1", name: "broken", arguments: "" };
  await expect(runCall(call, new Toolbox([broken]), createUse({}, { signal }))).rejects.toThrow(
    "stopped",
  );
});

test("a result that is too long is shortened, and says so", async () => {
  const long: Tool<Record<string, never>> = {
    ...broken,
    run: () =>
      Promise.resolve({
        success: true,
        text: "\u0001".repeat(90_000),
        list: Array.from({ length: 50_000 }, (_, nth) => nth),
        deep: { text: "x".repeat(300_000) },
      }),
  };
  const { result } = await runCall(
    { id: "1", name: "broken", arguments: "" },
    new Toolbox([long]),
    createUse(),
  );
  expect(result.content.length).toBeLessThanOrEqual(100_000);
  expect(JSON.parse(result.content)).toMatchObject({ success: true, is_cut: true });
});

test.each(["en", "zh"] as const)("schemas are plain, and described in %s", (locale) => {
  for (const { name, description, parameters } of toolbox.offer(locale)) {
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(/\p{Script=Han}/u.test(description)).toBe(locale === "zh");
    const printed = JSON.stringify(parameters);
    expect(printed).not.toMatch(/\$ref|\$schema|additionalProperties|anyOf/);
    const { properties } = z
      .object({ properties: z.record(z.string(), z.object({ description: z.string() })) })
      .parse(parameters);
    for (const property of Object.values(properties))
      expect(/\p{Script=Han}/u.test(property.description)).toBe(locale === "zh");
  }
});

test("the fields are those of the document", () => {
  const fields = Object.fromEntries(
    toolbox
      .offer("en")
      .map(({ name, parameters }) => [
        name,
        Object.keys(z.object({ properties: z.looseObject({}) }).parse(parameters).properties),
      ]),
  );
  // There may be further tools.
  expect(fields).toMatchObject({
    read_file: ["target_file", "explanation", "start_line", "end_line"],
    insert_file: ["target_file", "explanation", "content", "line_number"],
    remove_file: ["target_file", "explanation", "start_line", "end_line"],
    replace_file: ["target_file", "explanation", "start_line", "end_line", "new_content"],
    edit_file: ["target_file", "instructions", "code_edit"],
    delete_file: ["target_file", "explanation"],
    grep_search: ["query", "case_sensitive", "include_pattern", "exclude_pattern", "explanation"],
    list_dir: ["relative_workspace_path", "explanation", "max_entries"],
    finish: ["response"],
  });
});
