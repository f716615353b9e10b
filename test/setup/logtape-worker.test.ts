import * as library from "@logtape/logtape";
import { expect, test, vi } from "vitest";
import * as ours from "../../src/setup/logtape.worker.ts";

test.each([
  ["a plain line", "info", "started", {}],
  ["texts, numbers and gaps", "warn", "{id} took {ms} ms, {gap}", { id: "a\n\u009b", ms: 5 }],
  ["lists and what is nested", "error", "failed: {cause}", { cause: { at: [1, "b"] } }],
  ["a line below the level", "debug", "nobody reads {it}", { it: 1 }],
] as const)("a worker logs %s as the library does", (_, level, text, properties) => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const written: unknown[][] = [];
  for (const method of ["debug", "info", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void written.push([method, line]));
  const lowestLevel = "info";
  library.configureSync({
    reset: true,
    sinks: { console: library.getConsoleSink({ formatter: library.jsonLinesFormatter }) },
    loggers: [
      { category: "rightseat", sinks: ["console"], lowestLevel },
      { category: ["logtape", "meta"], lowestLevel: "fatal" },
    ],
  });
  library.getLogger(["rightseat", "turn"])[level](text, { ...properties });
  const expected = written.splice(0);
  ours.configureSync({ loggers: [{ category: "rightseat", lowestLevel }] });
  ours.getLogger(["rightseat", "turn"])[level](text, properties);
  expect(written).toEqual(expected);
});
