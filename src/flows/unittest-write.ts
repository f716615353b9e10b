import { confirmAction } from "../turn/action.ts";
import { targetOf } from "./edit-target.ts";
import type { Flow } from "./flow.ts";
import { templated } from "./templated.ts";
import { findTestSubject, prepareForTests } from "./test-subject.ts";
import { textsFor } from "./texts.ts";

/** Writes the tests of the chosen cases, in the project's own framework, as one file. */
export const unittestWrite: Flow = async function* (turn, services) {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined || turn.messageTemplates !== undefined) {
    return yield* templated(turn, services);
  }
  const texts = textsFor(turn.locale);
  const { variables } = await findTestSubject(turn, services, target);
  const cases = (turn.context.userInputPrompt ?? "").replace(/\[lines \d+-\d+\]\s*/, "").trim();
  const asked = { ...variables, cases: cases === "" ? texts.allCases : cases };
  const { receipt, request } = prepareForTests(turn, services, asked);
  yield receipt;
  const reason = yield* turn.model.stream(request, {
    signal: turn.signal,
    caller: turn.caller,
    as: "frames",
  });
  yield { type: "action", action: confirmAction({ ...texts.moreCases, command: "unittest" }) };
  yield { type: "turn-end", reason };
};
