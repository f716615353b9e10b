import { confirmAction } from "../../turn/action.ts";
import { noFocus, withFacts } from "../../turn/focus.ts";
import { streamAnswer, tellFault, templated } from "../ask/answer.ts";
import { newFileEvent, otherFileEvent } from "../edit/show-edit.ts";
import { hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow } from "../flow.ts";
import { findTestSubject, prepareForTests, testedPlace } from "../test/test-subject.ts";
import { addTests, readTests } from "../test/test-file.ts";
import { sealAction } from "../click/seal-action.ts";
import { printKnownCases, readCases, testTexts } from "../test/case-prompt.ts";
import { trimEndSigns } from "../../base/text/lines.ts";

/** Writes the tests of the chosen cases, in the project's own framework, as one file. */
export const unittestWrite: Flow = async function* (turn, services, given = noFocus) {
  const target = targetOf(turn.context.activeEditor);
  if (!hasCode(target) || turn.messageTemplates !== undefined) {
    return yield* templated(turn, services);
  }
  const texts = testTexts[turn.locale];
  const subject = await findTestSubject(turn, services, target, given);
  const { cases, others } = readCases(turn.context.userInputPrompt ?? "");
  const asked = { chosenCases: cases, openCases: others || texts.allCases };
  const wishes = [cases.length === 0 ? "" : others, given.facts.wishes ?? ""];
  const told = withFacts(given, { wishes: wishes.filter((text) => text !== "").join("\n\n") });
  const { receipt, request } = await prepareForTests(turn, services, told, subject, asked);
  yield receipt;
  const { raw, reason } = yield* streamAnswer(turn, request, (text) => [
    { type: "text-delta", text },
  ]);
  const isInSource = subject.framework?.isInSource === true;
  const { path, text, language } = target;
  const options = { code: services.code, language, path, signal: turn.signal };
  // Beside the code, tests are a file only where the answer names one.
  const tested = { path, text, testPath: isInSource ? "" : (subject.facts.testPath ?? "") };
  const file = reason === "stop" ? await readTests(raw, tested, options) : undefined;
  const isFaulty = reason !== "stop" || raw.trim() === "";
  if (isFaulty) {
    yield* tellFault(turn, services, given, reason, { said: raw });
  } else if (isInSource && file === undefined) {
    yield { type: "text-delta", text: `\n\n${texts.addToSource(path)}\n` };
  } else {
    const { existing } = subject;
    if (existing !== undefined) {
      // Of a passage it is not known what else the file has.
      const search = `${trimEndSigns(existing.text.replaceAll("\r\n", "\n"), "\n")}\n`;
      const replace =
        file && existing.isWhole ? await addTests(search, file.text, options) : undefined;
      const say = replace === undefined ? texts.compareWithTests : texts.addToTests;
      yield { type: "text-delta", text: `\n\n${say(existing.path)}\n` };
      if (replace !== undefined) yield otherFileEvent(existing.path, [{ search, replace }]);
    } else if (file !== undefined) yield newFileEvent(file.name, file.text);
  }
  const prompt = printKnownCases(cases, testedPlace(subject, given), turn.locale);
  const more = confirmAction({ ...texts.moreCases, command: "unittest", prompt });
  yield await sealAction(turn, services, more);
  yield { type: "turn-end", reason };
};
