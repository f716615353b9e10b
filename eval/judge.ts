import type { CodeParser } from "../src/code/code-analysis.ts";
import type { EvalCase } from "./eval-case.ts";
import { judgeCases } from "./judge-cases.ts";
import { judgeEdit } from "./judge-edit.ts";
import { judgeTests } from "./judge-tests.ts";
import type { Answer } from "./read-answer.ts";
import type { Verdict } from "./verdict.ts";
import type { ModelCall } from "./watch-model.ts";

/** Judges an answer by what can be done with it, whatever it says of itself. */
export async function judge(
  asked: EvalCase,
  answer: Answer,
  calls: readonly ModelCall[],
  code: CodeParser,
): Promise<Verdict> {
  if (answer.failure !== undefined) return { failure: answer.failure, reasons: [] };
  switch (asked.command) {
    case "fix":
    case "optimize":
    case "docstring":
      return judgeEdit(asked, answer, calls, code);
    case "unittest":
      return judgeCases(answer, calls);
    case "unittest-write":
      return judgeTests(answer, code);
    case "explain":
      return judgeExplanation(answer, calls);
  }
}

function judgeExplanation({ text, finishReason }: Answer, calls: readonly ModelCall[]): Verdict {
  const reasons: string[] = [];
  // Of a model that says nothing the server tells, in words of its own.
  const isSilent = calls.every((call) => call.text.trim() === "");
  if (text.trim() === "" || isSilent) reasons.push("The answer is empty.");
  if (finishReason !== "stop") reasons.push(`The answer ended with "${finishReason}".`);
  return { isWhole: reasons.length === 0, reasons };
}
