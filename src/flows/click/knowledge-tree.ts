import { type KnowledgeReference, referencesOf, sourceOf } from "../../context/knowledge-base.ts";
import { clickTree, type TreeAction, type TreeNode, treeRoot } from "../../turn/action.ts";
import { stepsOf } from "../../turn/next-step.ts";
import type { Turn } from "../../turn/turn.ts";
import { textsFor } from "../texts/texts.ts";

/** More passages than a person will click through help nobody. */
const mostPassages = 50;
const longestPassage = 2_000;

/**
 * Shows the knowledge that came with the request: sources, below them their passages to click on.
 *
 * @returns undefined where no knowledge came
 */
export function knowledgeTree(turn: Turn): TreeAction | undefined {
  const references = referencesOf(turn.context.knowledgeBase ?? []).slice(0, mostPassages);
  if (references.length === 0) return undefined;
  const prompt = textsFor(turn.locale).explainPassage;
  const click = { nodeType: "passage", command: "explain", prompt };
  const tree = clickTree(`knowledge-${turn.id}`, toNodes(references), click);
  // Sealing what the tree shows anyway would cost more than all the rest of an answer.
  return { ...tree, state: { steps: stepsOf(tree) } };
}

function toNodes(references: readonly KnowledgeReference[]): TreeNode[] {
  const sources = Map.groupBy(references, fileOf);
  return [...sources].flatMap(([file, passages], index) => {
    const id = `source-${index + 1}`;
    const kind = passages[0]?.metadata?.sourceType;
    const source: TreeNode = {
      id,
      pId: treeRoot,
      type: "source",
      name: file,
      description: passages[0]?.metadata?.source ?? file,
      labels: kind ? [kind] : [],
    };
    return [
      source,
      ...passages.map((passage) => toPassage(passage, id, references.indexOf(passage) + 1)),
    ];
  });
}

function toPassage(reference: KnowledgeReference, pId: string, rank: number): TreeNode {
  const text = reference.chunk;
  return {
    id: `passage-${rank}`,
    pId,
    type: "passage",
    name: `[${rank}] ${sourceOf(reference)}`,
    description: text.length > longestPassage ? `${text.slice(0, longestPassage)}…` : text,
    labels: typeof reference.score === "number" ? [String(reference.score)] : [],
  };
}

function fileOf(reference: KnowledgeReference): string {
  return reference.metadata?.fileName || reference.metadata?.source || "(unnamed source)";
}
