import type { Problem } from "../context/context.ts";
import { AppError } from "../errors/app-error.ts";

/** @param maxProblems that the refusal lists */
export function invalidRequest(found: readonly Problem[], maxProblems: number): AppError {
  const problems = found.slice(0, maxProblems);
  const list = problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new AppError("invalid_request", `The request is not valid. ${list}`, {
    problems,
    ...(problems[0] === undefined ? {} : { param: problems[0].path }),
  });
}
