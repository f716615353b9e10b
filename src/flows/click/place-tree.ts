import { clickTree, type TreeAction, type TreeNode, treeRoot } from "../../turn/action.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { symbolAt } from "../../code/symbols.ts";
import { firstWords } from "./choose-place.ts";
import { type Change, printClick } from "./click-prompt.ts";
import { printBlockSentence } from "./sentences.ts";
import { printLines } from "../place/place-words.ts";
import type { EditScene, Refusal } from "../edit/edit-scene.ts";
import { textsFor } from "../texts/texts.ts";

/**
 * The places that a unit fits: a click applies the edit there. Places that earlier clicks have chosen for
 * other units stay chosen. Undefined unless there is a choice.
 */
export function placeTree(
  { turn, target }: EditScene,
  analysis: CodeAnalysis,
  change: Change,
  { code, unit = 1, candidates = [] }: Refusal,
): TreeAction | undefined {
  if (code !== "ambiguous" || candidates.length === 0) return undefined;
  const texts = textsFor(turn.locale);
  const lines = target.text.split(/\r?\n/);
  const nodes = candidates.map((range, nth): TreeNode => {
    const { startLine, endLine } = range;
    const text = firstWords(lines.slice(startLine - 1, endLine));
    const symbol = symbolAt(analysis, startLine);
    const around = [symbol?.container, symbol?.name].filter((part) => part).join(".");
    const choice = { startLine, nth: nth + 1, of: candidates.length };
    const places = new Map([...change.places, [unit, choice]]);
    const sentence = printBlockSentence("apply-at", turn.locale, printLines(range, turn.locale));
    return {
      id: `place-${nth + 1}`,
      pId: treeRoot,
      type: "place",
      name: texts.place(startLine, endLine, around, text),
      description: text,
      labels: [],
      prompt: printClick(sentence, { ...change, places }),
    };
  });
  return clickTree(`places-${turn.id}`, nodes, { nodeType: "place", command: turn.command });
}
