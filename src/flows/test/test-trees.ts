import {
  clickTree,
  maxNodes,
  type TreeAction,
  type TreeNode,
  treeRoot,
} from "../../turn/action.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TestCase } from "../../turn/test-case.ts";
import { printCases } from "../click/case-prompt.ts";
import { addMark, printLineMark } from "../click/line-mark.ts";
import type { TestableFunction } from "./test-functions.ts";
import { textsFor } from "../texts/texts.ts";

/** The functions of a file; a click asks for the test cases of one. */
export function functionTree(turn: Turn, functions: readonly TestableFunction[]): TreeAction {
  const texts = textsFor(turn.locale);
  const nodes = functions.slice(0, maxNodes + 1).map(({ symbol, name }, nth): TreeNode => ({
    id: `function-${nth + 1}`,
    pId: treeRoot,
    type: "function",
    name,
    description: addMark(texts.testsFor(name), printLineMark(symbol.range, symbol.name)),
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
export function caseTree(turn: Turn, cases: readonly TestCase[], mark: string): TreeAction {
  const texts = textsFor(turn.locale);
  const shown = cases.slice(0, maxNodes + 1);
  const categories = [...Map.groupBy(shown, ({ category }) => category)];
  const nodes = categories.flatMap(([category, members], nth): TreeNode[] => {
    const id = `category-${nth + 1}`;
    const name = texts.category(category);
    const labels = [String(members.length)];
    return [
      { id, pId: treeRoot, type: "category", name, description: name, labels },
      ...members.map((item) => ({
        id: `case-${shown.indexOf(item) + 1}`,
        pId: id,
        type: "case",
        name: item.description,
        description: printCases([item], mark),
        labels: [category],
      })),
    ];
  });
  return clickTree(`cases-${turn.id}`, nodes, { nodeType: "case", command: "unittest-write" });
}
