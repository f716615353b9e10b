import { answer } from "./ask/answer.ts";
import type { Flow } from "./flow.ts";

/** Any command that has message templates: they are rendered, and the model answers them. */
export const templated: Flow = async function* (turn, services) {
  const { receipt, events } = await answer(turn, services);
  yield receipt;
  const reason = yield* events;
  yield { type: "turn-end", reason };
};
