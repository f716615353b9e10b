import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { Action, ConfirmAction, TreeAction, confirmAction } from "../../src/turn/action.ts";

const state = fc.jsonValue({ maxDepth: 2 });
const confirm = fc.record({
  action: fc.constant("confirm" as const),
  state,
  data: fc.record({
    title: fc.string({ minLength: 1 }),
    message: fc.string(),
    command: fc.string(),
    prompt: fc.string(),
  }),
});
const node = fc.record({
  id: fc.string(),
  pId: fc.string(),
  type: fc.string(),
  name: fc.string(),
  description: fc.string(),
  labels: fc.array(fc.string()),
  prompt: fc.string(),
});
const nodeAction = fc.record(
  {
    nodeType: fc.string(),
    nodeAction: fc.constantFrom("expand" as const, "click" as const),
    command: fc.string(),
    prompt: fc.string(),
    promptByNodeProperty: fc.constantFrom<"id" | "prompt">("id", "prompt"),
  },
  { requiredKeys: ["nodeType", "nodeAction", "command"] },
);
const tree = fc.record({
  action: fc.constant("tree" as const),
  state,
  data: fc.record({
    treeId: fc.string(),
    rootPId: fc.string(),
    nodes: fc.array(node),
    nodeActions: fc.array(nodeAction),
  }),
});

test("an action with every documented field comes back unchanged from the wire and both ways through its schema", () => {
  fc.assert(
    fc.property(fc.oneof(confirm, tree), (action) => {
      const received: unknown = JSON.parse(JSON.stringify(action));
      const decoded = z.decode(Action, action);
      expect(Action.parse(received)).toEqual(received);
      expect(decoded).toEqual(action);
      expect(z.encode(Action, decoded)).toEqual(action);
    }),
  );
});

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
