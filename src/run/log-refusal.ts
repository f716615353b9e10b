import type { Logger } from "@logtape/logtape";
import type { AppError } from "../base/errors/app-error.ts";
import { describeFault } from "../base/errors/describe-cause.ts";

/** One line for what fails outside of a turn: a fault of ours, or a guard that lets nobody in, with its reason. */
export function logRefusal(log: Logger, error: AppError, requestId: string): void {
  const { code, status, details } = error;
  if (code === "internal") {
    const cause = describeFault(error.cause);
    log.error("request {requestId} failed: {cause}", { requestId, cause });
  } else if (status >= 500 && details.cause !== undefined) {
    const cause = details.reason ?? describeFault(details.cause);
    log.warn("request {requestId} was refused: {code}, {cause}", { requestId, code, cause });
  } else if (details.reason !== undefined) {
    const { reason } = details;
    log.info("request {requestId} was refused: {code}, {reason}", { requestId, code, reason });
  } else log.info("request {requestId} was refused: {code}", { requestId, code });
}
