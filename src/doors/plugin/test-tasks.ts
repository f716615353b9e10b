import type { WireRange } from "./schema.ts";

/** What a recommendation was about: all that writing the tests needs. */
export interface TestTask {
  path: string;
  content: string;
  functionName: string;
  location: WireRange | undefined;
  /** For the prompt. */
  definitions: string;
  userPrompt: string;
  model: string;
}

interface KeptTask {
  task: TestTask;
  /** Milliseconds. */
  until: number;
  /** In characters. */
  size: number;
}

const lifetime = 30 * 60_000;
const maxTasks = 20;
/** Of one key, in characters of two bytes: 2 MiB. */
const maxSize = 1_024 * 1_024;
/** Of all keys, in characters; of the key that was not used for longest the tasks go first. */
const maxTotal = 32 * maxSize;

/** Remembers recommendations for those who asked for them, for half an hour. */
export interface TestTasks {
  /** Remembers a task under an id that only its owner can use. */
  keep(owner: string, id: string, task: TestTask): void;
  /** Undefined for tasks of others, and for those that are over or were never here. */
  find(owner: string, id: string): TestTask | undefined;
}

/** @param now milliseconds */
export function createTestTasks(now: () => number): TestTasks {
  const owners = new Map<string, Map<string, KeptTask>>();
  /** Drops what is over, and of the rest the oldest, until it is as much as one key may have. Returns its size. */
  const prune = (tasks: Map<string, KeptTask>): number => {
    for (const [id, { until }] of tasks) if (until <= now()) tasks.delete(id);
    let size = [...tasks.values()].reduce((sum, kept) => sum + kept.size, 0);
    for (const [id, kept] of tasks) {
      if (tasks.size <= maxTasks && size <= maxSize) break;
      tasks.delete(id);
      size -= kept.size;
    }
    return size;
  };
  const pruneAll = (): void => {
    let total = 0;
    for (const [owner, tasks] of [...owners].toReversed()) {
      total += prune(tasks);
      if (tasks.size === 0 || total > maxTotal) owners.delete(owner);
    }
  };
  return {
    keep(owner, id, task) {
      const tasks = owners.get(owner) ?? new Map<string, KeptTask>();
      owners.delete(owner);
      owners.set(owner, tasks);
      tasks.set(id, { task, until: now() + lifetime, size: JSON.stringify(task).length });
      pruneAll();
    },
    find(owner, id) {
      const tasks = owners.get(owner);
      if (tasks === undefined) return undefined;
      prune(tasks);
      return tasks.get(id)?.task;
    },
  };
}
