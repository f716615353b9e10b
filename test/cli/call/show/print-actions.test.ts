import { expect, test } from "vitest";
import {
  type ShownAction,
  describeChoice,
  listChoices,
  printActions,
} from "../../../../src/cli/call/show/print-actions.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { PassThrough } from "node:stream";

const button = (title: string, message: string): ShownAction => ({
  action: "confirm",
  data: { title, message, command: "fix", prompt: "" },
});

const treeOf = (count: number): ShownAction => ({
  action: "tree",
  data: {
    nodes: Array.from({ length: count }, (_, nth) => ({
      id: `n${nth}`,
      type: "symbol",
      name: `name${nth}`,
      labels: ["function", "function", `name${nth}`],
    })),
    nodeActions: [{ nodeType: "symbol", nodeAction: "click", command: "explain" }],
  },
});

function print(...actions: ShownAction[]): string {
  const out = new PassThrough();
  printActions(actions, listChoices(actions), "Next:", createTerminal(out, new PassThrough()));
  return String(out.read());
}

test.each([
  ["Write unit tests", "Write unit tests for this code", "1. Write unit tests for this code"],
  ["Fix", "Look for the mistakes", "1. Fix: Look for the mistakes"],
  ["Fix", "Fix!", "1. Fix"],
  ["Fix the code", "", "1. Fix the code"],
  ["编写单元测试", "为这段代码编写单元测试", "1. 为这段代码编写单元测试"],
  ["修复", "查找这段代码中的错误", "1. 修复：查找这段代码中的错误"],
])("the button %j with %j says nothing twice", (title, message, shown) => {
  expect(listChoices([button(title, message)]).map(describeChoice)).toEqual([shown]);
});

test("labels of a node that repeat its name or each other are told once", () => {
  expect(print(treeOf(1))).toBe("\nNext:\n  1. name0 (function)\n");
});

test("a label that says what the group says is left out, in the tree and in the list", () => {
  const tree: ShownAction = {
    action: "tree",
    data: {
      nodes: [
        { id: "g", type: "group", name: "edge case" },
        { id: "c", pId: "g", type: "case", name: "no items", labels: ["edge case", "slow"] },
      ],
      nodeActions: [{ nodeType: "case", nodeAction: "click", command: "write" }],
    },
  };
  expect(print(tree)).toBe("\nNext:\n  edge case\n    1. no items (slow)\n");
  expect(listChoices([tree]).map(describeChoice)).toEqual(["  1. no items (slow)"]);
});

test("buttons come before a tree that is long, and numbers count in the order that is seen", () => {
  expect(print(treeOf(2), button("Fix", "")).split("\n").slice(2, 5)).toEqual([
    "  1. name0 (function)",
    "  2. name1 (function)",
    "  3. Fix",
  ]);
  expect(print(treeOf(20), button("Fix", "")).split("\n").slice(2, 5)).toEqual([
    "  1. Fix",
    "  2. name0 (function)",
    "  3. name1 (function)",
  ]);
});
