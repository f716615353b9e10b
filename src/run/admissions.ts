import { AppError } from "../base/errors/app-error.ts";
import { type Caller, nameCaller } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import { TurnFigures } from "../turn/figures.ts";
import { createPatientTimer, type Timers, onAbort } from "../base/wire/patient-timer.ts";

interface AdmissionLimits {
  /** Turns at once, of everybody. */
  maxStreams: number;
  /** Turns at once of one caller that is known by key or token; 0 means no such limit. */
  maxStreamsPerCaller: number;
  /** Turns at once of those that came through the queue. */
  maxTasks: number;
  /** Turns that wait in the queue; more are refused. */
  maxQueue: number;
}

/** Leave to run one turn; given before the request's body is read, so that its limits bound bodies, too. */
export interface Admission {
  /** Unique; the id of the turn, of its SSE chunks and log lines. */
  readonly id: string;
  readonly caller: Caller;
  /** Aborted when the client leaves, or when a drain takes too long. */
  readonly signal: AbortSignal;
  /** What the turn comes to, for the log. */
  readonly figures: TurnFigures;
  abort(reason: AppError): void;
  /**
   * Gives the leave back, with the turn if there was one and what it failed of. Must be called once;
   * whoever runs the turn does it, and a door does it where there is none to run. Later calls do nothing.
   */
  end(turn?: Turn, failure?: AppError): void;
}

export type Admissions = ReturnType<typeof createAdmissions>;

export interface AdmissionParts {
  limits: AdmissionLimits;
  /** Is told of each admission that was given back. */
  onEnd: (
    id: string,
    turn: Turn | undefined,
    failure: AppError | undefined,
    figures: TurnFigures,
  ) => void;
  timers: Timers;
  createId: () => string;
  /** What tasks wait for before they wait here. */
  pool?: TaskPool | undefined;
}

interface Waiting {
  caller: Caller;
  leave: Leave;
  onPlace: ((before: number) => void) | undefined;
  admit: (admission: Admission) => void;
  refuse: (error: unknown) => void;
}

/** Gives the pool's place back. */
type Leave = () => void;

/** Counts the turns that run, refuses or queues what is more than allowed, and ends them in good order. */
export function createAdmissions({ limits, onEnd, timers, createId, pool }: AdmissionParts) {
  const { maxStreams, maxStreamsPerCaller: most, maxTasks, maxQueue } = limits;
  const running = new Set<AbortController>();
  const perCaller = new Counts();
  const drained = new AbortController();
  let tasks = 0;
  let waiting: Waiting[] = [];
  let onIdle: (() => void) | undefined;

  function findRefusal(caller: Caller): AppError | undefined {
    if (drained.signal.aborted) return draining();
    if (running.size >= maxStreams) {
      const message = {
        en: `This server answers ${maxStreams} requests at once and no more.`,
        zh: `此服务最多同时回答 ${maxStreams} 个请求。`,
      };
      return new AppError("overloaded", message, { retryAfter: 1 });
    }
    const count = most > 0 ? perCaller.of(caller) : 0;
    if (most === 0 || count < most) return undefined;
    const message = {
      en: `You have ${count} requests running, and no more are allowed at once.`,
      zh: `您有 ${count} 个请求正在运行，已达到上限。`,
    };
    return new AppError("rate_limited", message, { retryAfter: 1 });
  }

  /** Whoever could begin was let in already, so that nobody is overtaken. */
  function hasToWait(caller: Caller): boolean {
    return tasks >= maxTasks || findRefusal(caller) !== undefined;
  }

  /** @param leave of a task: gives the pool's place back */
  function begin(caller: Caller, leave?: Leave): Admission {
    const id = createId();
    const controller = new AbortController();
    running.add(controller);
    if (most > 0) perCaller.add(caller, 1);
    const figures = new TurnFigures(timers.now);
    if (leave !== undefined) tasks += 1;
    return {
      id,
      caller,
      signal: controller.signal,
      figures,
      abort: (reason) => controller.abort(reason),
      end: (turn, failure) => {
        if (!running.delete(controller)) return;
        if (most > 0) perCaller.add(caller, -1);
        if (leave !== undefined) tasks -= 1;
        leave?.();
        onEnd(id, turn, failure, figures);
        if (waiting.length > 0) letIn();
        if (running.size === 0) onIdle?.();
      },
    };
  }

  /** Lets in all that have room by now; one caller's limit holds up nobody else. */
  function letIn(): void {
    setWaiting(
      waiting.filter(({ caller, leave, admit }) => {
        if (hasToWait(caller)) return true;
        admit(begin(caller, leave));
        return false;
      }),
    );
  }

  function setWaiting(now: Waiting[]): void {
    const before = waiting;
    waiting = now;
    for (const [place, one] of now.entries()) if (before[place] !== one) one.onPlace?.(place);
  }

  async function enterPool(caller: Caller, options: QueueOptions): Promise<Leave> {
    if (pool === undefined) return () => undefined;
    const signal = AbortSignal.any([options.signal, drained.signal]);
    return pool.enter(caller, { ...options, signal });
  }

  async function wait(
    caller: Caller,
    leave: Leave,
    { signal, onPlace }: QueueOptions,
  ): Promise<Admission> {
    signal.throwIfAborted();
    drained.signal.throwIfAborted();
    if (!hasToWait(caller)) return begin(caller, leave);
    if (waiting.length >= maxQueue) throw queueFull(waiting.length);
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<Admission>();
    const place: Waiting = { caller, leave, onPlace, admit, refuse };
    waiting.push(place);
    onPlace?.(waiting.length - 1);
    const forget = onAbort(signal, () => {
      setWaiting(waiting.filter((other) => other !== place));
      refuse(signal.reason);
    });
    return promise.finally(forget);
  }

  return {
    get isDraining(): boolean {
      return drained.signal.aborted;
    },
    /** @throws AppError `draining`, `overloaded` or `rate_limited` */
    admit(caller: Caller): Admission {
      const refusal = findRefusal(caller);
      if (refusal !== undefined) throw refusal;
      return begin(caller);
    },
    /**
     * As `admit`, for the task pool: waits its turn where there are too many, in one queue over all callers; first
     * come, first served; a caller that already runs all the turns it may run holds up nobody else.
     *
     * @throws AppError `draining`, `queue_full` when too many wait, or the signal's reason
     */
    async queue(caller: Caller, options: QueueOptions): Promise<Admission> {
      options.signal.throwIfAborted();
      drained.signal.throwIfAborted();
      const leave = await enterPool(caller, options);
      return wait(caller, leave, options).catch((thrown: unknown) => {
        leave();
        throw thrown;
      });
    },
    /** Lets nothing begin any more; resolves when all turns are over, ending those that outlast `within` ms. */
    async drain(within: number): Promise<void> {
      drained.abort(draining());
      for (const { refuse } of waiting.splice(0)) refuse(draining());
      if (running.size === 0) return;
      const over = new Promise<void>((resolve) => (onIdle = resolve));
      const cut = createPatientTimer(timers, () => {
        for (const controller of running) controller.abort(draining());
      });
      // A turn that is told to end does so at once; one that waits for its request's body does not.
      const giveUp = createPatientTimer(timers, () => onIdle?.());
      cut.set(within);
      giveUp.set(within + 1_000);
      await over;
      cut.stop();
      giveUp.stop();
    },
  };
}

/** Whose something is; without keys, and tokens, it belongs to everyone who knows its id. */
export function ownerOf(caller: Caller): string {
  return nameCaller(caller) ?? "";
}

/** What each caller that is known by key or token has; of others nothing is counted. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(caller: Caller): number {
    return this.#counts.get(ownerOf(caller)) ?? 0;
  }

  add(caller: Caller, change: number): void {
    const who = nameCaller(caller);
    if (who === undefined) return;
    const count = this.of(caller) + change;
    if (count === 0) this.#counts.delete(who);
    else this.#counts.set(who, count);
  }
}

/** Nothing begins any more: whoever asks has to go to another server, or come again. */
export function draining(): AppError {
  const message = { en: "This server is shutting down.", zh: "此服务正在关闭。" };
  return new AppError("draining", message, { retryAfter: 5 });
}

export interface QueueOptions {
  /** Whoever waits leaves when it is aborted. */
  signal: AbortSignal;
  /** Hears how many wait in front, each time that this changes. */
  onPlace?: (before: number) => void;
}

/**
 * A port: the queue of tasks that several processes share. Without one each process has its own, with the same
 * limits.
 */
export interface TaskPool {
  /**
   * Waits until one more task may run.
   *
   * @returns gives the place back, once however often it is called
   * @throws AppError `queue_full` when too many wait, `overloaded` when the pool cannot be asked, or the
   * signal's reason
   */
  enter(caller: Caller, options: QueueOptions): Promise<() => void>;
}

export function queueFull(queueLength: number): AppError {
  const message = {
    en: `${queueLength} tasks wait already, and no more may.`,
    zh: `已有 ${queueLength} 个任务在排队，不能再增加。`,
  };
  return new AppError("queue_full", message, { queueLength, retryAfter: 5 });
}

/**
 * A port: counts the connections that callers hold open. The one here counts those of its own process; one
 * over a shared store counts those of all.
 */
export interface Connections {
  /**
   * Takes a place for one more connection.
   *
   * @returns gives the place back, once however often it is called; undefined where the caller has as many as
   * are allowed
   */
  open(caller: Caller): Promise<(() => void) | undefined>;
}

/** @param most of one caller that is known by key or token; callers that nobody knows are not counted */
export function createConnections(most: number): Connections {
  const counts = new Counts();
  return {
    async open(caller) {
      if (counts.of(caller) >= most) return undefined;
      counts.add(caller, 1);
      let isOpen = true;
      return () => {
        if (isOpen) counts.add(caller, -1);
        isOpen = false;
      };
    },
  };
}
