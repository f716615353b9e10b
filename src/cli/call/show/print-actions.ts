import { escapeLine } from "./escape-controls.ts";
import { type Choice, walkTree } from "../choose/list-choices.ts";
import type { ShownAction, ShownTree } from "./shown-action.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the buttons and the trees of an answer, with the numbers of the choices. */
export function printActions(
  actions: readonly ShownAction[],
  choices: readonly Choice[],
  heading: string,
  terminal: Terminal,
): void {
  const buttons = choices.filter(({ node }) => node === undefined);
  const trees = actions.filter((action) => action.action === "tree");
  const lines = [
    ...trees.flatMap((tree) => treeLines(tree, choices, terminal)),
    ...buttons.map((choice) => buttonLine(choice, terminal)),
  ];
  if (lines.length > 0)
    terminal.out(`\n${terminal.outStyle("bold", heading)}\n${lines.join("\n")}\n`);
}

/** Prints only the trees, whose shape a list to choose from does not show. */
export function printTrees(
  actions: readonly ShownAction[],
  choices: readonly Choice[],
  terminal: Terminal,
): void {
  for (const tree of actions.filter((action) => action.action === "tree")) {
    terminal.out(`\n${treeLines(tree, choices, terminal).join("\n")}\n`);
  }
}

export function describeChoice({ number, title, message }: Choice): string {
  const text = escapeLine(message);
  // What the terminal itself offers stands in front of the numbered steps.
  return `${number > 0 ? `${number}. ` : ""}${escapeLine(title)}${text === "" ? "" : `: ${text}`}`;
}

function buttonLine(choice: Choice, terminal: Terminal): string {
  return `  ${terminal.outStyle("cyan", `${choice.number}.`)}${describeChoice(choice).slice(`${choice.number}.`.length)}`;
}

function treeLines(tree: ShownTree, choices: readonly Choice[], terminal: Terminal): string[] {
  return walkTree(tree).map(({ node, depth }) => {
    const choice = choices.find((candidate) => candidate.node === node);
    const number = choice === undefined ? "" : `${terminal.outStyle("cyan", `${choice.number}.`)} `;
    const labels = (node.labels ?? []).map(escapeLine).filter((label) => label !== "");
    const tail = labels.length === 0 ? "" : terminal.outStyle("dim", ` (${labels.join(", ")})`);
    return `  ${"  ".repeat(depth)}${number}${escapeLine(node.name)}${tail}`;
  });
}
