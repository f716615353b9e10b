import type { PlanEdit } from "../../tools/tool.ts";
import { readPlan } from "../../tools/edit-plan/read-plan.ts";
import type { Turn } from "../../turn/turn.ts";
import { addUsage, type Usage } from "../../turn/turn-event.ts";
import { noFocus, withFacts } from "../../turn/focus.ts";
import { prepare } from "../ask/answer.ts";
import { streamAnswer } from "../ask/stream-answer.ts";
import type { Services } from "../flow.ts";
import type { Spent } from "./coding.ts";
import { countTokens } from "./conversation.ts";

/** The agent that says, in one answer of the turn's model, where an edit belongs that could not be merged. */
export function createEditPlanner(
  turn: Turn,
  services: Services,
  onSpent: (spent: Spent) => void,
): PlanEdit {
  return async ({ path, numbered, instructions, codeEdit, problem }, signal) => {
    const focus = withFacts(noFocus, {
      editPath: path,
      numberedFile: numbered,
      instructions,
      codeEdit,
      report: problem,
    });
    const alone = { ...turn, history: [], messageTemplates: undefined, signal };
    try {
      const { request } = await prepare(alone, services, focus, "plan-edit-again");
      const answer = streamAnswer(alone, { ...request, temperature: 0 }, () => []);
      let usage: Usage | undefined;
      let raw = "";
      try {
        for (;;) {
          const next = await answer.next();
          if (next.done === true) {
            ({ raw } = next.value);
            return next.value.reason === "stop" ? readPlan(raw) : undefined;
          }
          if (next.value.type === "usage") usage = addUsage(usage, next.value.usage);
        }
      } finally {
        onSpent({ usage, tokens: usage?.total_tokens ?? countTokens(request.messages, raw) });
      }
    } catch {
      // The refusal that the engine gave is better than none.
      signal.throwIfAborted();
      return undefined;
    }
  };
}
