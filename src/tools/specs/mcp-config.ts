// Servers of MCP as configuration files of other tools list them: `mcpServers` of most, `servers`, `context_servers`.
import * as z from "zod";
import { isRecord } from "../../base/text/json.ts";
import { foldName } from "../tool.ts";
import { cleanName, names } from "./operation.ts";
import { fieldOf, parseAddress, parseAt, reject } from "./spec-document.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const Text = z.string().max(10_000);
const Texts = z
  .record(z.string(), z.union([Text, z.number(), z.boolean()]))
  .transform((fields) =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
  );

const McpEntry = z.looseObject({
  type: Text.nullish(),
  command: z.union([Text.min(1), z.array(Text).min(1)]).nullish(),
  args: z.array(Text).max(1_000).nullish(),
  env: Texts.nullish(),
  environment: Texts.nullish(),
  cwd: Text.nullish(),
  url: Text.nullish(),
  httpUrl: Text.nullish(),
  serverUrl: Text.nullish(),
  headers: Texts.nullish(),
  /** What the server says of itself counts: that a tool only reads. */
  trusted: z.boolean().nullish(),
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
  /** Names of tools, or their beginnings with `*` behind; all where absent. */
  include: names.nullish(),
  includeTools: names.nullish(),
  exclude: names.nullish(),
  excludeTools: names.nullish(),
});

/** A command to start, with nothing in it to fill in any more. */
export interface McpCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
}

export interface McpAddress {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** `http` or `sse`; another where nobody knows. */
  protocol: string;
}

export interface McpServerConfig {
  /** Letters, digits, `_` and `-`: no host of an API has such a name with a dot or a port. */
  name: string;
  at: McpCommand | McpAddress;
  isTrusted: boolean;
  include: readonly string[] | undefined;
  exclude: readonly string[];
}

/** Where files have the list of servers, if it is not all that they have. */
const lists = ["mcpServers", "servers", "mcp", "context_servers"];

/**
 * @param environment for `${NAME}`, `${env:NAME}` and `${NAME:-what else}`
 * @throws AppError `invalid_request` with the path, as `mcpServers.files.command`
 */
export function readMcpConfig(given: unknown, environment: Environment): McpServerConfig[] {
  const list = lists.find((name) => {
    const inner = fieldOf(given, name);
    return isRecord(inner) && Object.values(inner).every(isRecord);
  });
  const path = list ?? "mcpServers";
  const servers = list === undefined ? given : fieldOf(given, list);
  if (!isRecord(servers)) return reject(path, "must be an object of servers", "应为服务器的对象");
  const taken = new Set<string>();
  return Object.entries(servers).flatMap(([key, entry]) => {
    const at = `${path}.${key}`;
    const name = cleanName(key).slice(0, 64);
    if (name === "" || taken.has(foldName(name)))
      reject(at, "needs a name of its own, of letters and digits", "名称应由字母和数字组成且唯一");
    taken.add(foldName(name));
    // What is switched off may name variables that nobody has set.
    const isOff = fieldOf(entry, "disabled") === true || fieldOf(entry, "enabled") === false;
    if (isOff) return [];
    return [readEntry(name, parseAt(McpEntry, fillIn(entry, at, environment), at), at)];
  });
}

function readEntry(name: string, entry: z.infer<typeof McpEntry>, path: string): McpServerConfig {
  const common = {
    name,
    isTrusted: entry.trusted === true,
    include: entry.include ?? entry.includeTools ?? undefined,
    exclude: [...(entry.exclude ?? []), ...(entry.excludeTools ?? [])],
  };
  const [command, ...args] = [entry.command ?? [], entry.args ?? []].flat();
  if (command !== undefined) {
    const env = { ...entry.environment, ...entry.env };
    return { ...common, at: { command, args, env, cwd: entry.cwd ?? undefined } };
  }
  const field = (["httpUrl", "url", "serverUrl"] as const).find((each) => entry[each]);
  if (field === undefined) return reject(path, "needs a command or a url", "缺少 command 或 url");
  const url = parseAddress(entry[field] ?? "", `${path}.${field}`, "headers");
  const protocol = field === "httpUrl" ? "http" : foldName(entry.type ?? "");
  return { ...common, at: { url, headers: entry.headers ?? {}, protocol } };
}

/** The value with the variables in all its texts. */
function fillIn(value: unknown, path: string, environment: Environment): unknown {
  if (Array.isArray(value))
    return value.map((item, nth) => fillIn(item, `${path}[${nth}]`, environment));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        fillIn(item, `${path}.${key}`, environment),
      ]),
    );
  if (typeof value !== "string") return value;
  return value.replaceAll(
    /\$\{(?:env:)?(\w+)(?::-([^{}]*))?\}/g,
    (_, name: string, other: string | undefined) =>
      (Object.hasOwn(environment, name) ? environment[name] : undefined) ??
      other ??
      reject(path, `names the variable ${name}, which is not set`, `引用了未设置的变量 ${name}`),
  );
}
