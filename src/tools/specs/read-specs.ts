// The descriptions that a session or an operator lists, as tools: read, named, guarded, and where there are very many
// found by a tool of their own.
import * as z from "zod";
import { findIssues } from "../../base/errors/describe-issue.ts";
import { isHeaderValue } from "../../base/wire/exchange.ts";
import { type AnyTool, foldName } from "../tool.ts";
import { findByTools } from "./find-tools.ts";
import type { HttpUse } from "./http-call.ts";
import { readOpenApi } from "./open-api.ts";
import { type Modbus, readOpenModbus } from "./open-modbus.ts";
import { readOpenRpc } from "./open-rpc.ts";
import { type AskClient, readOpenTool } from "./open-tool.ts";
import { type Operation, guardTool, nameOperations } from "./operation.ts";
import { SpecDocument, fieldOf, parseDescription, refuse } from "./spec-document.ts";

const protocols = ["openapi", "jsonrpcHttp", "openmodbus", "opentool"] as const;

const names = z.array(z.string().max(1_000)).max(1_000);

/** One entry of an `openSpecList`. */
const SpecEntry = z.looseObject({
  /** A description: an object, or JSON or YAML as text. */
  openSpec: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
  protocol: z.string(),
  /** Goes to the server of this description only. */
  apiKey: z
    .looseObject({
      type: z.enum(["basic", "bearer"]),
      apiKey: z.string().min(1).max(8_192),
    })
    .nullish(),
  /** Where the API is, in place of what the description says. */
  baseUrl: z.string().min(1).max(2_000).nullish(),
  /** Names of operations, or their beginnings with `*` behind; all where absent. */
  include: names.nullish(),
  exclude: names.nullish(),
  openToolId: z.string().max(200).nullish(),
});
type SpecEntry = z.infer<typeof SpecEntry>;

/** What tools of descriptions are given. */
export interface SpecOptions {
  /** Refuses addresses that may not be called; used with `redirect: "manual"`. */
  fetch: typeof fetch;
  createId: () => string;
  /** Absent where there is none, as on Workers. */
  modbus?: Modbus;
  /** Asks the client that listed the description; without it `opentool` is refused. */
  askClient?: AskClient;
  /** What may be changed: `POST@api.example.com`, see {@link guardTool}. */
  grants?: readonly string[];
  /** What is granted is asked for, too, each call by itself. */
  asks?: boolean;
  /** Where the list is in the request. */
  path?: string;
  /** Of one description, in characters; 1 MiB where absent. */
  maxText?: number;
  /** Of one answer, in bytes; 64 kB where absent. */
  maxAnswer?: number;
  /** Of one call, in milliseconds; 60 s where absent. */
  timeout?: number;
  /** Names that other tools of the conversation have. */
  taken?: readonly string[];
  /** Hears of each operation that is no tool, and why. */
  onLeftOut?(path: string, en: string, zh: string): void;
}

const maxText = 1_048_576;
const maxAnswer = 65_536;
const timeout = 60_000;

/** More than that, and a model chooses badly: it looks for them by `find_tool`. */
const maxShown = 64;

/**
 * The tools of all entries together, with names that are different.
 *
 * @throws AppError `invalid_request` with the path, as `openSpecList[0].openSpec.paths`
 */
export async function readSpecs(
  entries: readonly unknown[],
  options: SpecOptions,
): Promise<readonly AnyTool[]> {
  const { path = "openSpecList", grants = [], taken = [] } = options;
  const used = new Set(taken.map(foldName));
  const tools: AnyTool[] = [];
  for (const [at, entry] of entries.entries())
    for (const named of await readEntry(entry, `${path}[${at}]`, options, used))
      tools.push(guardTool(named, grants, options.asks));
  return tools.length > maxShown ? findByTools(tools, used) : tools;
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
    await parseDescription(entry.openSpec, at, options.maxText ?? maxText),
    at,
  );
  const named = nameOperations(readOperations(document, entry, path, options), used);
  const include = entry.include ?? undefined;
  const isIncluded = include === undefined ? () => true : chooser(include);
  const isExcluded = chooser(entry.exclude ?? []);
  const kept = named.filter((each) => isIncluded(each) && !isExcluded(each));
  if (kept.length === 0 && named.length > 0 && (include?.length ?? 0) > 0)
    refuse(
      `${path}.include`,
      "names nothing that the description has",
      "其中的名称在描述中都不存在",
    );
  return kept;
}

type Named = ReturnType<typeof nameOperations>[number];

/** Whether an operation is in a list, by any of its names. */
function chooser(list: readonly string[]): (named: Named) => boolean {
  const [beginnings, whole] = [new Set<string>(), new Set<string>()];
  for (const one of list)
    if (one.endsWith("*")) beginnings.add(one.slice(0, -1));
    else whole.add(foldName(one));
  return ({ tool, operation }) =>
    [tool.name, operation.name, operation.id].some(
      (name) =>
        whole.has(foldName(name)) ||
        [...beginnings].some((beginning) => name.startsWith(beginning)),
    );
}

function checkEntry(given: unknown, path: string): SpecEntry {
  const parsed = SpecEntry.safeParse(given);
  if (!parsed.success) {
    const [issue] = findIssues(SpecEntry, given);
    const steps = (issue?.path ?? []).map((step) =>
      typeof step === "number" ? `[${step}]` : `.${String(step)}`,
    );
    const { en, zh } = issue?.message ?? { en: "is not in the expected format", zh: "格式不正确" };
    return refuse(path + steps.join(""), en, zh);
  }
  const key = parsed.data.apiKey?.apiKey ?? "";
  // What is typed for basic, as `name:password`, is encoded before it is sent.
  if (!isHeaderValue(key) && !key.includes(":"))
    refuse(
      `${path}.apiKey.apiKey`,
      "has a character that no header can carry",
      "含有请求头无法携带的字符",
    );
  return parsed.data;
}

function readOperations(
  document: SpecDocument,
  entry: SpecEntry,
  path: string,
  options: SpecOptions,
): Operation[] {
  const use: HttpUse = {
    fetch: options.fetch,
    timeout: options.timeout ?? timeout,
    maxAnswer: options.maxAnswer ?? maxAnswer,
  };
  const server = { baseUrl: readBaseUrl(entry, path), apiKey: entry.apiKey ?? undefined };
  const leaveOut = options.onLeftOut?.bind(options) ?? (() => undefined);
  const { root } = document;
  const has = (...words: string[]): void => {
    if (words.every((word) => fieldOf(root.value, word) === undefined))
      refuse(
        root.path,
        `is not a description of the protocol ${entry.protocol}: ${words.join(" or ")} is missing`,
        `不是 ${entry.protocol} 协议的描述：缺少 ${words.join(" 或 ")}`,
      );
  };
  switch (protocols.find((name) => foldName(name) === foldName(entry.protocol))) {
    case "openapi":
      has("openapi", "swagger");
      checkVersion(document);
      return readOpenApi(document, server, use, leaveOut);
    case "jsonrpcHttp":
      has("openrpc");
      return readOpenRpc(document, server, use, options.createId);
    case "openmodbus":
      has("openmodbus");
      return readOpenModbus(document, options.modbus, use.timeout);
    case "opentool":
      has("opentool");
      return readOpenTool(document, options.askClient, use.timeout, entry.openToolId ?? undefined);
    case undefined:
      return refuse(
        `${path}.protocol`,
        `must be one of: ${protocols.join(", ")}`,
        `应为以下之一：${protocols.join("、")}`,
      );
  }
}

function checkVersion({ root }: SpecDocument): void {
  const [openapi, swagger] = ["openapi", "swagger"].map((name) => fieldOf(root.value, name));
  const version = String(openapi ?? swagger);
  if (openapi === undefined ? !/^2(?:\.|$)/.test(version) : !/^3(?:\.|$)/.test(version))
    refuse(
      `${root.path}.${openapi === undefined ? "swagger" : "openapi"}`,
      "must be 3.0 or 3.1 for OpenAPI, 2.0 for Swagger",
      "OpenAPI 应为 3.0 或 3.1，Swagger 应为 2.0",
    );
}

function readBaseUrl({ baseUrl }: SpecEntry, path: string): URL | undefined {
  if (typeof baseUrl !== "string") return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return refuse(`${path}.baseUrl`, "must be an http or https address", "应为 http 或 https 地址");
  if (url.username !== "" || url.password !== "")
    refuse(
      `${path}.baseUrl`,
      "must not hold a password; use apiKey",
      "不应包含密码，请使用 apiKey",
    );
  return url;
}
