import { expect, test } from "vitest";
import { findChecklist, joinChoices } from "../../../../src/cli/call/choose/next-steps.ts";
import { type ShownAction, listChoices } from "../../../../src/cli/call/show/print-actions.ts";
import { button, caseTree, treeOf } from "../shown-actions.ts";

const all = "1. happy path: adds\n2. edge case: no items\n3. edge case: null";
const writeAll = button("Write all", "unittest-write", all);

function find(...actions: ShownAction[]) {
  return findChecklist(actions, listChoices(actions));
}

test("a tree is a checklist if a button sends all its nodes with the same command", () => {
  const found = find(caseTree, writeAll);
  expect(found?.tree).toBe(caseTree);
  expect(found?.choices.map(({ number, title }) => `${number} ${title}`)).toEqual([
    "1 adds",
    "2 no items",
    "3 null",
  ]);
  const groups = [...(found?.groups ?? [])];
  expect(groups.map(([name, members]) => [name, members.map(({ number }) => number)])).toEqual([
    ["happy path", [1]],
    ["edge case", [2, 3]],
  ]);
});

test("a tree of functions, symbols, places or passages stays a choice of one", () => {
  const functions = treeOf("unittest", [
    { id: "1", type: "function", name: "add" },
    { id: "2", type: "function", name: "total" },
  ]);
  expect(find(functions)).toBeUndefined();
  expect(find(functions, button("Explain", "explain", "add, total"))).toBeUndefined();
  expect(find(functions, button("More", "unittest", "Test add."))).toBeUndefined();
  expect(find(caseTree)).toBeUndefined();
});

test("nodes without parents, or below a node that can be ticked itself, are a plain list", () => {
  const flat = treeOf("write", [
    { id: "1", type: "case", name: "adds" },
    { id: "2", type: "case", name: "null" },
  ]);
  expect(find(flat, button("All", "write", "adds, null"))).not.toHaveProperty("groups");
  const nested = treeOf("write", [
    { id: "1", type: "case", name: "adds" },
    { id: "2", pId: "1", type: "case", name: "null" },
  ]);
  expect(find(nested, button("All", "write", "adds, null"))).not.toHaveProperty("groups");
});

test("several steps become one, in which the lines that all begin or end with come once", () => {
  const [first, second, third] = find(caseTree, writeAll)?.choices ?? [];
  if (first === undefined || second === undefined || third === undefined) throw new Error("none");
  const { command, prompt } = joinChoices([first, third]);
  expect(command).toBe("unittest-write");
  expect(prompt).toBe(
    "Write tests for lines 3-9\n\n```text\nhappy path: adds\nedge case: null\n```",
  );
  expect(joinChoices([second])).toBe(second);
  expect(joinChoices([second, second]).prompt).toBe(
    "Write tests for lines 3-9\n\n```text\nedge case: no items\nedge case: no items\n```",
  );
});
