// The document's tools that change lines by their numbers, from the call to the bytes on the disk.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCall } from "../../../src/tools/run-call.ts";
import type { ToolUse } from "../../../src/tools/tool.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";
import { createUse } from "../../helpers/tool-workspace.ts";
import { makeFolders, openFolder } from "../../workspace/directory/open-folder.ts";

const toolbox = createWorkspaceTools();

async function call(name: string, args: Readonly<Record<string, unknown>>, use: ToolUse) {
  const made = { id: "1", name, arguments: JSON.stringify(args) };
  return (await runCall(made, toolbox, use)).outcome;
}

async function openDisk(text: string) {
  const folders = makeFolders({ "a.txt": text });
  const { workspace, approvals } = await openFolder(folders);
  const asked: string[] = [];
  const use: ToolUse = {
    ...createUse({}),
    workspace,
    async ask(question) {
      if (question.kind === "read") return { ok: false, reason: "No." };
      asked.push(question.diff);
      return { ok: true, approval: await approvals.approve(question.changes) };
    },
  };
  const read = () => readFileSync(folders.at("a.txt"), "utf8");
  return { use, asked, read, folders, workspace };
}

const target_file = "a.txt";

describe("a tool for lines", () => {
  test.each([
    ["replace_file", { start_line: 1, end_line: 1, new_content: "x" }],
    ["replace_file", { start_line: 2, end_line: 2, new_content: "x" }],
    ["remove_file", {}],
    ["insert_file", { line_number: 2, content: "x" }],
  ])("%s %j makes no file that is not there", async (name, args) => {
    const { use, asked } = await openDisk("1\n");
    const outcome = await call(name, { target_file: "none.txt", ...args }, use);
    expect(outcome).toMatchObject({ success: false, code: "not-found" });
    expect(asked).toEqual([]);
  });

  test.each([
    ["insert_file", { content: "x", line_number: 1 }, "x\r\n1\r\n2\r\n3\r\n"],
    ["insert_file", { content: "x\ny\n", line_number: 4 }, "1\r\n2\r\n3\r\nx\r\ny\r\n"],
    ["remove_file", { start_line: 2, end_line: 2 }, "1\r\n3\r\n"],
    ["remove_file", { start_line: 2 }, "1\r\n"],
    ["replace_file", { start_line: 1, end_line: 2, new_content: "x" }, "x\r\n3\r\n"],
  ])("%s %j is asked for, journalled, and keeps the line ends", async (name, args, after) => {
    const { use, asked, read, workspace } = await openDisk("1\r\n2\r\n3\r\n");
    const outcome = await call(name, { target_file, ...args }, use);
    expect(outcome).toMatchObject({ success: true, path: target_file, status: "applied" });
    expect(read()).toBe(after);
    expect(asked).toHaveLength(1);
    expect(workspace.turn).toBe(1);
  });

  test.each([
    ["1\n2\n", 1, "0", "0\n1\n2\n"],
    ["1\n2", 3, "3\n", "1\n2\n3"],
    ["", 1, "x\n", "x\n"],
  ])("into %j, before line %d, %j comes in", async (text, line_number, content, after) => {
    const { use, read } = await openDisk(text);
    await call("insert_file", { target_file, line_number, content }, use);
    expect(read()).toBe(after);
  });

  test.each([
    ["insert_file", { content: "x", line_number: 5 }],
    ["remove_file", { start_line: 3, end_line: 2 }],
    ["remove_file", { start_line: 4 }],
    ["replace_file", { start_line: 1, end_line: 9, new_content: "x" }],
  ])("%s %j is refused: there are no such lines", async (name, args) => {
    const { use, read, asked } = await openDisk("1\n2\n3\n");
    const outcome = await call(name, { target_file, ...args }, use);
    expect(outcome).toMatchObject({ success: false, code: "line-range" });
    expect([read(), asked]).toEqual(["1\n2\n3\n", []]);
  });

  test("is refused where the file is not what was read", async () => {
    const { use, folders, read } = await openDisk("1\n2\n");
    await call("read_file", { target_file }, use);
    writeFileSync(folders.at("a.txt"), "0\n1\n2\n");
    const args = { target_file, start_line: 1, end_line: 1, new_content: "x" };
    expect(await call("replace_file", args, use)).toMatchObject({ success: false, code: "stale" });
    expect(read()).toBe("0\n1\n2\n");
  });

  test("creates a file by its first line, and removes nothing from one that is not there", async () => {
    const { use, folders } = await openDisk("");
    const created = { target_file: "new.txt", content: "one", line_number: 1 };
    expect(await call("insert_file", created, use)).toMatchObject({ success: true });
    expect(readFileSync(folders.at("new.txt"), "utf8")).toBe("one\n");
    const gone = await call("remove_file", { target_file: "none.txt", start_line: 1 }, use);
    expect(gone).toMatchObject({ success: false, code: "not-found" });
  });

  test("empties a file only once it was read, and deletes none", async () => {
    const { use, read } = await openDisk("1\n2\n");
    expect(await call("remove_file", { target_file }, use)).toMatchObject({ code: "unread" });
    await call("read_file", { target_file }, use);
    expect(await call("remove_file", { target_file }, use)).toMatchObject({ success: true });
    expect(read()).toBe("");
  });

  test("is offered with what its fields are for", () => {
    const offered = toolbox.offer("en").map(({ name, parameters }) => [name, parameters]);
    expect(Object.fromEntries(offered)).toMatchObject({
      insert_file: { required: ["target_file", "content", "line_number"] },
      remove_file: { required: ["target_file"] },
      replace_file: { required: ["target_file", "start_line", "end_line", "new_content"] },
    });
  });
});
