// What Workers get for "@logtape/logtape": our lines, as the library prints them, on the console. Most of the library is
// formatters, filters and sinks that a worker has no use for.
import { escapeUnits } from "../base/errors/names.ts";

/** The levels that we use, the lowest first, and where each goes. */
const methods = { debug: "debug", info: "info", warning: "warn", error: "error" } as const;
type Level = keyof typeof methods;
const levels: readonly string[] = Object.keys(methods);

interface Settings {
  loggers: readonly { category: string | readonly string[]; lowestLevel: string | null }[];
}

/** The log is one for the whole isolate, as the library's is. */
const log: { lowest: string | null } = { lowest: null };

/** Takes the level of our own category. */
export function configureSync({ loggers }: Settings): void {
  log.lowest = loggers.find(({ category }) => category === "rightseat")?.lowestLevel ?? null;
}

export function getLogger(category: readonly string[]) {
  const isEnabledFor = (level: Level): boolean =>
    log.lowest !== null && levels.indexOf(level) >= levels.indexOf(log.lowest);
  const say =
    (level: Level) =>
    (text: string, properties: Readonly<Record<string, unknown>> = {}): void => {
      if (!isEnabledFor(level)) return;
      const message = text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        JSON.stringify(properties[name]),
      );
      const record = {
        "@timestamp": new Date().toISOString(),
        level: level === "warning" ? "WARN" : level.toUpperCase(),
        message,
        logger: category.join("."),
        properties,
      };
      // Terminals read some of these as commands.
      console[methods[level]](JSON.stringify(record).replaceAll(/[\u007f-\u009f]/g, escapeUnits));
    };
  const warning = say("warning");
  return {
    isEnabledFor,
    debug: say("debug"),
    info: say("info"),
    warn: warning,
    warning,
    error: say("error"),
  };
}

export function getConsoleSink(): void {}

export const jsonLinesFormatter = undefined;
