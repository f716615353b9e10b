import { applyPrompt, offerNext, proposeEdit } from "./edit-file.ts";
import { targetOf } from "./edit-target.ts";
import type { Flow } from "./flow.ts";
import { placeVariables } from "./place.ts";
import { templated } from "./templated.ts";
import { withVariables } from "./with-variables.ts";

/**
 * Repairs the code in focus: the model tells the cause and proposes units, the engine applies them to the
 * editor's file, and the person sees the new code, the diff and what to do next. Units that come in the
 * prompt (a click on a place, or on "whole file") are applied without the model.
 */
export const fix: Flow = async function* (turn, services) {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined) return yield* templated(turn, services);
  const outcome =
    (yield* applyPrompt(turn, services, target)) ??
    (yield* proposeEdit(turn, services, {
      asked: withVariables(turn, await placeVariables(turn, services, target)),
      target,
    }));
  yield* offerNext(turn, services, target, outcome);
  yield { type: "turn-end", reason: outcome.reason };
};
