import type { EvalCommand } from "./eval-case.ts";
import type { CaseResult } from "./run-case.ts";

/** How many of those that the question is about. */
export interface Ratio {
  yes: number;
  of: number;
}

/** The figures of one flow, or of all of them. A turn that failed counts as failed and as nothing else. */
export interface Summary {
  flow: EvalCommand | "total";
  cases: number;
  appliedFirst: number;
  appliedAfterRepair: number;
  refused: number;
  noEdit: number;
  /** Of the edits that were applied, and of the tests that were written. */
  syntaxKept: Ratio;
  /** Of the doc comments that were applied. */
  codeSame: Ratio;
  jsonAtFirst: Ratio;
  jsonValid: Ratio;
  /** Of the cases with a known defect. */
  defectGone: Ratio;
  /** Of the cases that say what the prompt has to hold. */
  contextHeld: Ratio;
  /** Of the answers that are no edits. */
  whole: Ratio;
  failed: number;
  calls: number;
  /** Absent if the model reports none. */
  promptTokens?: number;
  completionTokens?: number;
  secondsPerTurn: number;
}

/** One row for each flow that was run, in the order of their first cases, and their total. */
export function summarize(results: readonly CaseResult[]): Summary[] {
  const flows = Map.groupBy(results, ({ command }) => command);
  const rows = [...flows].map(([flow, own]) => summarizeOne(flow, own));
  return [...rows, summarizeOne("total", results)];
}

function summarizeOne(flow: Summary["flow"], results: readonly CaseResult[]): Summary {
  const count = (test: (result: CaseResult) => boolean): number => results.filter(test).length;
  const ratio = (answers: readonly (boolean | undefined)[]): Ratio => ({
    yes: answers.filter((answer) => answer === true).length,
    of: answers.filter((answer) => answer !== undefined).length,
  });
  const json = results.flatMap((result) => result.json ?? []);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return {
    flow,
    cases: results.length,
    appliedFirst: count(({ edit }) => edit === "first"),
    appliedAfterRepair: count(({ edit }) => edit === "repaired"),
    refused: count(({ edit }) => edit === "refused"),
    noEdit: count(({ edit }) => edit === "none"),
    syntaxKept: ratio(results.map(({ isSyntaxKept }) => isSyntaxKept)),
    codeSame: ratio(results.map(({ isCodeSame }) => isCodeSame)),
    jsonAtFirst: ratio(json.map((at) => at === "first")),
    jsonValid: ratio(json.map((at) => at !== "invalid")),
    defectGone: ratio(results.map(({ isDefectGone }) => isDefectGone)),
    contextHeld: ratio(results.map(({ isContextHeld }) => isContextHeld)),
    whole: ratio(results.map(({ isWhole }) => isWhole)),
    failed: count(({ failure }) => failure !== undefined),
    calls: results.reduce((sum, { calls }) => sum + calls, 0),
    ...sumTokens(results),
    secondsPerTurn: results.length === 0 ? 0 : seconds / results.length,
  };
}

function sumTokens(
  results: readonly CaseResult[],
): Pick<Summary, "promptTokens" | "completionTokens"> {
  const known = results.filter(({ promptTokens }) => promptTokens !== undefined);
  if (known.length === 0) return {};
  return {
    promptTokens: known.reduce((sum, { promptTokens = 0 }) => sum + promptTokens, 0),
    completionTokens: known.reduce((sum, { completionTokens = 0 }) => sum + completionTokens, 0),
  };
}
