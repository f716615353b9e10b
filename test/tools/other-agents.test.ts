// Tools under the names and with the fields that other agents have for them.
import { expect, test } from "vitest";
import { runCall } from "../../src/tools/run-call.ts";
import { Toolbox } from "../../src/tools/tool.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { createUse, hashOf } from "../helpers/tool-workspace.ts";
import { readAnswer } from "./text-calls/read-answer.ts";

const toolbox = createWorkspaceTools();
const files = { "src/a.ts": "l1\nl2\nl3\n", "src/sub/b.ts": "b\n", "README.md": "# a\n" };

async function call(name: string, args: object) {
  const use = createUse(files);
  use.seen.set("src/a.ts", hashOf(files["src/a.ts"]));
  const json = JSON.stringify(args);
  const { tool, outcome } = await runCall({ id: "1", name, arguments: json }, toolbox, use);
  return { tool, outcome, text: use.workspace.files };
}

const editor = "str_replace_based_edit_tool";
const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n l1\n-l2\n+L2\n l3\n*** End Patch";
const diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n l1\n-l2\n+L2\n l3\n";

test.each<[string, object]>([
  ["replace", { file_path: "src/a.ts", instruction: "x", old_string: "l2", new_string: "L2" }],
  ["edit", { filePath: "src/a.ts", oldString: "l2", newString: "L2", replaceAll: false }],
  [editor, { command: "str_replace", path: "src/a.ts", old_str: "l2", new_str: "L2" }],
  [
    "str_replace_editor",
    { command: "str_replace", path: "src/a.ts", old_str: "l2\n", new_str: "L2\n" },
  ],
  ["apply_patch", { input: patch }],
  ["apply_patch", { patch }],
  ["apply_patch", { patch: diff }],
  ["apply_patch", { target_file: "src/a.ts", patch }],
  ["write", { file_path: "src/a.ts", content: "l1\nL2\nl3\n" }],
  [editor, { command: "create", path: "src/a.ts", file_text: "l1\nL2\nl3\n" }],
])("%s with %j changes the line", async (name, args) => {
  const { tool, outcome, text } = await call(name, args);
  expect(outcome).toMatchObject({ success: true });
  expect(tool).toBe("edit_file");
  expect(text.get("src/a.ts")).toBe("l1\nL2\nl3\n");
});

test.each<[object, string]>([
  [{ insert_line: 0, insert_text: "x\n" }, "x\nl1\nl2\nl3\n"],
  [{ insert_line: 2, insert_text: "x" }, "l1\nl2\nx\nl3\n"],
  [{ insert_line: "3", new_str: "x\n" }, "l1\nl2\nl3\nx\n"],
])("the editor's insert of %j comes behind that line", async (args, after) => {
  const { tool, outcome, text } = await call(editor, {
    command: "insert",
    path: "src/a.ts",
    ...args,
  });
  expect([tool, outcome.success]).toEqual(["insert_file", true]);
  expect(text.get("src/a.ts")).toBe(after);
});

test("what is replaced by nothing goes", async () => {
  const args = { command: "str_replace", path: "src/a.ts", old_str: "l2\n" };
  expect((await call(editor, args)).text.get("src/a.ts")).toBe("l1\nl3\n");
});

test.each<[string, object]>([
  ["write", { file_path: "new.ts", content: "n\n" }],
  ["replace", { file_path: "new.ts", old_string: "", new_string: "n\n" }],
  [editor, { command: "create", path: "new.ts", file_text: "n\n" }],
  ["apply_patch", { input: "*** Begin Patch\n*** Add File: new.ts\n+n\n*** End Patch" }],
])("%s with %j makes the file", async (name, args) => {
  const { outcome, text } = await call(name, args);
  expect(outcome).toMatchObject({ success: true });
  expect(text.get("new.ts")).toBe("n\n");
});

test.each<[string, object, string]>([
  ["view", { file_path: "src/a.ts" }, "l1\nl2\nl3\n"],
  [editor, { command: "view", path: "src/a.ts" }, "l1\nl2\nl3\n"],
  [editor, { command: "view", path: "src/a.ts", view_range: [2, 3] }, "l2\nl3\n"],
  [editor, { command: "view", path: "src/a.ts", view_range: [3, -1] }, "l3\n"],
  ["read", { file_path: "src/a.ts", offset: 2, limit: 1 }, "l2\n"],
  ["read", { file_path: "src/a.ts", limit: 2 }, "l1\nl2\n"],
  ["read", { file_path: "src/a.ts", offset: 3 }, "l3\n"],
])("%s with %j reads", async (name, args, content) => {
  expect(await call(name, args)).toMatchObject({
    tool: "read_file",
    outcome: { success: true, content },
  });
});

test.each<[string, object, string[]]>([
  ["glob", { pattern: "**/*.ts" }, ["src/a.ts", "src/sub/b.ts"]],
  ["Glob", { pattern: "*.md" }, ["README.md"]],
  ["glob", { pattern: "*.ts", path: "src" }, ["src/a.ts", "src/sub/b.ts"]],
  ["glob", { path: "src/sub" }, ["src/sub/b.ts"]],
  ["find_files", { pattern: "sub b" }, ["src/sub/b.ts"]],
  ["search_files", { path: "src", pattern: "B.TS" }, ["src/sub/b.ts"]],
  ["find_by_name", { SearchDirectory: "src", Pattern: "a*" }, ["src/a.ts"]],
  ["find", { name: "readme" }, ["README.md"]],
])("%s with %j finds files", async (name, args, paths) => {
  const { tool, outcome } = await call(name, args);
  expect(tool).toBe("file_search");
  expect(outcome["files"]).toEqual(paths);
});

test.each([{ path: ".", regex: "l2" }, { query: "l2" }, { regex: "l2", file_pattern: "*.ts" }])(
  "search_files with %j looks into the files",
  async (args) => {
    const { tool, outcome } = await call("search_files", args);
    expect(tool).toBe("grep_search");
    expect(outcome["results"]).toMatchObject([{ file: "src/a.ts", line_number: 2 }]);
  },
);

test.each<object>([
  { command: "undo_edit", path: "src/a.ts" },
  { path: "src/a.ts" },
  { command: "str_replace", path: "src/a.ts" },
])("an editor's command %j that no tool has changes nothing", async (args) => {
  const { outcome, text } = await call(editor, args);
  expect(outcome).toMatchObject({ success: false, code: "bad-arguments" });
  expect(text.get("src/a.ts")).toBe("l1\nl2\nl3\n");
});

test("a patch of several files, or one that deletes, is not guessed", async () => {
  const two = `${patch.replace("*** End Patch", "")}*** Update File: README.md\n@@\n-# a\n+# b\n*** End Patch`;
  for (const input of [two, "*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch"]) {
    const { outcome, text } = await call("apply_patch", { input });
    expect(outcome).toMatchObject({ success: false });
    expect(text.get("src/a.ts")).toBe("l1\nl2\nl3\n");
  }
});

test("they are read out of text, too", () => {
  const args = { command: "view", path: "src/a.ts" };
  const { calls } = readAnswer(
    `<tool_call>{"name": "${editor}", "arguments": ${JSON.stringify(args)}}</tool_call>`,
  );
  expect(calls).toMatchObject([{ args }]);
});

test("a tool of that name, and the first of several, comes before those that are only called so", () => {
  const first = toolbox.find("list_dir");
  if (first === undefined) expect.fail("There is no such tool.");
  const own = { ...first, name: editor, otherNames: ["seek"] };
  const other = { ...first, name: "look_for", otherNames: ["seek"], effect: "write" as const };
  const tools = new Toolbox([...toolbox.tools, own, other]);
  expect(tools.find(editor, { command: "create" })).toBe(own);
  expect(tools.find("seek")).toBe(own);
  expect(toolbox.find(editor)?.name).toBe("edit_file");
  expect(toolbox.find(editor, { command: "view" })?.name).toBe("read_file");
});
