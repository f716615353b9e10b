import * as z from "zod";

/**
 * A button. `command` and `prompt` make the client send an ordinary request, so that it works on
 * clients that know nothing else (platform document, ConfirmAction).
 */
export const ConfirmAction = z.object({
  action: z.literal("confirm"),
  state: z.unknown(),
  data: z.object({
    title: z.string().min(1),
    message: z.string(),
    command: z.string(),
    prompt: z.string(),
  }),
});
export type ConfirmAction = z.infer<typeof ConfirmAction>;

export const TreeNode = z.object({
  id: z.string(),
  /** The parent's id; the tree's `rootPId` for a node at the top. */
  pId: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  /** What a click sends; people see it only then. */
  prompt: z.string().optional(),
});
export type TreeNode = z.infer<typeof TreeNode>;

const NodeAction = z.object({
  nodeType: z.string(),
  nodeAction: z.enum(["expand", "click"]),
  command: z.string(),
  prompt: z.string().optional(),
  /** The name of a node's property whose text becomes the prompt. */
  promptByNodeProperty: z.enum(["id", "type", "name", "description", "prompt"]).optional(),
});

type NodeAction = z.infer<typeof NodeAction>;

/** A tree to click through. Parents are before their children (platform document, TreeAction). */
export const TreeAction = z.object({
  action: z.literal("tree"),
  state: z.unknown(),
  data: z.object({
    treeId: z.string(),
    rootPId: z.string(),
    nodes: z.array(TreeNode),
    nodeActions: z.array(NodeAction),
  }),
});
export type TreeAction = z.infer<typeof TreeAction>;

export const Action = z.discriminatedUnion("action", [ConfirmAction, TreeAction]);
export type Action = z.infer<typeof Action>;

/**
 * The most actions of one answer and nodes of one tree: more than a person clicks through help nobody.
 * Whoever has more to show stops after one more; the door leaves that one out, and says so.
 */
export const maxActions = 100;
export const maxNodes = 200;

export const treeRoot = "root";

/** A tree whose nodes of one type can be clicked; the click sends their `prompt`, which is nowhere else. */
export function clickTree(
  treeId: string,
  nodes: TreeNode[],
  { nodeType, command }: { nodeType: string; command: string },
): TreeAction {
  const nodeAction: NodeAction = {
    nodeType,
    nodeAction: "click",
    command,
    promptByNodeProperty: "prompt",
  };
  const data = { treeId, rootPId: treeRoot, nodes, nodeActions: [nodeAction] };
  return { action: "tree", state: {}, data };
}

/** A button. Its state says what a click sends, for clients that answer with the state alone. */
export function confirmAction(data: ConfirmAction["data"]): ConfirmAction {
  const { command, prompt } = data;
  return { action: "confirm", state: { command, prompt }, data };
}

// What an action remembers for the step after it, whichever way the client goes on.

/** What a click sends: the command, and the text that stands for the person's. */
export type NextStep = Pick<ConfirmAction["data"], "command" | "prompt">;

/** The steps of an action: of the button, or of each node that can be clicked or opened, by `id action`. */
export function stepsOf(action: Action): Record<string, NextStep> {
  if (action.action === "confirm") {
    return { "": { command: action.data.command, prompt: action.data.prompt } };
  }
  const steps: Record<string, NextStep> = {};
  for (const { nodeType, nodeAction, command, prompt, promptByNodeProperty } of action.data
    .nodeActions) {
    for (const node of action.data.nodes) {
      if (node.type !== nodeType) continue;
      const text = promptByNodeProperty === undefined ? prompt : node[promptByNodeProperty];
      steps[stepKey(node.id, nodeAction)] = { command, prompt: text ?? prompt ?? "" };
    }
  }
  return steps;
}

export function stepKey(nodeId: string, nodeAction: NodeAction["nodeAction"]): string {
  return `${nodeId} ${nodeAction}`;
}
