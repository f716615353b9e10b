import { type LogRecord, configureSync } from "@logtape/logtape";
import { beforeEach, expect, test } from "vitest";
import { createConfiguredThreads } from "../../src/setup/threads/create-code-threads.node.ts";
import { parseConfig } from "../../src/setup/config.ts";

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

test("a text that takes too long is one line of the log, with nothing of the text", async () => {
  const threads = createConfiguredThreads({
    ...parseConfig({}),
    parseTimeout: 1,
    maxParseWait: 60_000,
  });
  const text = "const secret = f(1, [2, 3], { a: 4 });\n".repeat(15_000);
  await threads.analyze(text, "typescript", "a.ts", { signal: new AbortController().signal });
  threads.close();
  expect(records[0]).toMatchObject({ level: "warning", category: ["rightseat", "code"] });
  const lines = records.map(({ message }) => message.join(""));
  expect(lines[0]).toMatch(/^code: \d+ characters of typescript took too long, so /);
  expect(lines.join("")).not.toContain("secret");
});
