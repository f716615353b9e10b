import { type LogRecord, configureSync, resetSync } from "@logtape/logtape";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logCodeTrouble } from "../../src/setup/threads/create-code-threads.node.ts";
import type { CodeTrouble } from "../../src/code/threads/create-code-pool.ts";

let records: LogRecord[];

beforeEach(() => {
  records = [];
  configureSync({
    reset: true,
    sinks: { list: (record) => void records.push(record) },
    loggers: [
      { category: "rightseat", sinks: ["list"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
});
afterEach(() => resetSync());

const cause = new Error("Worker terminated due to reaching memory limit");

test.each<[CodeTrouble["failure"], string, string]>([
  [{ type: "late" }, "warning", "took too long"],
  [{ type: "crashed", cause }, "warning", "memory limit"],
  [{ type: "queue-full" }, "warning", "too many texts wait"],
  [{ type: "waited" }, "warning", "no thread was free in time"],
  [{ type: "no-thread", cause, pause: 2_000 }, "error", "the next try is in 2000 ms"],
])("%o is one line of the log", (failure, level, words) => {
  logCodeTrouble({ failure, instead: "plain", characters: 600_000, language: "typescript" });
  const [record] = records;
  expect(records).toHaveLength(1);
  expect(record).toMatchObject({ level, category: ["rightseat", "code"] });
  expect(record?.message.join("")).toContain(words);
  expect(record?.message.join("")).toContain("so it is read by lines and indentation");
});
