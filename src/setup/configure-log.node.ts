import { configure, getStreamSink, jsonLinesFormatter } from "@logtape/logtape";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import type { Config } from "./config.ts";

/** A log file begins anew at this size, in bytes, and so many old ones are kept. */
const [maxSize, maxFiles] = [10 * 1024 * 1024, 5];

/**
 * Sends the log as JSON lines to standard error, so that standard output stays the program's own.
 *
 * @param file gets it instead, in a folder that is made where there is none
 */
export async function configureLog(
  { logLevel }: Pick<Config, "logLevel">,
  file?: string,
): Promise<void> {
  const sink = file === undefined ? openErrors() : await openFile(file);
  return configure({
    // Of a log that was configured before, by the same program.
    reset: true,
    sinks: { sink },
    loggers: [
      { category: "rightseat", sinks: ["sink"], lowestLevel: logLevel },
      { category: ["logtape", "meta"], sinks: ["sink"], lowestLevel: "warning" },
    ],
  });
}

function openErrors() {
  return getStreamSink(Writable.toWeb(process.stderr), { formatter: jsonLinesFormatter });
}

async function openFile(path: string) {
  const { getRotatingFileSink } = await import("@logtape/file");
  mkdirSync(dirname(path), { recursive: true });
  // At once: a process that is killed has told what it did.
  const options = { formatter: jsonLinesFormatter, maxSize, maxFiles, bufferSize: 0 };
  return getRotatingFileSink(path, options);
}
