// What is told of calls in an answer that were not run.
import type { Message } from "../../base/errors/app-error.ts";

/** Calls of one answer. */
export const maxCalls = 64;

export const unreadable: Message = {
  en: "A call in your answer could not be read, so it was not run. Write it as one complete JSON object with the fields tool, reason and params.",
  zh: "回答中有一处工具调用无法读取，因此没有执行。请写成一个完整的 JSON 对象，包含 tool、reason 和 params 字段。",
};

export const tooMany: Message = {
  en: `Your answer has more than ${maxCalls} calls; only the first ${maxCalls} were run.`,
  zh: `回答中的工具调用超过 ${maxCalls} 个，只执行了前 ${maxCalls} 个。`,
};
