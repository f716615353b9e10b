import type { Problem } from "../context/context.ts";
import { AppError } from "../../base/errors/app-error.ts";

/** @param maxProblems that the refusal lists */
export function invalidRequest(found: readonly Problem[], maxProblems: number): AppError {
  const problems = found.slice(0, maxProblems);
  const list = problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const listZh = problems.map(({ path, message, zh = message }) => `${path}：${zh}`).join("；");
  const text = { en: `The request is not valid. ${list}`, zh: `请求无效。${listZh}` };
  return new AppError("invalid_request", text, {
    problems,
    ...(problems[0] === undefined ? {} : { param: problems[0].path }),
  });
}
