import { confirmAction } from "../../turn/action.ts";
import { noFocus, withFacts } from "../../turn/focus.ts";
import { streamAnswer, tellFault, templated } from "../ask/answer.ts";
import { newFileEvent, otherFileEvent } from "../edit/show-edit.ts";
import { hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow } from "../flow.ts";
import { findTestSubject, prepareForTests, testedPlace } from "../test/test-subject.ts";
import type { OtherFile } from "../ask/other-files.ts";
import { type JoinOptions, joinTests, readTests } from "../test/test-file.ts";
import { sealAction } from "../click/seal-action.ts";
import { printKnownCases, readCases, testTexts } from "../test/case-prompt.ts";
import type { EditUnit } from "../../edit/edit-unit.ts";
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
  const facts = { ...subject.facts, chosenCases: cases, openCases: others || texts.allCases };
  const wishes = [cases.length === 0 ? "" : others, given.facts.wishes ?? ""];
  const told = withFacts(given, { wishes: wishes.filter((text) => text !== "").join("\n\n") });
  const { receipt, request } = await prepareForTests(turn, services, told, { ...subject, facts });
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
      yield { type: "text-delta", text: `\n\n${texts.addToTests(existing.path)}\n` };
      const change = file && (await addTests(existing, file.text, options));
      if (change !== undefined) yield otherFileEvent(existing.path, [change]);
    } else if (file !== undefined) yield newFileEvent(file.name, file.text);
  }
  const prompt = printKnownCases(cases, testedPlace(subject, given), turn.locale);
  const more = confirmAction({ ...texts.moreCases, command: "unittest", prompt });
  yield await sealAction(turn, services, more);
  yield { type: "turn-end", reason };
};

/**
 * The change of a test file that adds tests at its end, without imports that it has. Undefined where only a
 * passage of it is known, or the two are not clearly one file.
 */
async function addTests(
  { text, isWhole }: OtherFile,
  added: string,
  options: JoinOptions,
): Promise<EditUnit | undefined> {
  if (!isWhole) return undefined;
  const search = `${trimEndSigns(text.replaceAll("\r\n", "\n"), "\n")}\n`;
  // A model may have written the whole file after all.
  const isRepeated = added.startsWith(search.trimEnd());
  const replace = isRepeated ? added : await joinTests([search, added], options);
  return replace === undefined ? undefined : { search, replace };
}
