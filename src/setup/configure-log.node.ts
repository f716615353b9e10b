import { configure, getStreamSink, jsonLinesFormatter } from "@logtape/logtape";
import { Writable } from "node:stream";
import type { Config } from "./config.ts";

/** Sends the log as JSON lines to standard error, so that standard output stays the program's own. */
export function configureLog({ logLevel }: Pick<Config, "logLevel">): Promise<void> {
  return configure({
    sinks: {
      stderr: getStreamSink(Writable.toWeb(process.stderr), { formatter: jsonLinesFormatter }),
    },
    loggers: [
      { category: "rightseat", sinks: ["stderr"], lowestLevel: logLevel },
      { category: ["logtape", "meta"], sinks: ["stderr"], lowestLevel: "warning" },
    ],
  });
}
