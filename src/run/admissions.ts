import { AppError } from "../base/errors/app-error.ts";
import { type Caller, nameCaller } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import { TurnFigures } from "../turn/figures.ts";
import { PatientTimer, type Timers } from "../base/wire/patient-timer.ts";

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

export interface Admissions {
  /** @throws AppError `draining`, `overloaded` or `rate_limited` */
  admit(caller: Caller): Admission;
  /**
   * As `admit`, for the task pool: waits its turn where there are too many, in one queue over all callers; first
   * come, first served; a caller that already runs all the turns it may run holds up nobody else.
   *
   * @throws AppError `draining`, `queue_full` when too many wait, or the signal's reason
   */
  queue(caller: Caller, options: QueueOptions): Promise<Admission>;
  readonly isDraining: boolean;
  /** Lets nothing begin any more; resolves when all turns are over, ending those that outlast `within` ms. */
  drain(within: number): Promise<void>;
}

/** Is told of each admission that was given back. */
type OnEnd = (
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  figures: TurnFigures,
) => void;

export interface AdmissionParts {
  limits: AdmissionLimits;
  onEnd: OnEnd;
  timers: Timers;
  createId: () => string;
  /** What tasks wait for before they wait here. */
  pool?: TaskPool | undefined;
}

/** Counts the turns that run, refuses or queues what is more than allowed, and ends them in good order. */
export function createAdmissions(parts: AdmissionParts): Admissions {
  return new Counter(parts);
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

class Counter implements Admissions {
  readonly #parts: AdmissionParts;
  readonly #running = new Set<AbortController>();
  readonly #perCaller = new Counts();
  #tasks = 0;
  #waiting: Waiting[] = [];
  readonly #drained = new AbortController();
  #idle: (() => void) | undefined;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  get isDraining(): boolean {
    return this.#drained.signal.aborted;
  }

  admit(caller: Caller): Admission {
    const refusal = this.#refuse(caller);
    if (refusal !== undefined) throw refusal;
    return this.#begin(caller);
  }

  async queue(caller: Caller, options: QueueOptions): Promise<Admission> {
    options.signal.throwIfAborted();
    if (this.isDraining) throw draining();
    const leave = await this.#enterPool(caller, options);
    try {
      return await this.#wait(caller, leave, options);
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }

  async #enterPool(caller: Caller, options: QueueOptions): Promise<Leave> {
    const { pool } = this.#parts;
    if (pool === undefined) return () => undefined;
    const signal = AbortSignal.any([options.signal, this.#drained.signal]);
    return pool.enter(caller, { ...options, signal });
  }

  async #wait(caller: Caller, leave: Leave, { signal, onPlace }: QueueOptions): Promise<Admission> {
    signal.throwIfAborted();
    if (this.isDraining) throw draining();
    if (!this.#hasToWait(caller)) return this.#begin(caller, leave);
    const queueLength = this.#waiting.length;
    if (queueLength >= this.#parts.limits.maxQueue) throw queueFull(queueLength);
    const { promise, resolve, reject } = Promise.withResolvers<Admission>();
    const place: Waiting = { caller, leave, onPlace, admit: resolve, refuse: reject };
    this.#waiting.push(place);
    onPlace?.(this.#waiting.length - 1);
    const stop = (): void => {
      this.#setWaiting(this.#waiting.filter((other) => other !== place));
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async drain(within: number): Promise<void> {
    this.#drained.abort(draining());
    for (const { refuse } of this.#waiting.splice(0)) refuse(draining());
    if (this.#running.size === 0) return;
    const over = new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
    const cut = new PatientTimer(this.#parts.timers, () => {
      for (const controller of this.#running) controller.abort(draining());
    });
    // A turn that is told to end does so at once; one that waits for its request's body does not.
    const giveUp = new PatientTimer(this.#parts.timers, () => this.#idle?.());
    cut.set(within);
    giveUp.set(within + 1_000);
    await over;
    cut.stop();
    giveUp.stop();
  }

  #refuse(caller: Caller): AppError | undefined {
    const { maxStreams, maxStreamsPerCaller } = this.#parts.limits;
    if (this.isDraining) return draining();
    if (this.#running.size >= maxStreams) {
      return new AppError(
        "overloaded",
        {
          en: `This server answers ${maxStreams} requests at once and no more.`,
          zh: `此服务最多同时回答 ${maxStreams} 个请求。`,
        },
        { retryAfter: 1 },
      );
    }
    const count = maxStreamsPerCaller > 0 ? this.#perCaller.of(caller) : 0;
    if (maxStreamsPerCaller === 0 || count < maxStreamsPerCaller) return undefined;
    return new AppError(
      "rate_limited",
      {
        en: `You have ${count} requests running, and no more are allowed at once.`,
        zh: `您有 ${count} 个请求正在运行，已达到上限。`,
      },
      { retryAfter: 1 },
    );
  }

  /** Whoever could begin was let in already, so that nobody is overtaken. */
  #hasToWait(caller: Caller): boolean {
    return this.#tasks >= this.#parts.limits.maxTasks || this.#refuse(caller) !== undefined;
  }

  /** @param leave of a task: gives the pool's place back */
  #begin(caller: Caller, leave?: Leave): Admission {
    const { createId, timers, limits } = this.#parts;
    const counts = limits.maxStreamsPerCaller > 0 ? this.#perCaller : undefined;
    const id = createId();
    const controller = new AbortController();
    this.#running.add(controller);
    counts?.add(caller, 1);
    const figures = new TurnFigures(() => timers.now());
    if (leave !== undefined) this.#tasks += 1;
    return {
      id,
      caller,
      signal: controller.signal,
      figures,
      abort: (reason) => controller.abort(reason),
      end: (turn, failure) => {
        if (!this.#running.delete(controller)) return;
        counts?.add(caller, -1);
        if (leave !== undefined) this.#tasks -= 1;
        leave?.();
        this.#parts.onEnd(id, turn, failure, figures);
        if (this.#waiting.length > 0) this.#letIn();
        if (this.#running.size === 0) this.#idle?.();
      },
    };
  }

  /** Lets in all that have room by now; one caller's limit holds up nobody else. */
  #letIn(): void {
    this.#setWaiting(
      this.#waiting.filter(({ caller, leave, admit }) => {
        if (this.#hasToWait(caller)) return true;
        admit(this.#begin(caller, leave));
        return false;
      }),
    );
  }

  #setWaiting(waiting: Waiting[]): void {
    const before = this.#waiting;
    this.#waiting = waiting;
    for (const [place, one] of waiting.entries()) if (before[place] !== one) one.onPlace?.(place);
  }
}

/** What each caller that is known by key or token has; of others nothing is counted. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(caller: Caller): number {
    return this.#counts.get(nameCaller(caller) ?? "") ?? 0;
  }

  add(caller: Caller, change: number): void {
    const who = nameCaller(caller);
    if (who === undefined) return;
    const count = this.of(caller) + change;
    if (count === 0) this.#counts.delete(who);
    else this.#counts.set(who, count);
  }
}

function draining(): AppError {
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
