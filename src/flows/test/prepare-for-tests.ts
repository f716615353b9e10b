import type { ChatRequest } from "../../turn/chat-model.ts";
import { type Focus, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type FlowPlan, prepare } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import type { TestSubject } from "./test-subject.ts";

const plan: FlowPlan = {
  // Without a place nothing around it is shown.
  spare: ["definitions", "referenceTest", "testFile", "place"],
  repeatsDefinitions: true,
  // The cases came from it.
  shown: ["userInputPrompt"],
};

/**
 * Builds the prompt with as much of the subject as the model's window takes: package files, knowledge and
 * history go first, then lines of the file, then definitions from other files, then the reference test, then all that is around it. The
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
  // What the request says itself is stronger than what was found.
  const known = { ...facts, ...given.facts };
  const focus = { ...withFacts(given, known), place: { startLine, endLine } };
  return prepare(turn, services, focus, undefined, plan);
}
