import type * as z from "zod";
import { type Limits, type Setting, constants, limits, settings } from "./settings.ts";
import { sayIssue } from "../base/errors/describe-issue.ts";
import { suggestName } from "../base/errors/names.ts";
import { isRecord } from "../base/text/json.ts";
import { printPath } from "../turn/context/context.ts";

type Values = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]["schema"]> };

export interface Config extends Omit<Values, "hosts">, Limits {
  /** Names that the Host header may carry; undefined for all. */
  allowedHosts: readonly string[] | undefined;
}

/** What is wrong with the settings: each line names the setting, where it came from, and what was expected. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Joins environment and settings file, the environment being stronger.
 *
 * @param file the parsed rightseat.json, undefined where there is none
 * @throws ConfigError naming every bad or unknown setting
 */
export function parseConfig(
  environment: Readonly<Record<string, string | undefined>>,
  file: unknown = {},
): Config {
  if (!isRecord(file)) throw new ConfigError("rightseat.json must hold one JSON object.");
  const problems = [...findUnknownFields(file), ...findUnknown(environment)];
  const values: Record<string, unknown> = {};
  /** Where each setting that has a value came from. */
  const sources = new Map<string, string>();
  const entries: [string, Setting<unknown>][] = Object.entries(settings);
  for (const [name, setting] of entries) {
    const { schema, variables, whenEmpty } = setting;
    const [own = ""] = variables;
    if (whenEmpty !== undefined && environment[own] === "")
      problems.push(`${own}: is set but empty. ${whenEmpty}`);
    const variable = variables.find((candidate) => (environment[candidate] ?? "") !== "");
    const raw = variable === undefined ? file[name] : environment[variable];
    const source = variable ?? `rightseat.json: ${name}`;
    if (raw !== undefined) sources.set(name, source);
    const parsed = schema.safeParse(raw, { reportInput: true });
    if (parsed.success) values[name] = parsed.data;
    else
      for (const issue of parsed.error.issues)
        problems.push(`${printPath([source, ...issue.path])}: ${sayFault(issue, setting)}`);
  }
  problems.push(...findUnchecked(sources));
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  // Each name holds what that name's own schema answered.
  const { hosts, ...config } = values as Values;
  const problem = findUnsafe(config, sources);
  if (problem !== undefined) throw new ConfigError(problem);
  return { ...limits, ...config, allowedHosts: resolveHosts(hosts, config) };
}

function findUnknownFields(file: Readonly<Record<string, unknown>>): string[] {
  const former = new Map<string, number>(Object.entries(limits));
  return Object.keys(file)
    .filter((name) => !Object.hasOwn(settings, name) && name !== "$schema")
    .map((name) => {
      const shown = JSON.stringify(name);
      const value = former.get(name);
      return value === undefined
        ? `rightseat.json: unknown setting ${shown}${hintAt(name, Object.keys(settings))}`
        : describeConstant(`rightseat.json: ${shown}`, value);
    });
}

/** What once was a setting: a limit that does not hold must not look as if it did. */
function describeConstant(source: string, value: number): string {
  return `${source}: is no longer a setting; it is always ${value}. Leave it out.`;
}

/** Who says what tokens must have wants them checked, and without a key set none is. */
function findUnchecked(sources: ReadonlyMap<string, string>): string[] {
  if (sources.has("jwksUrl")) return [];
  return ["jwtIssuer", "jwtAudience"].flatMap((name) => {
    const source = sources.get(name);
    return source === undefined
      ? []
      : `${source}: is set, but there is no key set to check tokens with. Set RIGHTSEAT_JWKS_URL, or leave this setting out.`;
  });
}

function findUnsafe(
  { testPage, host, pluginKeys, apiKeys, processes, store }: Omit<Values, "hosts">,
  sources: ReadonlyMap<string, string>,
): string | undefined {
  const isGuarded = isLoopback(host) || pluginKeys.length > 0 || apiKeys.length > 0;
  // Everyone who can reach the server could use what the page offers to try.
  if (testPage && !isGuarded)
    return `${sources.get("testPage")}: is on, but other machines can reach this server, and it has no keys that the page could show. Set RIGHTSEAT_PLUGIN_KEYS or RIGHTSEAT_API_KEYS, or listen on 127.0.0.1.`;
  // Each process has a memory of its own.
  if (processes > 1 && store === "memory")
    return `${sources.get("processes")}: ${processes} processes cannot share what is in memory. Set RIGHTSEAT_STORE to sqlite:PATH or redis://HOST:PORT, or have one process.`;
  return undefined;
}

/**
 * A misspelt setting would be a default that nobody wanted, and a misspelt key an open door. What
 * Kubernetes sets for a service of our name is no setting.
 */
function findUnknown(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(settings).flatMap(({ variables }) => variables));
  const former = new Map<string, number>(Object.values(constants));
  former.set("RIGHTSEAT_MAX_PROBLEMS", 10);
  return Object.keys(environment)
    .filter((name) => name.startsWith("RIGHTSEAT_") && !known.has(name))
    .filter((name) => name !== "RIGHTSEAT_CONFIG" && !/^RIGHTSEAT_(?:SERVICE|PORT)_/.test(name))
    .map((name) => {
      const value = former.get(name);
      return value === undefined
        ? `${name}: unknown setting${hintAt(name, [...known])}`
        : describeConstant(name, value);
    });
}

/** A server on loopback without keys is reachable for every page that is open in a browser there. */
function resolveHosts(
  hosts: readonly string[],
  config: Pick<Config, "host" | "apiKeys" | "jwksUrl">,
): readonly string[] | undefined {
  if (hosts.length > 0)
    return hosts.includes("*") ? undefined : hosts.map((name) => name.toLowerCase());
  return isLoopback(config.host) && !hasAuth(config)
    ? [...new Set([...loopbackNames, config.host])]
    : undefined;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function hasAuth({ apiKeys, jwksUrl }: Pick<Config, "apiKeys" | "jwksUrl">): boolean {
  return apiKeys.length > 0 || jwksUrl !== undefined;
}

/**
 * How callers are recognized: `2 keys, tokens of https://issuer.example/jwks.json`, or `none`, and what plugins show
 * instead: `none; of plugins 1 key`.
 */
export function describeAuth({
  apiKeys,
  jwksUrl,
  pluginKeys,
}: Pick<Config, "apiKeys" | "jwksUrl" | "pluginKeys">): string {
  const ways = [
    ...(apiKeys.length === 0 ? [] : [countKeys(apiKeys)]),
    ...(jwksUrl === undefined ? [] : [`tokens of ${jwksUrl}`]),
  ];
  const ofPlugins = pluginKeys.length === 0 ? "" : `; of plugins ${countKeys(pluginKeys)}`;
  return (ways.join(", ") || "none") + ofPlugins;
}

function countKeys({ length }: readonly string[]): string {
  return length === 1 ? "1 key" : `${length} keys`;
}

/** What is wrong with the value of a setting; never the value, which may be a secret in the wrong place. */
function sayFault(
  issue: z.core.$ZodIssue,
  { secret, fields = [] }: Pick<Setting<unknown>, "secret" | "fields">,
): string {
  if (issue.code === "custom" || issue.code === "invalid_format") return issue.message;
  // The name of a field may be one, too.
  if (secret) return "is not in the expected format";
  const [names, known] =
    issue.code === "invalid_value"
      ? [[String(issue.input)], issue.values.map(String)]
      : [issue.code === "unrecognized_keys" ? issue.keys : [], fields];
  const { en } = sayIssue({ ...issue, path: [] }, issue.input);
  return en + (names.map((name) => hintAt(name, known)).find((hint) => hint !== "") ?? "");
}

/** What is said after a name that does not exist. */
function hintAt(name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
