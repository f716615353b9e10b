import type { Logger } from "@logtape/logtape";
import type { AppError } from "../errors/app-error.ts";
import { describeFault, nameCause } from "../errors/describe-cause.ts";
import { cutName } from "../errors/print-names.ts";
import { nameCaller } from "../turn/caller.ts";
import type { Turn } from "../turn/turn.ts";

/** One line a turn; who asked and what became of it, never what was said. */
export function logTurn(
  log: Logger,
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  milliseconds: number,
): void {
  if (failure === undefined && !log.isEnabledFor("info")) return;
  const facts = {
    id,
    agent: turn === undefined ? undefined : cutName(turn.agent),
    command: turn === undefined ? undefined : cutName(turn.command),
    model: turn?.model.name,
    caller: turn === undefined ? undefined : nameCaller(turn.caller),
    milliseconds,
  };
  if (failure === undefined)
    log.info("turn {id} {agent}/{command} by {model} took {milliseconds} ms", facts);
  else if (failure.status >= 500) {
    log.warn(
      "turn {id} {agent}/{command} by {model} failed after {milliseconds} ms: {code} {message}",
      {
        ...facts,
        code: failure.code,
        message: failure.message,
        cause: (failure.code === "internal" ? describeFault : nameCause)(failure.details.cause),
      },
    );
  } else
    log.info("turn {id} was refused or stopped after {milliseconds} ms: {code}", {
      ...facts,
      code: failure.code,
    });
}
