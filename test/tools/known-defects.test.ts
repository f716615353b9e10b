// What the known implementation of the coding agent gets wrong, one test each: ours must not.
import { expect, test } from "vitest";
import { printUnits } from "../../src/edit/read/print-units.ts";
import { applyPlan, readPlan } from "../../src/tools/edit-plan/apply-plan.ts";
import { runCall } from "../../src/tools/run-call.ts";
import type { ToolUse } from "../../src/tools/tool.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../helpers/tool-workspace.ts";
import { readAnswer } from "./text-calls/read-answer.ts";

const toolbox = createWorkspaceTools();

async function run(name: string, args: Readonly<Record<string, unknown>>, use: ToolUse) {
  return runCall({ id: "1", name, arguments: JSON.stringify(args) }, toolbox, use);
}

const unit = (search: string, replace: string) => printUnits([{ search, replace }]);

test("code that holds a fence is not cut at it", () => {
  const code = "Use it:\n\n```sh\nnpm i\n```\n\nDone.\n";
  const block = code.replaceAll(/^(?=.)/gm, "    ");
  const answer = `\`\`\`yaml\ntool: edit_file\nreason: r\nparams:\n  target_file: README.md\n  code_edit: |\n${block}\`\`\`\n`;
  expect(readAnswer(answer).calls).toMatchObject([{ args: { code_edit: code } }]);
});

test("a colon that is not quoted breaks no call", () => {
  const answer =
    "```yaml\ntool: read_file\nreason: I need this: the entry\nparams:\n  target_file: src/a: b.ts\n```\n";
  expect(readAnswer(answer).calls).toEqual([
    { tool: "read_file", args: { target_file: "src/a: b.ts", reason: "I need this: the entry" } },
  ]);
});

test("a call that cannot be read is told to the model, and ends nothing", async () => {
  const { outcome, result } = await runCall(
    { id: "1", name: "read_file", arguments: '{"target_file": ' },
    toolbox,
    createUse(),
  );
  expect(outcome).toMatchObject({ success: false, error: expect.stringContaining("JSON") });
  expect(result.isError).toBe(true);
});

test.each([
  ["edit_file", { target_file: "a.ts", code_edit: unit("nowhere\n", "x\n") }],
  ["edit_file", { target_file: "../a.ts", code_edit: "x\n" }],
  ["delete_file", { target_file: "none.ts" }],
  ["read_file", { target_file: "none.ts" }],
])("a failure of %s is not reported as success: %j", async (name, args) => {
  const use = createUse({ "a.ts": "one\n" });
  const { outcome, result } = await run(name, args, use);
  expect(outcome.success).toBe(false);
  expect(result.isError).toBe(true);
  expect(use.workspace.applied).toEqual([]);
});

test("a hit of a search has its line number", async () => {
  const { outcome } = await run("grep_search", { query: "two" }, createUse({ a: "one\ntwo\n" }));
  expect(outcome["results"]).toEqual([{ file: "a", line_number: 2, content: "two" }]);
});

test("a plan may append to a file without a final line end", () => {
  expect(applyPlan("a\nb", [{ start_line: 3, end_line: 3, replacement: "c" }])).toMatchObject({
    ok: true,
    text: "a\nb\nc",
  });
});

test("operations that overlap are refused as a whole", () => {
  const plan = readPlan(
    '{"operations": [{"start_line": 1, "end_line": 2, "replacement": "x"}, {"start_line": 2, "end_line": 3, "replacement": "y"}]}',
  );
  expect(applyPlan("a\nb\nc\n", plan ?? [])).toMatchObject({
    ok: false,
    error: { code: "overlap" },
  });
});

test("an empty file can be edited", async () => {
  const use = createUse({ "a.py": "" });
  expect(
    (await run("edit_file", { target_file: "a.py", code_edit: "x = 1" }, use)).outcome,
  ).toMatchObject({
    success: true,
  });
  expect(applyPlan("", [{ start_line: 1, end_line: 1, replacement: "x = 1" }])).toMatchObject({
    ok: true,
    text: "x = 1\n",
  });
});

test("an edit of a missing file asks no planner, and claims nothing that was not written", async () => {
  const use = createUse({}, { planEdit: () => Promise.reject(new Error("asked")) });
  const search = { target_file: "none.ts", code_edit: unit("a\n", "b\n") };
  expect((await run("edit_file", search, use)).outcome).toMatchObject({
    success: false,
    code: "missing-file",
  });
  const marks = { target_file: "none.ts", code_edit: "// ... existing code ...\nb\n" };
  expect((await run("edit_file", marks, use)).outcome).toMatchObject({ success: false });
  expect(use.workspace.files.size).toBe(0);
});

test.each(["/etc/passwd", "../../etc/passwd", "a/../../b", "..\\b"])(
  "a path that leads out is refused by every tool: %s",
  async (path) => {
    const use = createUse({ "a.ts": "one\n" });
    for (const [name, args] of [
      ["read_file", { target_file: path }],
      ["edit_file", { target_file: path, code_edit: "x\n" }],
      ["delete_file", { target_file: path }],
      ["list_dir", { relative_workspace_path: path }],
    ] as const)
      expect((await run(name, args, use)).outcome).toMatchObject({
        success: false,
        code: "outside",
      });
    expect(use.questions).toEqual([]);
  },
);

test("a deletion is asked for", async () => {
  const use = createUse({ "a.ts": "one\n" }, { answer: () => ({ ok: false, reason: "No." }) });
  await run("delete_file", { target_file: "a.ts" }, use);
  expect(use.questions).toHaveLength(1);
  expect(use.workspace.files.has("a.ts")).toBe(true);
});

test("a whole file does not fill the history: what the model gets of it is bounded", async () => {
  const use = createUse({ "a.txt": "x".repeat(99).concat("\n").repeat(100_000) });
  const { result } = await run("read_file", { target_file: "a.txt" }, use);
  expect(result.content.length).toBeLessThan(50_000);
  const edit = { target_file: "b.txt", code_edit: "y\n".repeat(400_000) };
  expect((await run("edit_file", edit, use)).result.content.length).toBeLessThan(20_000);
});

test("the lines of a folder that are left out are counted", async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`f${nth}`, ""]));
  const { outcome } = await run("list_dir", {}, createUse(files));
  expect(outcome).toMatchObject({ success: true, entries_left_out: 20 });
});
