import * as z from "zod";
import { describeSettingProblem, hintAt } from "./describe-setting-problem.ts";
import { settings } from "./settings.ts";

type Values = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]["schema"]> };

export interface Config extends Omit<Values, "hosts"> {
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
  const parsedFile = z.record(z.string(), z.unknown()).safeParse(file);
  if (!parsedFile.success) throw new ConfigError("rightseat.json must hold one JSON object.");
  const problems = Object.keys(parsedFile.data)
    .filter((name) => !Object.hasOwn(settings, name) && name !== "$schema")
    .map(
      (name) =>
        `rightseat.json: unknown setting ${JSON.stringify(name)}${hintAt(name, Object.keys(settings))}`,
    );
  problems.push(...findUnknown(environment));
  if (environment["RIGHTSEAT_API_KEYS"] === "") {
    problems.push(
      "RIGHTSEAT_API_KEYS: is set but empty. Write a key, or unset it to let everybody in.",
    );
  }
  if (environment["RIGHTSEAT_PLUGIN_KEYS"] === "") {
    problems.push(
      "RIGHTSEAT_PLUGIN_KEYS: is set but empty. Write a key, or unset it to let in who may use the other doors.",
    );
  }
  if (environment["RIGHTSEAT_JWKS_URL"] === "") {
    problems.push(
      "RIGHTSEAT_JWKS_URL: is set but empty. Write the address of a key set, or unset it to check no tokens.",
    );
  }
  const values: Record<string, unknown> = {};
  const sources = new Map<string, string>();
  for (const [name, setting] of Object.entries(settings)) {
    const variable = setting.variables.find((candidate) => (environment[candidate] ?? "") !== "");
    const raw = variable === undefined ? parsedFile.data[name] : environment[variable];
    const source = variable ?? `rightseat.json: ${name}`;
    if (raw !== undefined) sources.set(name, source);
    const parsed = setting.schema.safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push(
        ...parsed.error.issues.map((issue) =>
          describeSettingProblem(issue, {
            source,
            raw,
            example: setting.schema.safeParse(undefined).data,
            isSecret: setting.secret ?? false,
            fields: "fields" in setting ? setting.fields : [],
          }),
        ),
      );
  }
  problems.push(...findUnchecked(sources));
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  // Each name holds what that name's own schema answered.
  const { hosts, ...config } = values as Values;
  const problem = findOpenPage(config, sources.get("testPage"));
  if (problem !== undefined) throw new ConfigError(problem);
  return { ...config, allowedHosts: resolveHosts(hosts, config) };
}

/**
 * Who says what tokens must have wants them checked, and without a key set none is.
 *
 * @param sources where each setting that has a value came from
 */
function findUnchecked(sources: ReadonlyMap<string, string>): string[] {
  if (sources.has("jwksUrl")) return [];
  return ["jwtIssuer", "jwtAudience"]
    .map((name) => sources.get(name))
    .filter((source) => source !== undefined)
    .map(
      (source) =>
        `${source}: is set, but there is no key set to check tokens with. Set RIGHTSEAT_JWKS_URL, or leave this setting out.`,
    );
}

/** Everyone who can reach the server could use what the page offers to try. */
function findOpenPage(
  { testPage, host, pluginKeys, apiKeys }: Omit<Values, "hosts">,
  source = "testPage",
): string | undefined {
  const isGuarded = isLoopback(host) || pluginKeys.length > 0 || apiKeys.length > 0;
  if (!testPage || isGuarded) return undefined;
  return `${source}: is on, but other machines can reach this server, and it has no keys that the page could show. Set RIGHTSEAT_PLUGIN_KEYS or RIGHTSEAT_API_KEYS, or listen on 127.0.0.1.`;
}

/**
 * A misspelt setting would be a default that nobody wanted, and a misspelt key an open door. What
 * Kubernetes sets for a service of our name is no setting.
 */
function findUnknown(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(settings).flatMap(({ variables }) => variables));
  return Object.keys(environment)
    .filter((name) => name.startsWith("RIGHTSEAT_") && !known.has(name))
    .filter((name) => name !== "RIGHTSEAT_CONFIG" && !/^RIGHTSEAT_(?:SERVICE|PORT)_/.test(name))
    .map((name) => `${name}: unknown setting${hintAt(name, [...known])}`);
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
