import { answer } from "./ask/answer.ts";
import type { Flow } from "./flow.ts";

/** Any command that has message templates: they are rendered, and the model answers them. */
export const templated: Flow = async function* (turn, services) {
  const { receipt, relay } = await answer(turn, services);
  yield receipt;
  yield { type: "relay", relay };
  const reason = await relay.ended;
  yield { type: "turn-end", reason };
};
