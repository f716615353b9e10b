// Trees of which several nodes make sense together, such as test cases: found, and made one step of.
import { type Choice, walkTree } from "./list-choices.ts";
import type { ShownAction, ShownTree } from "../show/shown-action.ts";

export interface Checklist {
  tree: ShownTree;
  /** The nodes that can be ticked, two or more. */
  choices: Choice[];
  /** The same nodes below the names of their parents; absent where the tree is no list of groups. */
  groups?: Map<string, Choice[]>;
}

/**
 * The first tree of an answer whose nodes can be ticked together. The protocol does not mark such trees,
 * but an agent that takes several nodes at once says so with a button beside the tree: it sends the one
 * command that all clicks send, and its prompt holds the name of every node ("write all"). Trees of
 * functions, symbols, places or passages have no such button, and stay a choice of one.
 */
export function findChecklist(
  actions: readonly ShownAction[],
  choices: readonly Choice[],
): Checklist | undefined {
  const buttons = choices.filter(({ node }) => node === undefined);
  for (const tree of actions.filter((action) => action.action === "tree")) {
    const nodes = new Set(tree.data.nodes);
    const ticks = choices.filter(({ node }) => node !== undefined && nodes.has(node));
    if (ticks.length < 2 || !buttons.some((button) => takesAll(button, ticks))) continue;
    const groups = groupByParent(tree, ticks);
    return { tree, choices: ticks, ...(groups === undefined ? {} : { groups }) };
  }
  return undefined;
}

/**
 * One step for several: the prompts that the clicks would send, one below the other. Lines that all of them
 * begin or end with, such as the sentence with the place of the code and the borders of a block, come once.
 */
export function joinChoices(ticked: readonly [Choice, ...Choice[]]): Choice {
  const [first, ...others] = ticked;
  const prompts = ticked.map(({ prompt }) => prompt.split("\n"));
  if (others.length === 0) return first;
  const [lines = []] = prompts;
  // Each keeps a line of its own, also where two are the same.
  const most = Math.min(...prompts.map(({ length }) => length)) - 1;
  const isFence = (line = ""): boolean => /^`{3,}\w*$/.test(line);
  const end = prompts.every((prompt) => isFence(prompt.at(-1))) ? 1 : 0;
  let start = 0;
  while (start < most - end && prompts.every((prompt) => prompt[start] === lines[start])) start++;
  const own = prompts.flatMap((prompt) => prompt.slice(start, prompt.length - end));
  const joined = [...lines.slice(0, start), ...own, ...lines.slice(lines.length - end)];
  return { ...first, prompt: joined.join("\n") };
}

function takesAll(button: Choice, ticks: readonly Choice[]): boolean {
  return ticks.every(
    ({ command, title }) => command === button.command && button.prompt.includes(title),
  );
}

/** Undefined if a node is at the top, or below one that can be ticked itself. */
function groupByParent(tree: ShownTree, ticks: readonly Choice[]): Checklist["groups"] {
  const ticked = new Set(ticks.map(({ node }) => node));
  const parents = new Map(
    walkTree(tree)
      .map(({ node }) => node)
      .filter((node) => !ticked.has(node))
      .map(({ id, name }) => [id, name]),
  );
  const groups = Map.groupBy(ticks, ({ node }) => parents.get(node?.pId ?? "") ?? "");
  return groups.has("") ? undefined : groups;
}
