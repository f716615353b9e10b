import { clickTree, type TreeAction, type TreeNode, treeRoot } from "../turn/action.ts";
import type { CodeSymbol } from "../symbols/code-analysis.ts";
import type { Turn } from "../turn/turn.ts";
import type { TestCase } from "./ask-for-cases.ts";
import type { EditTarget } from "./edit-target.ts";
import { markLines } from "./test-place.ts";
import { textsFor } from "./texts.ts";

/** The functions of a file; a click asks for the test cases of one. */
export function functionTree(
  turn: Turn,
  functions: readonly CodeSymbol[],
  target: EditTarget,
): TreeAction {
  const { prompt } = textsFor(turn.locale).unittest;
  const nodes = functions.map((symbol, nth): TreeNode => ({
    id: `function-${nth + 1}`,
    pId: treeRoot,
    type: "function",
    name: [symbol.container, symbol.name].filter((part) => part).join("."),
    description: `${prompt} ${symbol.name} ${markLines(symbol, target)}`,
    labels: [symbol.kind],
  }));
  const click = { nodeType: "function", command: "unittest" };
  return clickTree(`functions-${turn.id}`, nodes, click);
}

/**
 * Categories as parents, cases below them; a click has the test of one written.
 *
 * @param mark names the code under test to the next step
 */
export function caseTree(
  turn: Turn,
  cases: readonly TestCase[],
  mark: readonly string[],
): TreeAction {
  const texts = textsFor(turn.locale);
  const categories = [...Map.groupBy(cases, ({ category }) => category)];
  const nodes = categories.flatMap(([category, members], nth): TreeNode[] => {
    const id = `category-${nth + 1}`;
    const name = texts.category(category);
    const labels = [String(members.length)];
    return [
      { id, pId: treeRoot, type: "category", name, description: name, labels },
      ...members.map((item) => ({
        id: `case-${cases.indexOf(item) + 1}`,
        pId: id,
        type: "case",
        name: item.description,
        description: [...mark, `${category}: ${item.description}`].join("\n"),
        labels: [category],
      })),
    ];
  });
  return clickTree(`cases-${turn.id}`, nodes, { nodeType: "case", command: "unittest-write" });
}
