import { AppError } from "./app-error.ts";

/** Turns whatever was thrown into an AppError: ours as it is, an abort as `aborted`, the rest as `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new AppError("aborted", "The request was stopped.", { cause: thrown });
  }
  return new AppError("internal", "An unexpected error happened inside the agent.", {
    cause: thrown,
  });
}
