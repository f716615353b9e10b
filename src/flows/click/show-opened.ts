import { describeContext } from "../../prompt/describe-context.ts";
import type { Flow } from "../flow.ts";

/** The children of a node that a person has opened. */
export const showOpened: Flow = async function* (turn) {
  yield { type: "context-receipt", receipt: describeContext(turn) };
  if (turn.opened !== undefined) yield { type: "action", action: turn.opened };
  yield { type: "turn-end", reason: "stop" };
};
