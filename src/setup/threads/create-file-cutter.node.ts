import { setTimer } from "./create-code-threads.node.ts";
import { chunkFile } from "../../knowledge/chunk-file.ts";
import type { CutAnswer, CutJob } from "../../knowledge/cut-file.ts";
import type { KnowledgePassage } from "../../knowledge/retriever.ts";
import { spawnThreads } from "./spawn-thread.node.ts";
import { type ThreadEnd, createThreadPool } from "../../code/threads/thread-pool.ts";

/** Cuts files in a thread of its own, which starts with the first file. */
export interface FileCutter {
  cut(
    fileName: string,
    text: string,
  ): Promise<{ passages: KnowledgePassage[] } | { problem: string }>;
  close(): void;
}

/** Passages should not depend on how busy the machine is, so this is long. */
const maxTime = 20_000;
const maxStart = 10_000;
/** The longest that a timer takes. */
const maxWait = 2_147_483_647;
/** Characters of a file that is cut in this thread if there is no other. */
const maxHere = 100_000;

export function createFileCutter(): FileCutter {
  const pool = createThreadPool<CutJob, CutAnswer>({
    spawn: spawnThreads("knowledge-thread"),
    size: 1,
    maxQueue: 0,
    maxWait,
    maxTime,
    maxStart,
    setTimer,
  });
  const run = (job: CutJob): Promise<ThreadEnd<CutAnswer>> =>
    new Promise((resolve) => void pool.run(job, resolve));
  return {
    async cut(fileName, text) {
      let end = await run({ fileName, text, isPlain: false });
      if (end.type === "late" || end.type === "crashed")
        end = await run({ fileName, text, isPlain: true });
      if (end.type === "answered") return { passages: end.answer.passages };
      if (end.type === "no-thread" && text.length <= maxHere)
        return { passages: chunkFile(fileName, text) };
      return { problem: "cannot be cut into passages in time" };
    },
    close: () => pool.close(),
  };
}
