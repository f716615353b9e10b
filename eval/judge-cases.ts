// Unittest: the model answers JSON, and a person gets a tree of cases.
import { ReasoningSplitter } from "../src/base/text/reasoning.ts";
import { parseCases } from "../src/flows/unittest/unittest.ts";
import type { Answer } from "./read-answer.ts";
import type { Verdict } from "./verdict.ts";
import type { ModelCall } from "./watch-model.ts";

/** Reads what the model wrote, and looks whether the answer shows it. */
export function judgeCases({ actions }: Answer, calls: readonly ModelCall[]): Verdict {
  const problems = calls.map(({ text }) => findProblem(text));
  const nth = problems.indexOf(undefined);
  const shown = actions.flatMap((action) =>
    action.action === "tree" ? action.data.nodes.filter(({ type }) => type === "case") : [],
  );
  const isWhole = shown.length > 0;
  return {
    json: nth === -1 ? "invalid" : nth === 0 ? "first" : "repaired",
    isWhole,
    reasons: [
      ...problems.flatMap((problem) => problem ?? []),
      ...(isWhole ? [] : ["The answer shows no cases."]),
    ],
  };
}

/** Undefined if the flow can read the answer. */
function findProblem(text: string): string | undefined {
  const parsed = parseCases(withoutReasoning(text));
  return "cases" in parsed ? undefined : parsed.problem;
}

/** A whole answer without its reasoning. */
function withoutReasoning(answer: string): string {
  const splitter = new ReasoningSplitter();
  let text = "";
  for (const piece of [...splitter.push(answer), ...splitter.end()]) {
    if (piece.type === "text") text += piece.text;
    else if (piece.type === "text-was-reasoning") text = "";
  }
  return text;
}
