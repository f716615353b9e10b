import { expect, test } from "vitest";
import { Action, ConfirmAction, TreeAction, confirmAction } from "../../src/turn/action.ts";

test("an action without command and prompt would not work on simple clients and is not one", () => {
  const action = confirmAction({ title: "Fix it", message: "", command: "fix", prompt: "" });
  expect(ConfirmAction.parse(action)).toEqual({
    action: "confirm",
    state: { command: "fix", prompt: "" },
    data: { title: "Fix it", message: "", command: "fix", prompt: "" },
  });
  const { command, prompt, ...rest } = action.data;
  expect(Action.safeParse({ ...action, data: { ...rest, command } }).success).toBe(false);
  expect(Action.safeParse({ ...action, data: { ...rest, prompt } }).success).toBe(false);
  expect(Action.safeParse({ ...action, data: { ...action.data, title: "" } }).success).toBe(false);
});

test("what happens to a node is expand or click, and its prompt comes from a property that nodes have", () => {
  const withAction = (more: object): boolean =>
    TreeAction.safeParse({
      action: "tree",
      state: {},
      data: {
        treeId: "t",
        rootPId: "",
        nodes: [],
        nodeActions: [{ nodeType: "file", nodeAction: "click", command: "explain", ...more }],
      },
    }).success;
  expect(withAction({ nodeAction: "expand", promptByNodeProperty: "description" })).toBe(true);
  expect(withAction({ nodeAction: "hover" })).toBe(false);
  expect(withAction({ promptByNodeProperty: "size" })).toBe(false);
});
