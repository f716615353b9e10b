// Arguments as models write them, read as what they mean.
import { expect, test } from "vitest";
import { runCall } from "../../src/tools/run-call.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../helpers/tool-workspace.ts";

const toolbox = createWorkspaceTools();
const files = { "src/a.ts": "l1\nl2\nl3\nl4\n" };

async function call(name: string, args: unknown) {
  const use = createUse(files);
  const json = typeof args === "string" ? args : JSON.stringify(args);
  const { outcome } = await runCall({ id: "1", name, arguments: json }, toolbox, use);
  return { outcome, files: use.workspace.files };
}

test.each([
  { target_file: "src/a.ts\n" },
  { target_file: " `src/a.ts` " },
  { target_file: '"src/a.ts"' },
  { Target_File: "src/a.ts" },
  { "target-file": "src/a.ts" },
  { FilePath: "src/a.ts" },
  { input: '{"target_file": "src/a.ts"}' },
  { tool: "read_file", params: { target_file: "src/a.ts" } },
  { parameters: { target_file: "src/a.ts" }, reason: "I need it." },
  '```json\n{"target_file": "src/a.ts"}\n```',
])("%j names the file src/a.ts", async (args) => {
  expect((await call("read_file", args)).outcome).toMatchObject({
    success: true,
    path: "src/a.ts",
  });
});

test.each([
  [{ start_line: 0, end_line: 2 }, "l1\nl2\n"],
  [{ start_line: "0" }, "l1\nl2\nl3\nl4\n"],
  [{ start_line: 3, end_line: -1 }, "l3\nl4\n"],
  [{ start_line_one_indexed: 2, end_line_one_indexed_inclusive: 3 }, "l2\nl3\n"],
])("a range of lines %j is read as it is meant", async (range, content) => {
  const { outcome } = await call("read_file", { target_file: "src/a.ts", ...range });
  expect(outcome).toMatchObject({ success: true, content });
});

test("an empty path is the working directory", async () => {
  const { outcome } = await call("list_dir", { relative_workspace_path: "" });
  expect(outcome).toMatchObject({ success: true, path: "." });
});

test.each([
  ["edit_file", { target_file: "src/a.ts", old_string: "l2", new_string: "L2" }],
  ["str_replace", { path: "src/a.ts", old_str: "l2\n", new_str: "L2\n" }],
  ["edit_file", { path: "src/a.ts", edits: [{ oldText: "l2", newText: "L2" }] }],
  ["edit_file", { target_file: "src/a.ts", code_edit: { search: "l2", replace: "L2" } }],
  [
    "edit_file",
    {
      target_file: "src/a.ts",
      code_edit: "------- SEARCH\\nl2\\n=======\\nL2\\n+++++++ REPLACE\\n",
    },
  ],
])("%s of %j is an edit", async (name, args) => {
  const { outcome, files: after } = await call(name, args);
  expect(outcome).toMatchObject({ success: true });
  expect(after.get("src/a.ts")).toBe("l1\nL2\nl3\nl4\n");
});

test("an old text that is empty creates a file, and replaces none", async () => {
  const args = { old_string: "", new_string: "export {};\n" };
  const created = await call("edit_file", { file_path: "src/new.ts", ...args });
  expect(created.files.get("src/new.ts")).toBe("export {};\n");
  const kept = await call("edit_file", { file_path: "src/a.ts", ...args });
  expect(kept.outcome).toMatchObject({ success: false });
  expect(kept.files.get("src/a.ts")).toBe(files["src/a.ts"]);
});
