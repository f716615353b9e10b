import type { Message } from "../../base/errors/app-error.ts";
import { createThreadPool } from "../../code/threads/thread-pool.ts";
import { type ReadYaml, readYaml } from "../../tools/specs/spec-document.ts";
import { setTimer } from "./create-code-threads.node.ts";
import { spawnThreads } from "./spawn-thread.node.ts";

/** What the thread answers. */
export type SpecAnswer = ({ json: string } | { fault: Message }) & {
  isSpent: boolean;
  isLarge: boolean;
};

/** Milliseconds that a text may wait, and may take. */
const [maxWait, maxStart] = [20_000, 10_000];
/** Characters of a text that is read in this thread where no other starts. */
const maxHere = 1_048_576;

/**
 * Reads long texts of YAML in a thread, which starts when it is needed and is killed where it takes too long. An idle one
 * keeps no process alive.
 *
 * @param maxTime milliseconds that a text may take
 */
export function createSpecReader(maxTime = 10_000): { read: ReadYaml; close(): void } {
  const pool = createThreadPool<string, SpecAnswer>({
    spawn: spawnThreads("spec-thread"),
    size: 1,
    maxQueue: 100,
    maxWait,
    maxTime,
    maxStart,
    setTimer,
  });
  return {
    read: (text) =>
      new Promise((resolve) => {
        pool.run(text, (end) => {
          if (end.type === "no-thread" && text.length <= maxHere) resolve(readYaml(text));
          else if (end.type !== "answered") resolve({ fault: tooSlow });
          else if ("fault" in end.answer) resolve({ fault: end.answer.fault });
          else resolve({ value: JSON.parse(end.answer.json) as unknown });
        });
      }),
    close: () => pool.close(),
  };
}

const tooSlow: Message = {
  en: "could not be read in time; write it as JSON, or leave out what is not called",
  zh: "未能及时读取；请改用 JSON，或删去不会调用的部分",
};
