import { confirmAction } from "../../turn/action.ts";
import type { TestCase } from "../../turn/test-case.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { noFocus } from "../../turn/focus.ts";
import { describeContext } from "../../prompt/describe-context.ts";
import { fence } from "../../turn/context/fence.ts";
import { askForCases } from "../test/ask-for-cases.ts";
import { hasCode, targetOf } from "../edit/edit-target.ts";
import type { Flow } from "../flow.ts";
import type { TestTexts } from "../test/texts.ts";
import { retryAction } from "../click/next-action.ts";
import { prepareForTests } from "../test/prepare-for-tests.ts";
import { sealAction } from "../click/seal-action.ts";
import { templated } from "../templated.ts";
import { printCases, readCases } from "../test/case-prompt.ts";
import { findTestable } from "../test/test-functions.ts";
import { findTestSubject, nameOf, testedPlace } from "../test/test-subject.ts";
import { caseTree, functionTree } from "../test/test-trees.ts";
import { testTexts } from "../test/texts.ts";

/**
 * Recommends test cases for the selection, the function at the cursor, or one that is chosen from a tree:
 * shown as a tree, each case to be clicked, and a button that writes them all.
 */
export const unittest: Flow = async function* (turn, services, given = noFocus) {
  if (turn.messageTemplates !== undefined) return yield* templated(turn, services);
  const texts = testTexts[turn.locale];
  const target = targetOf(turn.context.activeEditor);
  if (!hasCode(target)) {
    yield { type: "context-receipt", receipt: describeContext(turn) };
    yield { type: "text-delta", text: `${texts.noCode}\n` };
    yield { type: "turn-end", reason: "stop" };
    return;
  }
  const subject = await findTestSubject(turn, services, target, given);
  const functions = findTestable(subject.analysis);
  if (subject.place.kind === "file" && functions.length > 1) {
    yield { type: "context-receipt", receipt: describeContext(turn) };
    yield { type: "text-delta", text: `${texts.chooseFunction}\n` };
    yield await sealAction(turn, services, functionTree(turn, functions));
    yield { type: "turn-end", reason: "stop" };
    return;
  }
  const known = readCases(turn.context.userInputPrompt ?? "");
  const { cases: knownCases } = known;
  const facts = { ...subject.facts, knownCases };
  const { receipt, request, focus } = await prepareForTests(turn, services, given, {
    ...subject,
    facts,
  });
  yield receipt;
  // The model comes first, so that its refusal is one of the whole request.
  const print = (item: TestCase, nth: number): string => `${nth + 1}. ${texts.testCase(item)}\n`;
  const show = (shown: readonly TestCase[], before: number): TurnEvent => ({
    type: "tree-lines",
    text: shown.map((item, nth) => print(item, before + nth)).join(""),
  });
  const { cases, raw, reason } = yield* askForCases(turn, focus, services, request, show);
  if (cases.length === 0) {
    yield { type: "text-delta", text: `${[texts.noCases, ...quote(raw, texts)].join("\n\n")}\n` };
    if (turn.model.isDeterministic !== true)
      yield await sealAction(turn, services, retryAction(turn, focus));
    yield { type: "turn-end", reason };
    return;
  }
  const head = texts.casesFor(nameOf(subject.place, target));
  yield { type: "text-delta", text: `${head}\n\n${cases.map(print).join("")}`, brief: "" };
  const place = testedPlace(subject, focus);
  yield await sealAction(turn, services, caseTree(turn, cases, place));
  const prompt = printCases(cases, place, turn.locale);
  const all = { ...texts.writeAll(cases.length), command: "unittest-write", prompt };
  yield await sealAction(turn, services, confirmAction(all));
  yield { type: "turn-end", reason };
};

/** What the model has said instead. */
function quote(raw: string, { answered }: TestTexts): string[] {
  const answer = raw.trim();
  if (answer === "") return [];
  return [answered, /^[[{]/.test(answer) ? fence(answer) : answer];
}
