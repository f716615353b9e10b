import { type Action, maxActions, maxNodes } from "../../turn/action.ts";

/** Of all actions of one answer, in characters. A state or a prompt may hold what the person has sent. */
const maxLength = 4 * 1024 * 1024;

/** Keeps the actions of one answer within what a client can take. */
export interface ActionFitter {
  /** The action, with fewer nodes where it is a tree of too many; undefined where there is no room for it. */
  fit(action: Action): Action | undefined;
  /** Whether anything was left out. */
  readonly hasLeftOut: boolean;
}

export function createActionFitter(): ActionFitter {
  let count = 0;
  let length = 0;
  let hasLeftOut = false;
  return {
    fit(action) {
      const shown = cutTree(action);
      hasLeftOut ||= shown !== action;
      const own = lengthOf(shown);
      if (count >= maxActions || length + own > maxLength) {
        hasLeftOut = true;
        return undefined;
      }
      count++;
      length += own;
      return shown;
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

/** The characters of all texts in data that is ours, and so neither deep nor circular. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + lengthOf(item), 1);
}
