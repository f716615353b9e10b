import { answer } from "./ask/answer.ts";
import type { Flow } from "./flow.ts";
import { knowledgeTree } from "./click/knowledge-tree.ts";
import { sealAction } from "./click/seal-action.ts";

/** A free question with the context; shows the knowledge that came with it. */
export const chat: Flow = async function* (turn, services, focus) {
  const { receipt, relay } = await answer(turn, services, focus, { mayBeOutline: true });
  yield receipt;
  yield { type: "relay", relay };
  const reason = await relay.ended;
  const tree = knowledgeTree(turn);
  if (tree !== undefined) yield await sealAction(turn, services, tree);
  yield { type: "turn-end", reason };
};
