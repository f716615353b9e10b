import { selectionOf } from "../../turn/context/active-editor.ts";
import {
  type TreeAction,
  type TreeNode,
  clickTree,
  maxNodes,
  treeRoot,
} from "../../turn/action.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { answer, tellFault } from "../ask/answer.ts";
import { analyzeTarget, placeOfTurn, targetOf } from "../place/edit-target.ts";
import type { Flow, Services } from "../flow.ts";
import { sealAction, showKnowledge } from "../click/seal-action.ts";
import { nextAction, printPlaceSentence } from "../click/sentences.ts";
import { fullName } from "../place/find-names.ts";
import { textsFor } from "../texts.ts";

/** Explains the selection, else the symbol around the cursor, else the file, with a tree of its symbols to click through. */
export const explain: Flow = async function* (turn, services, given = noFocus) {
  const { activeEditor } = turn.context;
  // A selection says what is meant; then no code is parsed.
  const isSaid = activeEditor === undefined || selectionOf(activeEditor) !== undefined;
  const { focus, tree } = isSaid ? { focus: given } : await lookAround(turn, services, given);
  const { receipt, relay } = await answer(turn, services, focus);
  yield receipt;
  yield { type: "relay", relay };
  const reason = await relay.ended;
  yield* tellFault(turn, services, focus, reason, relay.heard);
  if (tree !== undefined) yield await sealAction(turn, services, tree);
  for (const event of showKnowledge(turn)) yield event;
  if (activeEditor !== undefined) {
    yield { type: "action", action: nextAction(turn, focus, "fix") };
    yield { type: "action", action: nextAction(turn, focus, "unittest") };
  }
  yield { type: "turn-end", reason };
};

async function lookAround(
  turn: Turn,
  services: Services,
  focus: Focus,
): Promise<{ focus: Focus; tree?: TreeAction | undefined }> {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined) return { focus };
  const analysis = await analyzeTarget(turn, services, target);
  const { kind, startLine, endLine, symbol } = placeOfTurn(turn, target, analysis);
  if (kind === "file") return { focus, tree: symbolTree(turn, analysis) };
  const place = textsFor(turn.locale).placeInPrompt(symbol?.name ?? "", startLine, endLine);
  return { focus: { ...withFacts(focus, { place }), place: { startLine, endLine } } };
}

/** The symbols of the file, nested as they are; undefined if it has none. */
function symbolTree(turn: Turn, { symbols }: CodeAnalysis): TreeAction | undefined {
  const nodes: TreeNode[] = [];
  const add = (symbol: CodeSymbol, pId: string): void => {
    if (nodes.length > maxNodes) return;
    const id = `symbol-${nodes.length + 1}`;
    // What is written apart from its type is beside it.
    const name = pId === treeRoot ? fullName(symbol) : symbol.name;
    const place = { ...symbol.range, name: fullName(symbol) };
    const prompt = printPlaceSentence("explain", place, turn.locale);
    const description = symbol.signature;
    nodes.push({ id, pId, type: "symbol", name, description, labels: [symbol.kind], prompt });
    for (const child of symbol.children) add(child, id);
  };
  for (const symbol of symbols) add(symbol, treeRoot);
  if (nodes.length === 0) return undefined;
  return clickTree(`symbols-${turn.id}`, nodes, { nodeType: "symbol", command: "explain" });
}
