import { getHeapStatistics } from "node:v8";
import { Worker, parentPort } from "node:worker_threads";
import type { SpawnThread, Thread, ThreadEvents } from "../../code/threads/thread-pool.ts";

const ready = "ready";
/** In megabytes; the memory of WebAssembly has a limit of its own. */
const maxHeap = 512;

/**
 * Starts threads of a module beside this one, which calls {@link serveThread}. They keep no process alive
 * but while they start or have a job.
 *
 * @param name without its ending: the module is a source here, and JavaScript in the package
 */
export function spawnThreads<Job, Answer>(name: string): SpawnThread<Job, Answer> {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const module = new URL(`./${name}.node.${ending}`, import.meta.url);
  return (events) => {
    try {
      return startThread(module, events);
    } catch (cause) {
      // Where a process may start no threads at all.
      queueMicrotask(() => events.onEnd(cause));
      return { post: () => {}, kill: () => {} };
    }
  };
}

function startThread<Job, Answer>(module: URL, events: ThreadEvents<Answer>): Thread<Job> {
  const worker = new Worker(module, {
    // The process's own options may not fit (--eval), and its secrets are nothing to a parser.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    // A runtime that fails prints so, and standard error holds the log. Nobody reads these streams: to
    // read them would keep the process alive.
    stdout: true,
    stderr: true,
  });
  let isOver = false;
  const end = (cause: unknown): void => {
    if (!isOver) events.onEnd(cause);
    isOver = true;
  };
  worker.on("message", (message: typeof ready | Answer) => {
    if (isOver) return;
    worker.unref();
    if (message === ready) events.onReady();
    else events.onAnswer(message);
  });
  worker.on("messageerror", end);
  worker.on("error", end);
  worker.on("exit", (code) => end(new Error(`The thread has ended with code ${code}.`)));
  return {
    post(job) {
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(job);
    },
    kill() {
      isOver = true;
      void worker.terminate();
    },
  };
}

/**
 * The other side, called once by the module of a thread.
 *
 * @param buffersOf what of an answer is handed over instead of copied; nothing where absent
 */
export function serveThread<Answer>(
  work: (job: never) => Promise<Answer>,
  buffersOf: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  parentPort?.on("message", (job: unknown) => {
    // The module and who spawns it agree on what a job is.
    void work(job as never).then((answer) => parentPort?.postMessage(answer, buffersOf(answer)));
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(ready);
}

/** What the heap of this thread takes, in bytes, whether it is filled or not. */
export function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}
