import { escapeLine } from "./escape-controls.ts";
import { type Choice, inOrder, isLongTree, parentOf, walkTree } from "./list-choices.ts";
import type { ShownAction, ShownNode, ShownTree } from "./shown-action.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the buttons and the trees of an answer, with the numbers of the choices. */
export function printActions(
  actions: readonly ShownAction[],
  choices: readonly Choice[],
  heading: string,
  terminal: Terminal,
): void {
  const buttons = choices.filter(({ node }) => node === undefined);
  const ordered = inOrder(actions);
  const trees = ordered.filter((action) => action.action === "tree");
  const numbers = new Map(choices.map(({ node, number }) => [node, number]));
  const last = buttons.at(-1)?.number ?? 0;
  // A tree none of whose nodes can be chosen explains what follows.
  const isAfter = (tree: ShownTree): boolean =>
    tree.data.nodes.some((node) => (numbers.get(node) ?? 0) > last);
  const linesOf = (shown: readonly ShownTree[]): string[] =>
    shown.flatMap((tree) => treeLines(tree, choices, terminal));
  const lines = [
    ...linesOf(trees.filter((tree) => last === 0 || !isAfter(tree))),
    ...buttons.map((choice) => buttonLine(choice, terminal)),
    ...linesOf(trees.filter((tree) => last > 0 && isAfter(tree))),
  ];
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
    if (isLongTree(tree) && tree.data.nodes.every((node) => chosen.has(node))) continue;
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
  const words = wordsOf(text);
  return [...wordsOf(other)].every((word) => words.has(word));
}

const articles = new Set(["a", "an", "the", "this", "that"]);

function wordsOf(text: string): Set<string> {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(
    text.toLowerCase(),
  );
  return new Set(
    [...segments]
      .filter(({ isWordLike, segment }) => isWordLike === true && !articles.has(segment))
      .map(({ segment }) => segment),
  );
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
