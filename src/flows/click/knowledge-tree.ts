import { type KnowledgeReference, referencesOf, sourceOf } from "../../context/knowledge-base.ts";
import { clickTree, type TreeAction, type TreeNode, treeRoot } from "../../turn/action.ts";
import { stepsOf } from "../../turn/next-step.ts";
import type { Turn } from "../../turn/turn.ts";
import { textsFor } from "../texts/texts.ts";

/** More passages than a person will click through help nobody. */
const maxPassages = 50;
const maxPassage = 2_000;

/**
 * Shows the knowledge that came with the request: sources, below them their passages to click on.
 *
 * @returns undefined where no knowledge came
 */
export function knowledgeTree(turn: Turn): TreeAction | undefined {
  const references = referencesOf(turn.context.knowledgeBase ?? []).slice(0, maxPassages);
  if (references.length === 0) return undefined;
  const prompt = textsFor(turn.locale).explainPassage;
  const click = { nodeType: "passage", command: "explain", prompt };
  const tree = clickTree(`knowledge-${turn.id}`, toNodes(references), click);
  // Sealing what the tree shows anyway would cost more than all the rest of an answer.
  return { ...tree, state: { steps: stepsOf(tree) } };
}

function toNodes(references: readonly KnowledgeReference[]): TreeNode[] {
  const sources = new Map<string, TreeNode[]>();
  for (const [index, reference] of references.entries()) {
    const file = fileOf(reference);
    let nodes = sources.get(file);
    if (nodes === undefined)
      sources.set(file, (nodes = [toSource(reference, file, sources.size + 1)]));
    nodes.push(toPassage(reference, nodes[0]?.id ?? treeRoot, index + 1));
  }
  return [...sources.values()].flat();
}

/** @param reference the first passage of the source */
function toSource({ metadata }: KnowledgeReference, file: string, nth: number): TreeNode {
  const kind = metadata?.sourceType;
  return {
    id: `source-${nth}`,
    pId: treeRoot,
    type: "source",
    name: file,
    description: metadata?.source ?? file,
    labels: kind ? [kind] : [],
  };
}

function toPassage(reference: KnowledgeReference, pId: string, rank: number): TreeNode {
  const text = reference.chunk;
  return {
    id: `passage-${rank}`,
    pId,
    type: "passage",
    name: `[${rank}] ${sourceOf(reference)}`,
    description: text.length > maxPassage ? `${text.slice(0, maxPassage)}…` : text,
    labels: typeof reference.score === "number" ? [String(reference.score)] : [],
  };
}

function fileOf(reference: KnowledgeReference): string {
  return reference.metadata?.fileName || reference.metadata?.source || "(unnamed source)";
}
