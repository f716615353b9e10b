import { prepare } from "../ask/answer.ts";
import { knowledgeTree, openTree } from "../click/seal-action.ts";
import type { Flow } from "../flow.ts";
import { talk } from "./talk.ts";

/** A plain question: the model calls tools that the agent's operator has listed until it knows the answer. */
export const askWithTools: Flow = async function* (turn, services, focus) {
  const tools = (await services.toolsOf?.(turn.agent)) ?? [];
  const plan = { mayBeOutline: true };
  const { receipt, request } = await prepare(turn, services, focus, undefined, plan);
  yield receipt;
  const { messages, temperature, maxTokens, topP, extra } = request;
  const parameters = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(extra === undefined ? {} : { extra }),
  };
  const limits = services.loopLimits;
  for await (const event of talk(turn, services, { messages, tools, parameters, limits })) {
    const tree = event.type === "turn-end" ? knowledgeTree(turn) : undefined;
    if (tree !== undefined) yield openTree(tree);
    // Its calls are ours to make, and no door's to pass on.
    if (event.type !== "model-answer") yield event;
  }
};
