import { expect, test } from "vitest";
import { printTask, printTasks, summarizeTasks } from "../../../eval/code/print-tasks.ts";
import type { TaskResult } from "../../../eval/code/run-task.ts";

const solved: TaskResult = {
  id: "sum",
  language: "c",
  isSolved: true,
  check: { exit: "exit code 0" },
  steps: 4,
  tokens: 1_000,
  refusedEdits: 0,
  strayFiles: [],
  untouchedFiles: [],
  notInMap: [],
  seconds: 2,
};
const unsolved: TaskResult = {
  ...solved,
  id: "rename",
  language: "python",
  isSolved: false,
  check: { exit: "exit code 1", output: "Traceback" },
  steps: 6,
  tokens: 500,
  refusedEdits: 2,
  strayFiles: ["a.py", "b.py"],
  untouchedFiles: ["c.py"],
  notInMap: ["c.py"],
  seconds: 4,
};
const { tokens: _, check: __, ...silent } = unsolved;
const failed: TaskResult = { ...silent, failure: "The model\u001b[2J did not answer." };

test("a line says what became of a task and what was wrong", () => {
  expect(printTask(solved)).toBe("ok c sum: solved (4 steps, 1000 tokens).");
  expect(printTask(unsolved)).toBe(
    "BAD python rename: not solved (6 steps, 500 tokens). The check did not pass: exit code 1. Edits that were refused: 2. Changed though not asked for: a.py, b.py. Not changed: c.py. Not in the map: c.py.",
  );
  expect(printTask(failed)).toContain("BAD python rename: failed (6 steps). The model");
  expect(printTask(failed)).not.toContain("\u001b");
});

test("each language has a row, and the last one is the total", () => {
  const rows = summarizeTasks([solved, unsolved, failed]);
  expect(rows.map(({ language }) => language)).toEqual(["c", "python", "total"]);
  expect(rows.at(-1)).toEqual({
    language: "total",
    tasks: 3,
    solved: 1,
    steps: 16,
    tokens: 1_500,
    refusedEdits: 4,
    strayFiles: 4,
    inMap: 1,
    failed: 1,
    secondsPerTask: 10 / 3,
  });
  const [, heads = "", first] = printTasks(rows).split("\n");
  expect(heads.split(/\s+/)).toContain("solved");
  expect(first).toMatch(/^ {2}c +1 +1 +4 +1000 +0 +0 +1\/1 +0 +2\.0$/);
});
