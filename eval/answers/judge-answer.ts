import { applyTextChanges, applyUnits } from "../../src/edit.ts";
import { textsFor } from "../../src/flows/texts.ts";
import { clickOf } from "../judge-edit.ts";
import type { Answer } from "../read-answer.ts";
import type { Expected } from "./answer-case.ts";
import type { LoadedAnswer } from "./load-answers.ts";

/**
 * `first`, `second`: what a person would expect, after so many questions; `kept`: nothing was changed, as it
 * should be; `refused`: nothing was changed or offered, and should have been; `wrong`: something else was.
 */
export type Outcome = "first" | "second" | "kept" | "refused" | "wrong";

export interface AnswerVerdict {
  outcome: Outcome;
  /** As good as the answer allows: one with a second answer is right at the second. */
  isAsExpected: boolean;
  /** What was not as it should be. */
  why: string;
}

/**
 * What the person got for an answer, against what a person would expect.
 *
 * @param calls questions to the model
 */
export function judgeAnswer(one: LoadedAnswer, got: Answer, calls: number): AnswerVerdict {
  const { expected, second } = one;
  const found = judge(one, got);
  if (found === "right") {
    const isKept = expected.kind === "refused" || expected.kind === "asked";
    const isAtOnce = expected.kind !== "refused" || !expected.atOnce || calls === 1;
    if (!isAtOnce) return { outcome: "refused", isAsExpected: false, why: "It was asked again." };
    const isAsExpected = isKept || calls === (second === undefined ? 1 : 2);
    const outcome = isKept ? "kept" : calls === 1 ? "first" : "second";
    return { outcome, isAsExpected, why: isAsExpected ? "" : `It took ${calls} questions.` };
  }
  const outcome = found === "nothing" ? "refused" : "wrong";
  const why = found === "nothing" ? "Nothing came of it." : found;
  return { outcome, isAsExpected: false, why };
}

/** `right`, `nothing`, or what is wrong. */
function judge(one: LoadedAnswer, got: Answer): string {
  const { expected } = one;
  if (got.failure !== undefined) return `The turn failed: ${got.failure}.`;
  switch (expected.kind) {
    case "result":
      return judgeChange(one, got, expected.text);
    case "refused":
      return describeOffer(one, got) ?? "right";
    case "asked":
      return (
        describeOffer(one, got) ??
        (casesOf(got, "place", "option").length > 0 ? "right" : "nothing")
      );
    case "cases":
      return judgeCases(expected, got);
    case "file":
      return judgeFile(expected, got);
  }
}

function judgeChange(one: LoadedAnswer, got: Answer, expected: string): string {
  const [text, ...others] = appliedTexts(one, got);
  if (text === undefined) return "nothing";
  if (others.length > 0 || text !== expected) return "Another text was made of the file.";
  if (got.text.includes(textsFor(one.language).noChange))
    return "It says that nothing was changed.";
  return clickedText(one, got) === expected ? "right" : "The button does not carry the change.";
}

/** What the facts of the turn make of the file. */
function appliedTexts({ file, content }: LoadedAnswer, { edits }: Answer): string[] {
  return edits.flatMap(({ filePath, result }) =>
    filePath === `src/${file}` && result.status === "applied"
      ? [applyTextChanges(content, result.changes)]
      : [],
  );
}

/** What the first button with a change makes of the file. */
function clickedText({ content }: LoadedAnswer, { actions }: Answer): string | undefined {
  const click = clickOf(actions);
  if (click === undefined) return undefined;
  const result = applyUnits(content, click.file.units, { places: click.places });
  return result.ok ? result.text : undefined;
}

/** Undefined if nothing was changed or offered. */
function describeOffer(one: LoadedAnswer, got: Answer): string | undefined {
  if (appliedTexts(one, got).length > 0) return "The file was changed.";
  if (clickOf(got.actions) !== undefined) return "A button carries a change.";
  if (got.edits.some(({ result }) => result.status === "new-file")) return "A file was offered.";
  return casesOf(got, "case").length > 0 ? "Test cases were offered." : undefined;
}

function judgeCases({ cases }: Expected & { kind: "cases" }, got: Answer): string {
  const shown = casesOf(got, "case").toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
  if (shown.length === 0) return "nothing";
  const isSame =
    shown.length === cases.length &&
    cases.every(
      ({ description, category }, nth) =>
        shown[nth]?.name === description &&
        (category === undefined || shown[nth]?.labels?.includes(category) === true),
    );
  return isSame ? "right" : `Other cases: ${shown.map(({ name }) => name).join(" | ")}`;
}

function judgeFile({ path, text }: Expected & { kind: "file" }, { edits }: Answer): string {
  const [file, ...others] = edits.filter(({ result }) => result.status === "new-file");
  if (file === undefined) return "nothing";
  if (others.length > 0) return "Several files were offered.";
  if (file.filePath !== path) return `The file was named ${file.filePath}.`;
  return file.units[0]?.replace === text ? "right" : "Another text was offered as the file.";
}

function casesOf({ actions }: Answer, ...types: readonly string[]) {
  return actions.flatMap((action) =>
    action.action === "tree"
      ? action.data.nodes.filter(({ type }) => types.includes(type ?? ""))
      : [],
  );
}

function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("-") + 1));
}
