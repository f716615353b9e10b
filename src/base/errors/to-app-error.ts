import { AppError } from "./app-error.ts";

/** Turns whatever was thrown into an AppError: ours as it is, an abort as `aborted`, the rest as `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new AppError(
      "aborted",
      { en: "The request was stopped.", zh: "请求已停止。" },
      { cause: thrown },
    );
  }
  return new AppError(
    "internal",
    { en: "An unexpected error happened inside the agent.", zh: "智能体内部发生意外错误。" },
    {
      cause: thrown,
    },
  );
}
