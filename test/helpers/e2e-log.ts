// Keeps what the product logs, as the lines that it would print, down to the least level.
import { configure, jsonLinesFormatter } from "@logtape/logtape";

/** Call it once a file; the lines grow while the tests run. */
export async function captureLog(): Promise<readonly string[]> {
  const lines: string[] = [];
  await configure({
    reset: true,
    sinks: { kept: (record) => void lines.push(jsonLinesFormatter(record)) },
    loggers: [
      { category: "rightseat", sinks: ["kept"], lowestLevel: "trace" },
      { category: ["logtape", "meta"], sinks: ["kept"], lowestLevel: "warning" },
    ],
  });
  return lines;
}
