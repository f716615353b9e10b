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
/** Keys that are remembered at once; the one that was not used for longest goes first. */
const maxKeys = 500;

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
  const prune = (tasks: Map<string, KeptTask>): void => {
    let size = 0;
    for (const [id, kept] of tasks) {
      if (kept.until <= now()) tasks.delete(id);
      else size += kept.size;
    }
    for (const [id, kept] of tasks) {
      if (tasks.size <= maxTasks && size <= maxSize) break;
      tasks.delete(id);
      size -= kept.size;
    }
  };
  return {
    keep(owner, id, task) {
      const tasks = owners.get(owner) ?? new Map<string, KeptTask>();
      owners.delete(owner);
      owners.set(owner, tasks);
      tasks.set(id, { task, until: now() + lifetime, size: JSON.stringify(task).length });
      prune(tasks);
      for (const oldest of owners.keys()) {
        if (owners.size <= maxKeys) break;
        owners.delete(oldest);
      }
    },
    find(owner, id) {
      const tasks = owners.get(owner);
      if (tasks === undefined) return undefined;
      prune(tasks);
      return tasks.get(id)?.task;
    },
  };
}
