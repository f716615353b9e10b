import type { PromptPlan } from "../../prompt/build-prompt.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { type Focus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { prepare } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import type { TestSubject } from "./test-subject.ts";

const plan: PromptPlan = {
  spare: ["definitions", "referenceTest", "class"],
  // The subject and the cases came from these.
  shown: ["activeEditor", "userInputPrompt"],
};

/**
 * Builds the prompt with as much of the subject as the model's window takes: package files, knowledge and
 * history go first, then the definitions, then the reference test, then the class around the function. The
 * receipt names what went.
 *
 * @throws AppError `prompt_too_large` if the function alone is too much
 */
export function prepareForTests(
  turn: Turn,
  services: Services,
  given: Focus,
  { place: { startLine, endLine }, facts }: TestSubject,
): Promise<{ receipt: TurnEvent; request: ChatRequest; focus: Focus }> {
  const focus = { ...withFacts(given, facts), place: { startLine, endLine } };
  return prepare(turn, services, focus, undefined, plan);
}
