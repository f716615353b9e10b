import { type Sink, configure, getStreamSink, jsonLinesFormatter } from "@logtape/logtape";
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import type { Config } from "./config.ts";

/** A log file begins anew at this size, in bytes, and so many old ones are kept (`agent.log.1` is the newest). */
const [maxSize, maxFiles] = [10 * 1024 * 1024, 5];

/**
 * Sends the log as JSON lines to standard error, so that standard output stays the program's own.
 *
 * @param file gets it instead, in a folder that is made where there is none
 * @throws the system's error where that cannot be written
 */
export async function configureLog(
  { logLevel }: Pick<Config, "logLevel">,
  file?: string,
): Promise<void> {
  const sink = file === undefined ? openErrors() : openFile(file);
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

function openErrors(): Sink {
  return getStreamSink(Writable.toWeb(process.stderr), { formatter: jsonLinesFormatter });
}

/** Each line is written at once: a process that is killed has told what it did. */
function openFile(path: string): Sink {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, "");
  let size = existsSync(path) ? statSync(path).size : 0;
  return (record) => {
    const line = jsonLinesFormatter(record);
    if (size > maxSize) {
      for (let nth = maxFiles - 1; nth >= 0; nth -= 1) {
        const from = nth === 0 ? path : `${path}.${nth}`;
        if (existsSync(from)) renameSync(from, `${path}.${nth + 1}`);
      }
      size = 0;
    }
    appendFileSync(path, line);
    size += Buffer.byteLength(line);
  };
}
