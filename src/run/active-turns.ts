import { AppError } from "../errors/app-error.ts";
import { type Caller, nameCaller } from "../turn/caller.ts";
import type { Turn } from "../turn/turn.ts";
import { PatientTimer, type Timers } from "../wire/patient-timer.ts";

export interface TurnLimits {
  /** The most turns at once, of everybody. */
  maxStreams: number;
  /** The most turns at once of one caller that is known by key or token; 0 means no such limit. */
  maxStreamsPerCaller: number;
}

export interface ActiveTurns {
  /**
   * Lets a turn begin, under the id of its log lines.
   *
   * @returns what must be called once when it is over, with the turn if there was one
   * @throws AppError `draining`, `overloaded` or `rate_limited`
   */
  begin(
    id: string,
    controller: AbortController,
    caller: Caller,
  ): (turn?: Turn, failure?: AppError) => void;
  readonly isDraining: boolean;
  /** Lets nothing begin any more; resolves when all turns are over, ending those that outlast `within` ms. */
  drain(within: number): Promise<void>;
}

/** Counts the turns that run, refuses more than allowed, and ends them in good order. */
export function createActiveTurns(
  limits: TurnLimits,
  onEnd: (
    id: string,
    turn: Turn | undefined,
    failure: AppError | undefined,
    milliseconds: number,
  ) => void,
  timers: Timers,
): ActiveTurns {
  const running = new Set<AbortController>();
  const perCaller = new Map<string, number>();
  let isDraining = false;
  let idle: (() => void) | undefined;
  return {
    get isDraining() {
      return isDraining;
    },
    begin(id, controller, caller) {
      if (isDraining)
        throw new AppError("draining", "This server is shutting down.", { retryAfter: 5 });
      if (running.size >= limits.maxStreams) {
        throw new AppError(
          "overloaded",
          `This server answers ${limits.maxStreams} requests at once and no more.`,
          { retryAfter: 1 },
        );
      }
      const who = nameCaller(caller);
      const release =
        limits.maxStreamsPerCaller > 0 && who !== undefined
          ? take(perCaller, who, limits)
          : undefined;
      running.add(controller);
      const started = timers.now();
      return (turn, failure) => {
        if (!running.delete(controller)) return;
        release?.();
        onEnd(id, turn, failure, Math.round(timers.now() - started));
        if (running.size === 0) idle?.();
      };
    },
    async drain(within) {
      isDraining = true;
      if (running.size === 0) return;
      const over = new Promise<void>((resolve) => {
        idle = resolve;
      });
      const cut = new PatientTimer(timers, () => {
        for (const controller of running)
          controller.abort(new AppError("draining", "This server is shutting down."));
      });
      // A turn that is told to end does so at once; one that waits for its request's body does not.
      const giveUp = new PatientTimer(timers, () => idle?.());
      cut.set(within);
      giveUp.set(within + 1_000);
      await over;
      cut.stop();
      giveUp.stop();
    },
  };
}

function take(
  perCaller: Map<string, number>,
  who: string,
  { maxStreamsPerCaller }: TurnLimits,
): () => void {
  const count = perCaller.get(who) ?? 0;
  if (count >= maxStreamsPerCaller) {
    throw new AppError(
      "rate_limited",
      `You have ${count} requests running, and no more are allowed at once.`,
      { retryAfter: 1 },
    );
  }
  perCaller.set(who, count + 1);
  return () => {
    const left = (perCaller.get(who) ?? 1) - 1;
    if (left === 0) perCaller.delete(who);
    else perCaller.set(who, left);
  };
}
