import { readFileSync } from "node:fs";
import { ConfigError } from "../config.ts";

/**
 * Reads `rightseat.json` of the working directory, or the file that RIGHTSEAT_CONFIG names.
 *
 * @returns undefined where there is no rightseat.json
 * @throws ConfigError when the file cannot be read or is no JSON
 */
export function readSettingsFile(): unknown {
  const named = process.env["RIGHTSEAT_CONFIG"];
  const path = named || "rightseat.json";
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const isAbsent = cause instanceof Error && Reflect.get(cause, "code") === "ENOENT";
    if (isAbsent && !named) return undefined;
    throw new ConfigError(`${path} cannot be read.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigError(`${path} is not valid JSON.`, { cause });
  }
}
