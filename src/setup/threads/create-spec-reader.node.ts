import type { Message } from "../../base/errors/app-error.ts";
import { type ReadYaml, readYaml } from "../../tools/specs/spec-document.ts";
import { createThread } from "./create-code-threads.node.ts";

/** What the thread answers. */
export type SpecAnswer = ({ json: string } | { fault: Message }) & {
  isSpent: boolean;
  isLarge: boolean;
};

/** Milliseconds that a text may wait. */
const maxWait = 20_000;
/** Characters of a text that is read in this thread where no other starts. */
const maxHere = 1_048_576;

/**
 * Reads long texts of YAML in a thread, which is killed where it takes too long.
 *
 * @param maxTime milliseconds that a text may take
 */
export function createSpecReader(maxTime = 10_000): { read: ReadYaml; close(): void } {
  const limits = { maxQueue: 100, maxWait, maxTime };
  const { run, close } = createThread<string, SpecAnswer>("spec-thread", limits);
  return {
    async read(text) {
      const end = await run(text);
      if (end.type === "no-thread" && text.length <= maxHere) return readYaml(text);
      if (end.type !== "answered") return { fault: tooSlow };
      if ("fault" in end.answer) return { fault: end.answer.fault };
      return { value: JSON.parse(end.answer.json) as unknown };
    },
    close,
  };
}

const tooSlow: Message = {
  en: "could not be read in time; write it as JSON, or leave out what is not called",
  zh: "未能及时读取；请改用 JSON，或删去不会调用的部分",
};
