// The descriptions that a session or an operator lists, as tools: read, named, guarded, and where there are very many
// found by a tool of their own.
import * as z from "zod";
import { breathe } from "../../base/wire/patient-timer.ts";
import { listNames } from "../../base/errors/names.ts";
import { fitsHeader } from "../../base/wire/exchange.ts";
import { type AnyTool, foldName } from "../tool.ts";
import { ApiKey } from "./http-call.ts";
import { findByTools } from "./find-tools.ts";
import { manyOperations, readOpenApi } from "./open-api.ts";
import { type Modbus, readOpenModbus } from "./open-modbus.ts";
import { readOpenRpc } from "./open-rpc.ts";
import { type AskClient, readOpenTool } from "./open-tool.ts";
import { type Operation, chooser, maxOperations, nameOperations, names } from "./operation.ts";
import { type CountCall, type GuardUse, type ToolPolicy, countCalls, guardTool } from "./policy.ts";
import { type ReadYaml, SpecDocument, parseAt, parseDescription, reject } from "./spec-document.ts";

const protocols = ["openapi", "jsonrpcHttp", "openmodbus", "opentool"] as const;

/** One entry of an `openSpecList`. */
const SpecEntry = z.looseObject({
  /** A description: an object, or JSON or YAML as text. */
  openSpec: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
  protocol: z.string(),
  apiKey: ApiKey.nullish(),
  /** Where the API is, in place of what the description says. */
  baseUrl: z.string().min(1).max(2_000).nullish(),
  /** Names of operations, or their beginnings with `*` behind; all where absent. */
  include: names.nullish(),
  exclude: names.nullish(),
  openToolId: z.string().max(200).nullish(),
});
type SpecEntry = z.infer<typeof SpecEntry>;

/** What tools of descriptions are given. */
export interface SpecOptions extends GuardUse {
  /** Refuses addresses that may not be called; used with `redirect: "manual"`. */
  fetch: typeof fetch;
  createId: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Absent where there is none, as on Workers. */
  modbus?: Modbus;
  /** Asks the client that listed the description; without it `opentool` is refused. */
  askClient?: AskClient;
  /** What may be changed: `POST@api.example.com`, see {@link guardTool}. */
  grants?: ToolPolicy;
  /** For grants with a rate; where absent, these tools have a count of their own. */
  countCall?: CountCall | undefined;
  /** Before the path of what is refused: `shopkeeper.`; the list is a request's where absent. */
  owner?: string;
  /** Of one description, in characters; 1 MiB where absent. */
  maxText?: number;
  /** Reads long texts of YAML, in a thread say. */
  readYaml?: ReadYaml | undefined;
  /** What servers of MCP offer besides. */
  operations?: readonly Operation[];
  /** Names that other tools of the conversation have. */
  taken?: readonly string[];
  /** Hears of each operation that is no tool, and why. */
  onLeftOut?(path: string, en: string, zh: string): void;
}

/**
 * The tools of descriptions of services, and of servers of MCP.
 *
 * @throws AppError `invalid_request` with the path
 */
export type OpenTools = (
  openSpecList: readonly unknown[],
  use: Pick<
    SpecOptions,
    "narrowed" | "countCall" | "askClient" | "owner" | "asks" | "maxText" | "onLeftOut"
  > & {
    /** Names of the operator's servers of MCP. */
    mcpServers?: readonly string[] | undefined;
  },
) => Promise<readonly AnyTool[]>;

const maxText = 1_048_576;

/**
 * The tools of all entries together, with names that are different.
 *
 * @throws AppError `invalid_request` with the path, as `openSpecList[0].openSpec.paths`
 */
export async function readSpecs(
  entries: readonly unknown[],
  options: SpecOptions,
): Promise<readonly AnyTool[]> {
  const { owner = "", grants = {}, taken = [], operations = [] } = options;
  const { countCall = countCalls(options.now) } = options;
  const used = new Set(taken.map(foldName));
  const named: ReturnType<typeof nameOperations> = [];
  for (const [at, entry] of entries.entries())
    for (const each of await readEntry(entry, `${owner}openSpecList[${at}]`, options, used))
      named.push(each);
  for (const each of nameOperations(operations, used)) named.push(each);
  return findByTools(
    named.map((each) => guardTool(each, grants, { ...options, countCall })),
    used,
  );
}

async function readEntry(
  given: unknown,
  path: string,
  options: SpecOptions,
  used: Set<string>,
): Promise<ReturnType<typeof nameOperations>> {
  const entry = checkEntry(given, path);
  const at = `${path}.openSpec`;
  const document = new SpecDocument(
    await parseDescription(entry.openSpec, at, options.maxText ?? maxText, options.readYaml),
    at,
  );
  const operations = await readOperations(document, entry, path, options);
  if (used.size + operations.length > maxOperations)
    reject(
      at,
      `describes more than ${maxOperations} operations, with those before it`,
      `与前面的描述合计超过 ${maxOperations} 个操作`,
    );
  const named: ReturnType<typeof nameOperations> = [];
  for (let from = 0; from < operations.length; from += manyOperations) {
    if (from > 0) await breathe();
    named.push(...nameOperations(operations.slice(from, from + manyOperations), used));
  }
  const include = entry.include ?? undefined;
  const isKept = chooser(include, entry.exclude ?? []);
  const kept = named.filter(({ tool, operation }) => isKept(tool.name, operation));
  if (kept.length === 0 && named.length > 0 && (include?.length ?? 0) > 0)
    reject(
      `${path}.include`,
      "names nothing that the description has",
      "其中的名称在描述中都不存在",
    );
  return kept;
}

function checkEntry(given: unknown, path: string): SpecEntry {
  const entry = parseAt(SpecEntry, given, path);
  const key = entry.apiKey?.apiKey ?? "";
  // What is typed for basic, as `name:password`, is encoded before it is sent.
  if (!fitsHeader(key) && !key.includes(":"))
    reject(
      `${path}.apiKey.apiKey`,
      "has a character that no header can carry",
      "含有请求头无法携带的字符",
    );
  return entry;
}

async function readOperations(
  document: SpecDocument,
  entry: SpecEntry,
  path: string,
  options: SpecOptions,
): Promise<Operation[]> {
  const { fetch, createId } = options;
  const server = { baseUrl: readBaseUrl(entry, path), apiKey: entry.apiKey ?? undefined };
  const leaveOut = options.onLeftOut?.bind(options) ?? (() => undefined);
  const { root } = document;
  const has = (...words: string[]): void => {
    if (words.every((word) => root.get(word) === undefined))
      reject(
        root.path,
        `is not a description of the protocol ${entry.protocol}: ${words.join(" or ")} is missing`,
        `不是 ${entry.protocol} 协议的描述：缺少 ${words.join(" 或 ")}`,
      );
  };
  switch (protocols.find((name) => foldName(name) === foldName(entry.protocol))) {
    case "openapi":
      has("openapi", "swagger");
      checkVersion(document);
      return await readOpenApi({ document, entry: server, fetch, leaveOut });
    case "jsonrpcHttp":
      has("openrpc");
      return readOpenRpc(document, server, fetch, createId);
    case "openmodbus":
      has("openmodbus");
      return readOpenModbus(document, options.modbus);
    case "opentool":
      has("opentool");
      return readOpenTool(document, options.askClient, entry.openToolId ?? undefined);
    case undefined:
      return reject(
        `${path}.protocol`,
        `must be one of: ${protocols.join(", ")}`,
        `应为以下之一：${protocols.join("、")}`,
      );
  }
}

/** @param at where it is in the list of a session or an agent */
export function refuseServer(at: number, known: readonly string[], owner = ""): never {
  return reject(
    `${owner}mcpServers[${at}]`,
    known.length === 0
      ? "names a server, and the operator has configured none"
      : `must be the name of a server: ${listNames(known)}`,
    known.length === 0 ? "管理员没有配置任何服务器" : `应为服务器名称：${listNames(known, "zh")}`,
  );
}

function checkVersion({ root }: SpecDocument): void {
  const [openapi, swagger] = ["openapi", "swagger"].map((name) => root.get(name));
  const version = String(openapi ?? swagger);
  if (openapi === undefined ? !/^2(?:\.|$)/.test(version) : !/^3(?:\.|$)/.test(version))
    reject(
      `${root.path}.${openapi === undefined ? "swagger" : "openapi"}`,
      "must be 3.0 or 3.1 for OpenAPI, 2.0 for Swagger",
      "OpenAPI 应为 3.0 或 3.1，Swagger 应为 2.0",
    );
}

function readBaseUrl({ baseUrl }: SpecEntry, path: string): URL | undefined {
  if (typeof baseUrl !== "string") return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return reject(`${path}.baseUrl`, "must be an http or https address", "应为 http 或 https 地址");
  if (url.username !== "" || url.password !== "")
    reject(
      `${path}.baseUrl`,
      "must not hold a password; use apiKey",
      "不应包含密码，请使用 apiKey",
    );
  return url;
}
