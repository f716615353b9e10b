import { expect, test } from "vitest";
import { judgeFiles, listCheckFiles } from "../../../eval/code/judge-task.ts";

const before = new Map([
  ["src/a.js", "a"],
  ["src/b.js", "b"],
  ["test/a.test.js", "t"],
  ["test/data/rows.csv", "1"],
  ["package.json", "{}"],
]);

test("files are stray that were changed, created or deleted though the task does not name them", () => {
  const now = new Map([...before, ["src/a.js", "new"], ["notes.md", "n"]]);
  now.delete("package.json");
  const task = { before, filesToChange: ["src/a.js", "src/c.js"] };
  const { stray, untouched } = judgeFiles(task, ["src/a.js", "notes.md"], (path) => now.get(path));
  expect({ stray, untouched }).toEqual({
    stray: ["notes.md", "package.json"],
    untouched: ["src/c.js"],
  });
});

test("a file that was written and put back has not changed", () => {
  const task = { before, filesToChange: ["src/a.js"] };
  const { stray } = judgeFiles(task, ["src/b.js"], (path) => before.get(path));
  expect(stray).toEqual([]);
});

test.each([
  [
    ["node", "test/a.test.js"],
    ["test/a.test.js", "test/data/rows.csv"],
  ],
  [
    ["python3", "-m", "unittest", "discover", "-s", "test"],
    ["test/a.test.js", "test/data/rows.csv"],
  ],
  [["python3", "-m", "test.data"], ["test/data/rows.csv"]],
  [["npm", "test", "--prefix", "package.json"], [...before.keys()].slice(2)],
  [["make"], []],
])("the check %j has its own files", (check, files) => {
  expect(listCheckFiles({ check, before, filesToChange: ["src/a.js"] })).toEqual(files);
});

test("a file of the check that the task asks to change is the agent's", () => {
  const task = { check: ["node", "test/a.test.js"], before, filesToChange: ["test/a.test.js"] };
  expect(listCheckFiles(task)).toEqual(["test/data/rows.csv"]);
});
