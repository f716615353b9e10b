// What an action remembers for the step after it, whichever way the client goes on.
import type { Action, TreeAction } from "./action.ts";

/** What a click sends: the command, and the text that stands for the person's. */
export interface NextStep {
  command: string;
  prompt: string;
}

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

export function stepKey(
  nodeId: string,
  nodeAction: TreeAction["data"]["nodeActions"][number]["nodeAction"],
): string {
  return `${nodeId} ${nodeAction}`;
}
