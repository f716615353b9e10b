import {
  clickTree,
  maxNodes,
  type TreeAction,
  type TreeNode,
  treeRoot,
} from "../../turn/action.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TestCase } from "../../turn/test-case.ts";
import { printCases } from "../test/case-prompt.ts";
import { printPlaceSentence } from "../click/sentences.ts";
import { fullName } from "../place/symbol-index.ts";
import type { NamedLines } from "../place/place-words.ts";
import type { TestableFunction } from "./test-functions.ts";
import { testTexts } from "./texts.ts";

/** The functions of a file; a click asks for the test cases of one. */
export function functionTree(turn: Turn, functions: readonly TestableFunction[]): TreeAction {
  const nodes = functions.slice(0, maxNodes + 1).map(({ symbol, name }, nth): TreeNode => ({
    id: `function-${nth + 1}`,
    pId: treeRoot,
    type: "function",
    name,
    description: symbol.signature,
    labels: [symbol.kind],
    prompt: printPlaceSentence("cases", { ...symbol.range, name: fullName(symbol) }, turn.locale),
  }));
  const click = { nodeType: "function", command: "unittest" };
  return clickTree(`functions-${turn.id}`, nodes, click);
}

/**
 * Categories as parents, cases below them; a click has the test of one written.
 *
 * @param place the code under test
 */
export function caseTree(turn: Turn, cases: readonly TestCase[], place: NamedLines): TreeAction {
  const texts = testTexts[turn.locale];
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
        description: texts.testCase(item),
        labels: [category],
        prompt: printCases([item], place, turn.locale),
      })),
    ];
  });
  return clickTree(`cases-${turn.id}`, nodes, { nodeType: "case", command: "unittest-write" });
}
