import * as z from "zod";
import { escapeLine } from "./escape-controls.ts";
import type { Terminal } from "../terminal.ts";
import { tokenize } from "../../../knowledge/tokenize.ts";
import type { ActiveEditor } from "../../../turn/context/active-editor.ts";

export function printActions(
  actions: readonly ShownAction[],
  choices: readonly Choice[],
  heading: string,
  terminal: Terminal,
): void {
  const buttons = choices.filter(({ node }) => node === undefined);
  const lines = inOrder(actions).flatMap((action) => {
    if (action.action === "tree") return treeLines(action, choices, terminal);
    const choice = choicesOf(action).length === 0 ? undefined : buttons.shift();
    return choice === undefined ? [] : [buttonLine(choice, terminal)];
  });
  if (lines.length > 0)
    terminal.out(`\n${terminal.outStyle("bold", heading)}\n${lines.join("\n")}\n`);
}

/**
 * Prints only the trees, whose shape a list to choose from does not show. A long one all of whose nodes can be
 * chosen is left to the list, which can be searched.
 */
export function printTrees(
  actions: readonly ShownAction[],
  choices: readonly Choice[],
  terminal: Terminal,
): void {
  const chosen = new Set(choices.map(({ node }) => node));
  for (const tree of actions.filter((action) => action.action === "tree")) {
    const { nodes } = tree.data;
    if (nodes.length > maxShortTree && nodes.every((node) => chosen.has(node))) continue;
    terminal.out(`\n${treeLines(tree, choices, terminal).join("\n")}\n`);
  }
}

/** A choice in one line, where no word is said twice. */
export function describeChoice(choice: Choice): string {
  const { number, title, message, node, depth = 0, parent } = choice;
  const [name, text] = [escapeLine(title), escapeLine(message)];
  const labels = node === undefined ? "" : printLabels(node, parent);
  // What the terminal itself offers comes before the numbered steps.
  const lead = `${"  ".repeat(depth)}${number > 0 ? `${number}. ` : ""}`;
  return lead + joinWithoutRepetition(name, text) + labels;
}

/** The labels that say what neither the node nor the one above it says. */
function printLabels({ name, labels }: ShownNode, parent = ""): string {
  const told = (labels ?? [])
    .map(escapeLine)
    .filter((label) => label !== "" && !tells(name, label) && !tells(parent, label));
  return told.length === 0 ? "" : ` (${[...new Set(told)].join(", ")})`;
}

/** `Fix: Look for mistakes`, but `Write unit tests for this code` alone where the title is `Write unit tests`. */
function joinWithoutRepetition(title: string, message: string): string {
  if (message === "" || tells(title, message)) return title;
  if (tells(message, title)) return message;
  const colon = /\p{Script=Han}$/u.test(title) ? "：" : ": ";
  return `${title}${colon}${message}`;
}

/** Whether a text holds all words of another one, articles aside. */
function tells(text: string, other: string): boolean {
  const words = new Set([...tokenize(text), "a", "an", "the", "this", "that"]);
  return tokenize(other).every((word) => words.has(word));
}

function buttonLine(choice: Choice, terminal: Terminal): string {
  return `  ${terminal.outStyle("cyan", `${choice.number}.`)}${describeChoice(choice).slice(`${choice.number}.`.length)}`;
}

function treeLines(tree: ShownTree, choices: readonly Choice[], terminal: Terminal): string[] {
  return walkTree(tree).map(({ node, depth }) => {
    const choice = choices.find((candidate) => candidate.node === node);
    const number = choice === undefined ? "" : `${terminal.outStyle("cyan", `${choice.number}.`)} `;
    const labels = printLabels(node, parentOf(tree, node));
    const tail = labels === "" ? "" : terminal.outStyle("dim", labels);
    return `  ${"  ".repeat(depth)}${number}${escapeLine(node.name)}${tail}`;
  });
}

/** Nodes that a person reads over on the way to the buttons. */
const maxShortTree = 8;

/** A step that the person can take next; numbers count through all actions of an answer, from 1. */
export interface Choice {
  number: number;
  title: string;
  message: string;
  command: string;
  prompt: string;
  node?: ShownNode;
  depth?: number;
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

/** The actions as they are shown: trees that explain what follows come first, and long ones to choose from last. */
function inOrder(actions: readonly ShownAction[]): ShownAction[] {
  const place = (action: ShownAction): number => {
    if (action.action !== "tree") return 1;
    if (choicesOf(action).length === 0) return 0;
    return action.data.nodes.length > maxShortTree ? 2 : 1;
  };
  const placed = Map.groupBy(actions, place);
  return [0, 1, 2].flatMap((nth) => placed.get(nth) ?? []);
}

/** A tree's nodes in the order in which they are shown, with their depth from 0. */
function walkTree(tree: ShownTree): { node: ShownNode; depth: number }[] {
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

function parentOf(tree: ShownTree, { id, pId }: ShownNode): string | undefined {
  return tree.data.nodes.find((node) => node.id === pId && pId !== id)?.name;
}

/** Lenient where our own actions are strict: other agents leave out what the document calls optional. */
const ShownConfirm = z.looseObject({
  action: z.literal("confirm"),
  data: z.looseObject({
    title: z.string(),
    message: z.string().nullish(),
    command: z.string().nullish(),
    prompt: z.string().nullish(),
  }),
});

const ShownNode = z.looseObject({
  id: z.string(),
  pId: z.string().nullish(),
  type: z.string().nullish(),
  name: z.string(),
  labels: z.array(z.string()).nullish(),
});
export type ShownNode = z.infer<typeof ShownNode>;

const ShownTree = z.looseObject({
  action: z.literal("tree"),
  data: z.looseObject({
    rootPId: z.string().nullish(),
    nodes: z.array(ShownNode),
    nodeActions: z
      .array(
        z.looseObject({
          nodeType: z.string(),
          nodeAction: z.string(),
          command: z.string().nullish(),
          prompt: z.string().nullish(),
          promptByNodeProperty: z.string().nullish(),
        }),
      )
      .nullish(),
  }),
});
export type ShownTree = z.infer<typeof ShownTree>;

/** What comes in a `copilot_action` frame, from any agent (platform document, ConfirmAction, TreeAction). */
export const ShownAction = z.discriminatedUnion("action", [ShownConfirm, ShownTree]);
export type ShownAction = z.infer<typeof ShownAction>;
