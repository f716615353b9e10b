/** A thread as its owner sees it. It has one job at a time. */
export interface Thread<Job> {
  /** Called when the thread is ready, and again after each answer. */
  post(job: Job): void;
  /** Ends the thread at once, whatever it does; nothing is heard of it afterwards. */
  kill(): void;
}

/** What its owner is told, always after `spawn` has returned. */
export interface ThreadEvents<Answer> {
  onReady(): void;
  onAnswer(answer: Answer): void;
  /** The thread has ended by itself, or never started. */
  onEnd(cause: unknown): void;
}

/** Starts a thread. Never throws. */
export type SpawnThread<Job, Answer> = (events: ThreadEvents<Answer>) => Thread<Job>;

/** Why a job was not done by a thread. */
export type ThreadFailure =
  /** It took longer than `maxTime`, and its thread was killed. */
  | { type: "late" }
  /** Its thread has ended by itself. */
  | { type: "crashed"; cause: unknown }
  /** `maxQueue` others were waiting for a thread. */
  | { type: "queue-full" }
  /** It has waited for a thread as long as `maxWait`. */
  | { type: "waited" }
  /** No thread starts, and none is tried for `pause` milliseconds. */
  | { type: "no-thread"; cause: unknown; pause: number }
  | { type: "closed" };

/** An answer may say that its thread is of no use any more, or should not rest as it is. */
type Spendable = { isSpent: boolean; isLarge: boolean };

export type ThreadEnd<Answer> = { type: "answered"; answer: Answer } | ThreadFailure;

export interface ThreadPoolOptions<Job, Answer> {
  spawn: SpawnThread<Job, Answer>;
  /** Threads at most; each starts when it is needed. */
  size: number;
  /** Jobs that may wait for a thread. */
  maxQueue: number;
  /** Milliseconds that a job waits for a thread. */
  maxWait: number;
  /** Milliseconds that a thread may take for a job, once it is ready. */
  maxTime: number;
  /** Milliseconds that a thread may take to start. */
  maxStart: number;
  /** Calls back after some milliseconds, unless what it returns is called first. */
  setTimer: (callback: () => void, milliseconds: number) => () => void;
}

/** Threads that do jobs, the one that came first first. */
export interface ThreadPool<Job, Answer> {
  /**
   * @param onEnd called once, never before this returns; not at all after the job was canceled
   * @returns cancels the job; a thread that is busy with it is killed
   */
  run(job: Job, onEnd: (end: ThreadEnd<Answer>) => void, isUrgent?: boolean): () => void;
  /** Starts the first thread, if there is none. */
  warm(): void;
  /** Kills all threads. Whatever is waiting, and whatever comes, ends as `closed`. */
  close(): void;
}

interface Task<Job, Answer> {
  job: Job;
  onEnd: (end: ThreadEnd<Answer>) => void;
  stopWaiting: () => void;
  isCanceled: boolean;
}

interface Slot<Job, Answer> {
  thread: Thread<Job>;
  isReady: boolean;
  task: Task<Job, Answer> | undefined;
  stopTimer: () => void;
}

/** Milliseconds that a large thread rests before a fresh one takes its place. */
const maxRest = 1_000;
const firstPause = 1_000;
/** Milliseconds between the starts of threads that fail. */
const maxPause = 60_000;

export function createThreadPool<Job, Answer extends Spendable>(
  options: ThreadPoolOptions<Job, Answer>,
): ThreadPool<Job, Answer> {
  return new Pool(options);
}

class Pool<Job, Answer extends Spendable> implements ThreadPool<Job, Answer> {
  readonly #options: ThreadPoolOptions<Job, Answer>;
  readonly #slots = new Set<Slot<Job, Answer>>();
  #queue: Task<Job, Answer>[] = [];
  /** Failed starts in a row. */
  #failures = 0;
  /** While no thread is started, for the last one did not. */
  #pause: { cause: unknown; pause: number } | undefined;
  #stopPause = nothing;
  #isClosed = false;

  constructor(options: ThreadPoolOptions<Job, Answer>) {
    this.#options = options;
  }

  run(job: Job, onEnd: (end: ThreadEnd<Answer>) => void, isUrgent = false): () => void {
    const task: Task<Job, Answer> = { job, onEnd, stopWaiting: nothing, isCanceled: false };
    const refusal = this.#refuse(isUrgent);
    if (refusal !== undefined) {
      queueMicrotask(() => this.#end(task, refusal));
    } else {
      task.stopWaiting = this.#options.setTimer(
        () => this.#drop(task, { type: "waited" }),
        this.#options.maxWait,
      );
      if (isUrgent) this.#queue.unshift(task);
      else this.#queue.push(task);
      this.#goOn();
    }
    return () => this.#cancel(task);
  }

  warm(): void {
    if (this.#slots.size === 0 && this.#pause === undefined && !this.#isClosed) this.#start();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopPause();
    const tasks = [...this.#slots].flatMap(({ task }) => task ?? []);
    for (const slot of this.#slots) this.#kill(slot);
    for (const task of [...tasks, ...this.#queue.splice(0)]) this.#end(task, { type: "closed" });
  }

  #refuse(isUrgent: boolean): ThreadFailure | undefined {
    if (this.#isClosed) return { type: "closed" };
    if (this.#pause !== undefined && this.#slots.size === 0)
      return { type: "no-thread", ...this.#pause };
    const { maxQueue, size } = this.#options;
    const idle = [...this.#slots].filter(({ task }) => task === undefined).length;
    const free = idle + size - this.#slots.size;
    const isFull = this.#queue.length >= maxQueue + free;
    return isFull && !isUrgent ? { type: "queue-full" } : undefined;
  }

  /** Gives what waits to the threads that wait, and starts some more where they are all busy. */
  #goOn(): void {
    for (const slot of this.#slots) {
      if (slot.task === undefined) this.#give(slot);
    }
    while (
      this.#queue.length > 0 &&
      this.#slots.size < this.#options.size &&
      this.#pause === undefined &&
      !this.#isClosed
    )
      this.#give(this.#start());
  }

  #start(): Slot<Job, Answer> {
    const slot: Slot<Job, Answer> = {
      isReady: false,
      task: undefined,
      stopTimer: nothing,
      thread: this.#options.spawn({
        onReady: () => this.#begin(slot),
        onAnswer: (answer) => this.#answer(slot, answer),
        onEnd: (cause) => this.#lose(slot, cause),
      }),
    };
    this.#slots.add(slot);
    slot.stopTimer = this.#options.setTimer(() => {
      this.#kill(slot);
      this.#fail(slot, new Error("The thread did not start in time."));
    }, this.#options.maxStart);
    return slot;
  }

  #give(slot: Slot<Job, Answer>): void {
    slot.task = this.#queue.shift();
    // One that is starting has it noted: by then the text may have waited too long.
    if (slot.isReady) this.#send(slot);
  }

  #begin(slot: Slot<Job, Answer>): void {
    if (!this.#slots.has(slot) || slot.isReady) return;
    slot.isReady = true;
    this.#failures = 0;
    slot.stopTimer();
    slot.stopTimer = nothing;
    if (slot.task === undefined) this.#goOn();
    else this.#send(slot);
  }

  #send(slot: Slot<Job, Answer>): void {
    const { task } = slot;
    if (task === undefined) return;
    task.stopWaiting();
    slot.stopTimer();
    slot.stopTimer = this.#options.setTimer(() => {
      this.#kill(slot);
      this.#end(task, { type: "late" });
      this.#goOn();
    }, this.#options.maxTime);
    slot.thread.post(task.job);
  }

  #answer(slot: Slot<Job, Answer>, answer: Answer): void {
    const { task } = slot;
    if (!this.#slots.has(slot) || task === undefined) return;
    slot.stopTimer();
    slot.task = undefined;
    if (answer.isSpent) this.#kill(slot);
    this.#goOn();
    if (answer.isLarge && this.#slots.has(slot) && slot.task === undefined) this.#letRest(slot);
    this.#end(task, { type: "answered", answer });
  }

  #letRest(slot: Slot<Job, Answer>): void {
    slot.stopTimer = this.#options.setTimer(() => {
      this.#kill(slot);
      this.warm();
    }, maxRest);
  }

  /** The thread has ended by itself. */
  #lose(slot: Slot<Job, Answer>, cause: unknown): void {
    if (!this.#slots.has(slot)) return;
    const { task, isReady } = slot;
    this.#kill(slot);
    if (!isReady) {
      this.#fail(slot, cause);
      return;
    }
    if (task !== undefined) this.#end(task, { type: "crashed", cause });
    this.#goOn();
  }

  /** A thread that did not start: the next tries are further and further apart. */
  #fail({ task }: Slot<Job, Answer>, cause: unknown): void {
    const { pause } = (this.#pause ??= this.#startPause(cause));
    // Others that have started take what waits.
    if (task !== undefined) this.#queue.unshift(task);
    if (this.#slots.size > 0) this.#goOn();
    else
      for (const waiting of this.#queue.splice(0))
        this.#end(waiting, { type: "no-thread", cause, pause });
  }

  #startPause(cause: unknown): { cause: unknown; pause: number } {
    const pause = Math.min(firstPause * 2 ** this.#failures, maxPause);
    this.#failures += 1;
    this.#stopPause = this.#options.setTimer(() => {
      this.#pause = undefined;
      this.#goOn();
    }, pause);
    return { cause, pause };
  }

  /** One that still waits, be it for a thread that starts. */
  #drop(task: Task<Job, Answer>, failure: ThreadFailure): void {
    this.#forget(task);
    this.#end(task, failure);
  }

  #forget(task: Task<Job, Answer>): void {
    this.#queue = this.#queue.filter((waiting) => waiting !== task);
    for (const slot of this.#slots) if (slot.task === task) slot.task = undefined;
  }

  #cancel(task: Task<Job, Answer>): void {
    task.isCanceled = true;
    task.stopWaiting();
    const slot = [...this.#slots].find((busy) => busy.task === task);
    if (slot?.isReady === true) this.#kill(slot);
    this.#forget(task);
    this.#goOn();
  }

  #kill(slot: Slot<Job, Answer>): void {
    slot.stopTimer();
    slot.thread.kill();
    this.#slots.delete(slot);
  }

  #end(task: Task<Job, Answer>, end: ThreadEnd<Answer>): void {
    task.stopWaiting();
    if (!task.isCanceled) task.onEnd(end);
  }
}

function nothing(): void {
  // Where no timer runs.
}
