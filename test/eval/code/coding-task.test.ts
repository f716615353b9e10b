import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadTasks } from "../../../eval/code/coding-task.ts";

const task = {
  id: "one",
  language: "c",
  kind: "fix",
  request: "Fix it.",
  check: ["sh", "run.sh"],
  files_to_change: ["a.c"],
};

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("a folder of one's own is read, with files in folders and no recorded calls", () => {
  const folder = folderWith({
    "one/task.json": JSON.stringify(task),
    "one/before/a.c": "int a;\r\n",
    "one/before/src/deep/b.c": "",
  });
  expect(loadTasks(folder)).toEqual([
    {
      id: "one",
      language: "c",
      kind: "fix",
      request: "Fix it.",
      check: ["sh", "run.sh"],
      filesToChange: ["a.c"],
      before: new Map([
        ["a.c", "int a;\r\n"],
        ["src/deep/b.c", ""],
      ]),
      calls: [],
    },
  ]);
});

const whole = { "one/task.json": JSON.stringify(task), "one/before/a.c": "" };

test.each([
  ["has no tasks", {}],
  ["one/task.json is not JSON", { "one/task.json": "{" }],
  [
    "one/task.json: check is missing",
    { "one/task.json": JSON.stringify({ ...task, check: undefined }) },
  ],
  ["one/before has no files", { "one/task.json": JSON.stringify(task) }],
  ["one/before/a.c is larger than", { ...whole, "one/before/a.c": "x".repeat(1024 * 1024 + 1) }],
  ["one/calls.json: 0.tool must be a text", { ...whole, "one/calls.json": '[{ "tool": 1 }]' }],
  [
    'Two tasks are named "one"',
    { ...whole, "two/task.json": JSON.stringify(task), "two/before/a.c": "" },
  ],
])("a folder that cannot be used is refused: %s", (message, files) => {
  const folder = folderWith(files);
  expect(() => loadTasks(folder)).toThrow(message);
});
