import { answer } from "./ask/answer.ts";
import type { Flow } from "./flow.ts";
import { knowledgeTree } from "./click/knowledge-tree.ts";
import { openTree } from "./click/seal-action.ts";

/** A free question with the context; shows the knowledge that came with it. */
export const chat: Flow = async function* (turn, services, focus) {
  const { receipt, relay } = await answer(turn, services, focus, { mayBeOutline: true });
  yield receipt;
  yield { type: "relay", relay };
  const reason = await relay.ended;
  const tree = knowledgeTree(turn);
  if (tree !== undefined) yield openTree(tree);
  yield { type: "turn-end", reason };
};
