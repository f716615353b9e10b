import type { CheckOutcome, RunCheck } from "../../../flows/loop/coding.ts";
import type { Person } from "../ask/person.ts";
import { showName } from "../ask/print-approval-diff.ts";
import type { CodeTexts } from "../code-texts.ts";
import type { GuardedWatch } from "../guard/watch-guarded.ts";
import { type CommandEnd, type CommandPlace, printCommand } from "./run-command.ts";

export interface CheckParts {
  /** At least one word. */
  command: readonly string[];
  run: (command: readonly string[], place: CommandPlace) => Promise<CommandEnd>;
  place: Omit<CommandPlace, "signal">;
  /** The person has said beforehand that it may run. */
  isYes: boolean;
  /** Whoever sits at the terminal; undefined where nobody does. */
  person: Person | undefined;
  watch: GuardedWatch;
  texts: CodeTexts;
  /** Is told of each run of it, before and after. */
  onRun?: (command: string) => void;
  onOutcome?: (outcome: CheckOutcome) => void;
}

/**
 * The person's own check. It runs once they have agreed; if files that decide what it runs have changed behind their
 * back, they are asked again.
 */
export function createCheck(parts: CheckParts): RunCheck {
  const { command: words, run, place, texts, watch, onRun, onOutcome } = parts;
  const command = printCommand(words);
  let isAgreed = parts.isYes;
  let isDeclined = false;
  const mayRun = async (): Promise<string | undefined> => {
    const changed = await watch.findChanged();
    if (isDeclined) return texts.checkDeclined;
    if (isAgreed && changed.length === 0) return undefined;
    const { person } = parts;
    if (person === undefined)
      return changed.length > 0 && isAgreed
        ? texts.checkChanged(changed.map(showName).join(", "))
        : texts.checkUnasked;
    isAgreed = await person.judgeCheck(words, changed);
    isDeclined = !isAgreed;
    return isAgreed ? undefined : texts.checkDeclined;
  };
  return async (signal) => {
    const refusal = await mayRun();
    if (refusal !== undefined) return tell({ ran: false, command, reason: refusal });
    onRun?.(command);
    const end = await run(words, { ...place, signal });
    await watch.renew();
    return tell(describeEnd(command, end, place.timeLimit, texts));
  };
  function tell(outcome: CheckOutcome): CheckOutcome {
    onOutcome?.(outcome);
    return outcome;
  }
}

function describeEnd(
  command: string,
  end: CommandEnd,
  timeLimit: number,
  texts: CodeTexts,
): CheckOutcome {
  switch (end.kind) {
    case "not-started":
      return { ran: false, command, reason: texts.checkNotStarted(end.code) };
    case "timeout": {
      const exit = texts.tooLong(Math.round(timeLimit / 1_000));
      return { ran: true, passed: false, command, exit, output: end.output };
    }
    case "ended": {
      const exit = texts.exitCode(end.code, end.signal);
      return { ran: true, passed: end.code === 0, command, exit, output: end.output };
    }
  }
}
