import {
  ShownAction,
  type ShownNode,
  type ShownTree,
} from "../../../src/cli/call/show/print-actions.ts";

/** A button as it comes over the wire. */
export function button(title: string, command: string, prompt: string): ShownAction {
  return ShownAction.parse({
    action: "confirm",
    state: {},
    data: { title, message: "", command, prompt },
  });
}

/** A tree whose cases and functions can be clicked. */
export function treeOf(command: string, nodes: readonly ShownNode[]): ShownTree {
  const nodeActions = ["case", "function"].map((nodeType) => ({
    nodeType,
    nodeAction: "click",
    command,
    promptByNodeProperty: "prompt",
  }));
  return { action: "tree", data: { rootPId: "root", nodes: [...nodes], nodeActions } };
}

/** Test cases in two categories, as `unittest` recommends them. */
export const caseTree = treeOf("unittest-write", [
  { id: "a", type: "category", name: "happy path" },
  node("1", "a", "adds", "happy path"),
  { id: "b", type: "category", name: "edge case" },
  node("2", "b", "no items", "edge case"),
  node("3", "b", "null", "edge case"),
]);

function node(id: string, pId: string, name: string, category: string): ShownNode {
  const prompt = `Write tests for lines 3-9\n\n\`\`\`text\n${category}: ${name}\n\`\`\``;
  return { id, pId, type: "case", name, prompt };
}
