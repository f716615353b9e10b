// What the 25 tasks are made of; that their checks fail and pass is proved in test/e2e, by running them.
import { describe, expect, test } from "vitest";
import { applyCodeEdit, applyDiff } from "../../src/edit.ts";
import {
  type CodingTask,
  type ProjectFiles,
  readCodingTasks,
  solvedFiles,
  type ToolCall,
} from "../helpers/coding-tasks.ts";

const tasks = readCodingTasks();

test("there are five tasks in each of five languages, of every kind, some in Chinese", () => {
  const byLanguage = Object.groupBy(tasks, ({ language }) => language);
  expect(Object.values(byLanguage).map((some) => some.length)).toEqual([5, 5, 5, 5, 5]);
  const kinds = new Set(tasks.map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(["rename", "fix", "add", "delete", "refactor"]));
  expect(tasks.filter(({ request }) => /[\u4e00-\u9fff]/.test(request)).length).toBeGreaterThan(4);
});

describe.each(tasks)("$id", (task) => {
  test("the solution changes exactly the files that the task names", () => {
    const solved = solvedFiles(task);
    const all = new Set([...task.before.keys(), ...solved.keys()]);
    const changed = [...all].filter((path) => task.before.get(path) !== solved.get(path));
    expect(changed.toSorted()).toEqual(task.filesToChange.toSorted());
  });

  test("the recorded calls lead to the solution, and those that are mistakes fail", () => {
    expect(task.calls.length).toBeGreaterThanOrEqual(4);
    expect(task.calls.length).toBeLessThanOrEqual(10);
    expect(task.calls.at(-1)?.tool).toBe("finish");
    const { files, successes } = play(task);
    // A search at the end shows that nothing is left; it succeeds all the same.
    const isLastSearch = (nth: number): boolean =>
      nth === task.calls.length - 2 && task.calls[nth]?.tool === "grep_search" && !successes[nth];
    expect(successes).toEqual(task.calls.map(({ success }, nth) => success && !isLastSearch(nth)));
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(solvedFiles(task)));
  });
});

test("some recordings hold a mistake, and every form of an edit", () => {
  const calls = tasks.flatMap((task) => task.calls);
  expect(calls.filter(({ success }) => !success).length).toBeGreaterThan(4);
  const edits = calls.flatMap((one) => (one.tool === "edit_file" ? one.params.code_edit : []));
  const isDiff = (edit: string) => edit.startsWith("<<<<<<< SEARCH");
  const isMarked = (edit: string) => edit.includes("... existing code ...");
  const forms = edits.map((edit) => (isDiff(edit) ? "diff" : isMarked(edit) ? "marks" : "whole"));
  const counts = Object.groupBy(forms, (form) => form);
  expect(counts.diff?.length).toBeGreaterThan(20);
  expect(counts.marks?.length).toBeGreaterThan(10);
  expect(counts.whole?.length).toBeGreaterThan(6);
});

/** Lines with what is searched for; a query that is no expression is meant as it is. */
function countHits(
  { query, include_pattern: include = "" }: (ToolCall & { tool: "grep_search" })["params"],
  files: ProjectFiles,
): number {
  const finds = (line: string): boolean => {
    try {
      return new RegExp(query, "u").test(line);
    } catch {
      return line.includes(query);
    }
  };
  return [...files]
    .filter(([path]) => path.endsWith(include.replace("*", "")))
    .flatMap(([, text]) => text.split("\n").filter(finds)).length;
}

/** Plays the calls on texts, with the edit engine of the product. */
function play({ before, calls }: CodingTask): { files: ProjectFiles; successes: boolean[] } {
  const files = new Map(before);
  const successes = calls.map((call) => playCall(call, files));
  return { files, successes };
}

function playCall(call: ToolCall, files: Map<string, string>): boolean {
  switch (call.tool) {
    case "read_file":
      return files.has(call.params.target_file);
    case "delete_file":
      return files.delete(call.params.target_file);
    case "list_dir": {
      const folder = call.params.relative_workspace_path;
      return folder === "." || [...files.keys()].some((path) => path.startsWith(`${folder}/`));
    }
    case "grep_search":
      return countHits(call.params, files) > 0;
    case "finish":
      return true;
    case "edit_file": {
      const { target_file: path, code_edit: edit } = call.params;
      const text = files.get(path);
      const isDiff = edit.startsWith("<<<<<<< SEARCH");
      const result = isDiff ? applyDiff(text, edit) : applyCodeEdit(text, edit);
      if (result.ok) files.set(path, result.text);
      return result.ok;
    }
  }
}
