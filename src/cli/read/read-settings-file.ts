import { homedir } from "node:os";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type GitPlaces, findGitPlaces } from "../../workspace/directory/folder-rules.node.ts";
import { findStateFolder } from "../../workspace/directory/journal/root-state.node.ts";
import { ConfigError } from "../../setup/config.ts";
import { type Locale, parseLocale } from "../../base/errors/locale.ts";
import { isNpmScript } from "../npm-script.ts";
import { type CliTexts, cliTexts } from "../texts.ts";

const folders = ["agents", "knowledge"];
const usualName = "rightseat.json";

/**
 * Reads `rightseat.json` of the working directory (under `npm run rightseat`, else of npm's), or the file
 * that RIGHTSEAT_CONFIG names.
 *
 * @returns undefined where there is no rightseat.json
 * @throws ConfigError when the file cannot be read or is no JSON
 */
export function readSettingsFile(): unknown {
  const path = findSettingsFile();
  if (path === undefined) return undefined;
  const isHere = path === process.env["RIGHTSEAT_CONFIG"] || path === usualName;
  return isHere ? readJsonFile(path) : fromFolder(readJsonFile(path), dirname(path));
}

/** The settings file that counts here: the named one, that of the working directory, or that of npm's. */
export function findSettingsFile(): string | undefined {
  const named = process.env["RIGHTSEAT_CONFIG"];
  if (named) return named;
  if (existsSync(usualName)) return usualName;
  const { npm_package_json: manifest } = process.env;
  if (!isNpmScript() || !manifest) return undefined;
  const path = join(dirname(manifest), usualName);
  return existsSync(path) ? path : undefined;
}

/** @param mayLack where there is no such file, undefined comes back. @throws ConfigError */
export function readJsonFile(path: string, mayLack = false): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (mayLack && !existsSync(path)) return undefined;
    throw new ConfigError(`${path} cannot be read.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigError(`${path} is not valid JSON.`, { cause });
  }
}

/** Folders are written for the place of the file, which is not where we are. */
function fromFolder(settings: unknown, folder: string): unknown {
  if (typeof settings !== "object" || settings === null) return settings;
  const entries = Object.entries(settings).map(([name, value]: [string, unknown]) => [
    name,
    folders.includes(name) && typeof value === "string" ? resolve(folder, value) : value,
  ]);
  return Object.fromEntries(entries);
}

/**
 * The language of a terminal, as POSIX has it: the first of LC_ALL, LC_MESSAGES and LANG that is set counts
 * (`zh_CN.UTF-8`). Undefined where it is none of ours, as with `C`.
 */
export function terminalLocale(environment: NodeJS.ProcessEnv): Locale | undefined {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const [tag] = (LC_ALL || LC_MESSAGES || LANG || "").split(/[.@]/, 1);
  return parseLocale(tag);
}

/** Before the settings are read, which may name a language, too. */
export function earlyTexts(language?: string): CliTexts {
  return cliTexts(parseLocale(language) ?? terminalLocale(process.env) ?? "en");
}

/** The settings file where it says which language is spoken, else with the terminal's. */
export function withTerminalLocale(file: unknown, environment: NodeJS.ProcessEnv): unknown {
  const locale = terminalLocale(environment);
  const isSettings = file === undefined || (typeof file === "object" && !Array.isArray(file));
  return locale === undefined || !isSettings ? file : { locale, ...file };
}

/** Where undo, conversations and the like are kept. */
export function ownStateFolder(): string {
  return findStateFolder(process.env, homedir(), process.platform);
}

export function ownGitPlaces(): GitPlaces {
  return findGitPlaces(process.env, homedir());
}
