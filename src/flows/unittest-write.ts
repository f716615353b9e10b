import { confirmAction } from "../turn/action.ts";
import { targetOf } from "./edit-target.ts";
import type { Flow } from "./flow.ts";
import { prepareForTests } from "./prepare-for-tests.ts";
import { templated } from "./templated.ts";
import { withoutMark } from "./test-place.ts";
import { findTestSubject } from "./test-subject.ts";
import { type Texts, textsFor } from "./texts.ts";

/** Writes the tests of the chosen cases, in the project's own framework, as one file. */
export const unittestWrite: Flow = async function* (turn, services) {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined || turn.messageTemplates !== undefined) {
    return yield* templated(turn, services);
  }
  const texts = textsFor(turn.locale);
  const subject = await findTestSubject(turn, services, target);
  const wanted = readCases(turn.context.userInputPrompt ?? "", texts);
  const variables = { ...subject.variables, ...wanted };
  const { receipt, request } = prepareForTests(turn, services, { ...subject, variables });
  yield receipt;
  const { model, signal, caller } = turn;
  const reason = yield* model.stream(request, { signal, caller, as: "frames" });
  yield { type: "action", action: confirmAction({ ...texts.moreCases, command: "unittest" }) };
  yield { type: "turn-end", reason };
};

/** Clicks send lines of the form `1. happy path: adds two numbers`; what a person writes below them are wishes. */
const casePattern = /^\s*(?:\d+[.)]\s|(?:happy path|edge case):)/;

function readCases(prompt: string, texts: Texts): { cases: string; wishes: string } {
  const asked = withoutMark(prompt);
  const lines = asked.split("\n");
  const cases = lines.filter((line) => casePattern.test(line));
  if (cases.length === 0) return { cases: asked === "" ? texts.allCases : asked, wishes: "" };
  const wishes = lines.filter((line) => !casePattern.test(line));
  return { cases: cases.join("\n"), wishes: wishes.join("\n").trim() };
}
