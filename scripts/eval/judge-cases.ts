// Unittest: the model answers JSON, and a person gets a tree of cases.
import * as z from "zod";
import type { Answer } from "./read-answer.ts";
import type { Verdict } from "./verdict.ts";
import type { ModelCall } from "./watch-model.ts";

/** The form that the prompt asks for. */
const TestCases = z.object({
  test_cases: z
    .array(z.object({ description: z.string().trim().min(1), category: z.string().trim().min(1) }))
    .min(1),
});

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

/** Fences and words around the object do no harm. */
function findProblem(text: string): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  } catch {
    return "The model's answer is no JSON.";
  }
  const { error } = TestCases.safeParse(json);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  return `The model's JSON is not of the form that was asked for: ${issue.path.join(".")}: ${issue.message}.`;
}
