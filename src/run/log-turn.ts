import type { Logger } from "@logtape/logtape";
import type { AppError } from "../base/errors/app-error.ts";
import { describeFault, nameCause } from "../base/errors/describe-cause.ts";
import { cutName } from "../base/errors/print-names.ts";
import { describeUpstream, withoutMessage } from "../base/errors/upstream-facts.ts";
import { nameCaller } from "../turn/caller.ts";
import type { TurnFigures } from "../turn/figures/turn-figures.ts";
import type { Turn } from "../turn/turn.ts";

/**
 * One line a turn; who asked and what became of it, never what was said. What a model refused, and faults of
 * ours, are warnings.
 */
export function logTurn(
  log: Logger,
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  figures: TurnFigures,
): void {
  if (failure === undefined && !log.isEnabledFor("info")) return;
  const facts = factsOf(id, turn, failure, figures);
  if (failure === undefined)
    log.info("turn {id} {agent}/{command} by {model} took {milliseconds} ms", facts);
  else if (failure.status >= 500 || failure.upstream !== undefined) {
    const { upstream } = failure;
    log.warn(
      "turn {id} {agent}/{command} by {model} failed after {milliseconds} ms: {code} {message} {cause}",
      {
        ...facts,
        message: failure.message,
        upstream: upstream && withoutMessage(upstream),
        cause: causeOf(failure),
      },
    );
    if (upstream?.message !== undefined)
      log.debug("turn {id}: the model said {said}", { id, said: upstream.message });
  } else log.info("turn {id} was refused or stopped after {milliseconds} ms: {code}", facts);
}

function factsOf(
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  { status, firstToken, usage, reason, retries, elapsed, answeredBy }: TurnFigures,
): Record<string, unknown> {
  return {
    id,
    agent: turn === undefined ? undefined : cutName(turn.agent),
    command: turn === undefined ? undefined : cutName(turn.command),
    model: [...answeredBy].join(", ") || turn?.model.name,
    caller: turn === undefined ? undefined : nameCaller(turn.caller),
    status: status ?? failure?.status,
    milliseconds: elapsed,
    firstToken,
    promptTokens: usage?.prompt_tokens,
    answerTokens: usage?.completion_tokens,
    reason,
    retries,
    ...(failure === undefined ? {} : { code: failure.code }),
  };
}

function causeOf({ code, details: { cause }, upstream }: AppError): string {
  if (upstream !== undefined) return describeUpstream(withoutMessage(upstream));
  return code === "internal" ? describeFault(cause) : nameCause(cause);
}

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
