import type { ActiveEditor } from "../../../turn/context/active-editor.ts";
import type { ShownAction, ShownNode, ShownTree } from "./shown-action.ts";

/** Nodes that a person reads over on the way to the buttons. */
const maxShortTree = 8;

/** A step that the person can take next; numbers count through all actions of an answer, from 1. */
export interface Choice {
  number: number;
  title: string;
  message: string;
  command: string;
  prompt: string;
  /** The node of a tree; absent for buttons. */
  node?: ShownNode;
  /** How deep the node is in its tree, from 0. */
  depth?: number;
  /** The name of the node that it belongs to. */
  parent?: string | undefined;
  /** The file as it is now, where it has changed since the last request. */
  editor?: ActiveEditor;
}

/** Lists what can be chosen: every button, and every tree node that a click does something with. */
export function listChoices(actions: readonly ShownAction[]): Choice[] {
  return inOrder(actions)
    .flatMap(choicesOf)
    .map((choice, index) => ({ ...choice, number: index + 1 }));
}

/** The actions as they are shown: what they are, but long trees after everything else. */
export function inOrder(actions: readonly ShownAction[]): ShownAction[] {
  return [...actions.filter((one) => !isLongTree(one)), ...actions.filter(isLongTree)];
}

export function isLongTree(action: ShownAction): boolean {
  return action.action === "tree" && action.data.nodes.length > maxShortTree;
}

/** A tree's nodes in the order in which they are shown, with their depth from 0. */
export function walkTree(tree: ShownTree): { node: ShownNode; depth: number }[] {
  const { nodes } = tree.data;
  const ids = new Set(nodes.map(({ id }) => id));
  const children = Map.groupBy(nodes, ({ pId }) => (pId && ids.has(pId) ? pId : undefined));
  const seen = new Set<ShownNode>();
  const walk = (parent: string | undefined, depth: number): { node: ShownNode; depth: number }[] =>
    (children.get(parent) ?? []).flatMap((node) => {
      // A node that two names share, or that is its own ancestor, is shown once.
      if (seen.has(node)) return [];
      seen.add(node);
      return [{ node, depth }, ...walk(node.id, depth + 1)];
    });
  return walk(undefined, 0);
}

function choicesOf(action: ShownAction): Omit<Choice, "number">[] {
  if (action.action === "tree")
    return walkTree(action).flatMap(({ node, depth }) => nodeChoice(action, node, depth));
  const { title, message, command, prompt } = action.data;
  // Without both, an agent wants a feedback request, which the platform document does not specify.
  if (!command && !prompt) return [];
  return [{ title, message: message ?? "", command: command || "default", prompt: prompt ?? "" }];
}

function nodeChoice(tree: ShownTree, node: ShownNode, depth: number): Omit<Choice, "number">[] {
  const click = tree.data.nodeActions?.find(
    ({ nodeType, nodeAction }) => nodeAction === "click" && nodeType === node.type,
  );
  if (click === undefined) return [];
  const property = click.promptByNodeProperty;
  const byProperty: unknown =
    property && Object.hasOwn(node, property) ? Reflect.get(node, property) : undefined;
  const prompt =
    typeof byProperty === "string" && byProperty !== "" ? byProperty : (click.prompt ?? "");
  if (!click.command && prompt === "") return [];
  const command = click.command || "default";
  const parent = parentOf(tree, node);
  return [{ title: node.name, message: "", command, prompt, node, depth, parent }];
}

/** The name of the node that a node belongs to; undefined at the top. */
export function parentOf(tree: ShownTree, { id, pId }: ShownNode): string | undefined {
  return tree.data.nodes.find((node) => node.id === pId && pId !== id)?.name;
}
