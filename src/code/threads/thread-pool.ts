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
export type Spendable = { isSpent: boolean; isLarge: boolean };

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

interface Task<Job, Answer> {
  job: Job;
  onEnd: (end: ThreadEnd<Answer>) => void;
  stopWaiting: () => void;
}

interface Slot<Job, Answer> {
  thread: Thread<Job>;
  isReady: boolean;
  /** What it is busy with. */
  task: Task<Job, Answer> | undefined;
  stopTimer: () => void;
}

/** Milliseconds that a large thread rests before a fresh one takes its place. */
const maxRest = 1_000;
const firstPause = 1_000;
/** Milliseconds between the starts of threads that fail. */
const maxPause = 60_000;

/** Threads that do jobs, the one that came first first. */
export function createThreadPool<Job, Answer extends Spendable>({
  spawn,
  size,
  maxQueue,
  maxWait,
  maxTime,
  maxStart,
  setTimer,
}: ThreadPoolOptions<Job, Answer>) {
  const slots = new Set<Slot<Job, Answer>>();
  let queue: Task<Job, Answer>[] = [];
  /** Failed starts in a row. */
  let failures = 0;
  /** While no thread is started, for the last one did not. */
  let pause: { cause: unknown; pause: number } | undefined;
  let stopPause = nothing;
  let isClosed = false;

  const end = (task: Task<Job, Answer>, given: ThreadEnd<Answer>): void => {
    task.stopWaiting();
    queue = queue.filter((waiting) => waiting !== task);
    task.onEnd(given);
  };
  const kill = (slot: Slot<Job, Answer>): void => {
    slot.stopTimer();
    slot.thread.kill();
    slots.delete(slot);
  };
  /** Gives what waits to the threads that are ready, and starts some more where they are all busy. */
  const goOn = (): void => {
    for (const slot of slots) {
      const task = slot.isReady && slot.task === undefined ? queue.shift() : undefined;
      if (task !== undefined) send(slot, task);
    }
    while (queue.length > count(({ isReady }) => !isReady) && slots.size < size && canStart())
      start();
  };
  const count = (is: (slot: Slot<Job, Answer>) => boolean): number => [...slots].filter(is).length;
  const canStart = (): boolean => pause === undefined && !isClosed;
  const start = (): void => {
    const slot: Slot<Job, Answer> = {
      isReady: false,
      task: undefined,
      stopTimer: nothing,
      thread: spawn({
        onReady() {
          if (!slots.has(slot) || slot.isReady) return;
          slot.isReady = true;
          failures = 0;
          slot.stopTimer();
          goOn();
        },
        onAnswer: (answer) => take(slot, answer),
        onEnd: (cause) => lose(slot, cause),
      }),
    };
    slots.add(slot);
    const late = new Error("The thread did not start in time.");
    slot.stopTimer = setTimer(() => lose(slot, late), maxStart);
  };
  const send = (slot: Slot<Job, Answer>, task: Task<Job, Answer>): void => {
    slot.task = task;
    task.stopWaiting();
    slot.stopTimer();
    slot.stopTimer = setTimer(() => {
      kill(slot);
      end(task, { type: "late" });
      goOn();
    }, maxTime);
    slot.thread.post(task.job);
  };
  const take = (slot: Slot<Job, Answer>, answer: Answer): void => {
    const { task } = slot;
    if (!slots.has(slot) || task === undefined) return;
    slot.stopTimer();
    slot.task = undefined;
    if (answer.isSpent) kill(slot);
    goOn();
    if (answer.isLarge && slots.has(slot) && slot.task === undefined)
      slot.stopTimer = setTimer(() => {
        kill(slot);
        warm();
      }, maxRest);
    end(task, { type: "answered", answer });
  };
  /** The thread has ended by itself, or did not start. */
  const lose = (slot: Slot<Job, Answer>, cause: unknown): void => {
    if (!slots.has(slot)) return;
    kill(slot);
    if (slot.task !== undefined) end(slot.task, { type: "crashed", cause });
    if (!slot.isReady) startPause(cause);
    goOn();
  };
  /** The next tries are further and further apart. */
  const startPause = (cause: unknown): void => {
    if (pause === undefined) {
      pause = { cause, pause: Math.min(firstPause * 2 ** failures, maxPause) };
      failures += 1;
      stopPause = setTimer(() => {
        pause = undefined;
        goOn();
      }, pause.pause);
    }
    // Others that have started take what waits.
    if (slots.size > 0) return;
    for (const task of queue) end(task, { type: "no-thread", ...pause, cause });
  };
  const warm = (): void => {
    if (slots.size === 0 && canStart()) start();
  };
  const refuse = (isUrgent: boolean): ThreadFailure | undefined => {
    if (isClosed) return { type: "closed" };
    if (pause !== undefined && slots.size === 0) return { type: "no-thread", ...pause };
    const free = size - count(({ task }) => task !== undefined);
    return queue.length >= maxQueue + free && !isUrgent ? { type: "queue-full" } : undefined;
  };

  return {
    /** Starts the first thread, if there is none. */
    warm,
    /**
     * @param onEnd called once, never before this returns; not at all after the job was canceled
     * @returns cancels the job; a thread that is busy with it is killed
     */
    run(job: Job, onEnd: (end: ThreadEnd<Answer>) => void, isUrgent = false): () => void {
      const task: Task<Job, Answer> = { job, onEnd, stopWaiting: nothing };
      const refusal = refuse(isUrgent);
      if (refusal !== undefined) queueMicrotask(() => end(task, refusal));
      else {
        task.stopWaiting = setTimer(() => end(task, { type: "waited" }), maxWait);
        if (isUrgent) queue.unshift(task);
        else queue.push(task);
        goOn();
      }
      return () => {
        task.onEnd = nothing;
        end(task, { type: "closed" });
        const slot = [...slots].find((busy) => busy.task === task);
        if (slot !== undefined) kill(slot);
        goOn();
      };
    },
    /** Kills all threads. Whatever is waiting, and whatever comes, ends as `closed`. */
    close(): void {
      isClosed = true;
      stopPause();
      const busy = [...slots].flatMap(({ task }) => task ?? []);
      for (const slot of slots) kill(slot);
      for (const task of [...busy, ...queue]) end(task, { type: "closed" });
    },
  };
}

/** Where no timer runs, and nobody waits for a job. */
function nothing(): void {}
