import { type Action, maxActions, maxNodes } from "../../turn/action.ts";

/** Of all actions of one answer as JSON, in characters. A state or a prompt may hold what the person has sent. */
const maxLength = 4 * 1024 * 1024;

/** Prints the actions of one answer, within what a client can take. */
export interface ActionPrinter {
  /** The action's JSON, with fewer nodes where it is a tree of too many; undefined where there is no room for it. */
  print(action: Action): string | undefined;
  /** Whether anything was left out. */
  readonly hasLeftOut: boolean;
}

export function createActionPrinter(): ActionPrinter {
  let count = 0;
  let length = 0;
  let hasLeftOut = false;
  return {
    print(action) {
      const shown = cutTree(action);
      hasLeftOut ||= shown !== action;
      const json = count < maxActions ? JSON.stringify(shown) : undefined;
      if (json === undefined || length + json.length > maxLength) {
        hasLeftOut = true;
        return undefined;
      }
      count++;
      length += json.length;
      return json;
    },
    get hasLeftOut() {
      return hasLeftOut;
    },
  };
}

/** Parents come before their children, so that the first nodes are a tree, too. */
function cutTree(action: Action): Action {
  if (action.action !== "tree" || action.data.nodes.length <= maxNodes) return action;
  return { ...action, data: { ...action.data, nodes: action.data.nodes.slice(0, maxNodes) } };
}
