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
      // What would be too long even without quotes is not printed first: each node may hold the whole prompt.
      const hasRoom = count < maxActions && length + countText(shown) <= maxLength;
      const json = hasRoom ? JSON.stringify(shown) : undefined;
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

/** The characters of all texts in a value of JSON: no more than it takes printed. */
function countText(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + countText(item), 0);
}

/** Parents come before their children, so that the first nodes are a tree, too. */
function cutTree(action: Action): Action {
  if (action.action !== "tree" || action.data.nodes.length <= maxNodes) return action;
  return { ...action, data: { ...action.data, nodes: action.data.nodes.slice(0, maxNodes) } };
}
