import type { AppError } from "../../../base/errors/app-error.ts";
import { reportedError } from "../answer/answer-rules.ts";
import type { ChatCall } from "../chat-api.ts";
import { readReported } from "./read-refusal.ts";
import { refineProblem } from "./to-problem.ts";
import { tellRefusal } from "./upstream-facts-of.ts";

/** Servers that answer 200 report in an event what others refuse with a status. */
const noStatus = 200;

/**
 * The error of an event that reports one.
 *
 * @param secrets those of the settings
 */
export function explainReported(
  reported: unknown,
  call: ChatCall,
  secrets: readonly string[],
): AppError {
  const { upstream, refusal } = tellRefusal(call, readReported(reported), secrets);
  return refineProblem(reportedError(), noStatus, refusal, call, upstream);
}
