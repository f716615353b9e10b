import type { Action } from "../../turn/action.ts";
import { stepsOf } from "../../turn/next-step.ts";
import { bindState, hashText } from "../../state/sealed-state.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Services } from "../flow.ts";

/**
 * The action with what its clicks send sealed in `state`: a client that answers with the state instead of
 * a request of its own gets the same turn.
 */
export async function sealAction(
  turn: Turn,
  { states }: Services,
  action: Action,
): Promise<TurnEvent> {
  const file = turn.context.activeEditor?.content;
  const content = {
    steps: stepsOf(action),
    ...(file ? { fileHash: await hashText(file) } : {}),
  };
  const binding = bindState(turn.definition, turn.context, turn.caller);
  const state = binding && (await states.seal(content, binding));
  return { type: "action", action: { ...action, state: state ?? action.state } };
}
