// The descriptions that a session or an operator lists, as tools: read, named, guarded, and where there are very many
// found by a tool of their own.
import * as z from "zod";
import { breathe } from "../../base/wire/patient-timer.ts";
import { listNames } from "../../base/errors/names.ts";
import { fitsHeader } from "../../base/wire/exchange.ts";
import { runCall } from "../run-call.ts";
import { type AnyTool, Toolbox, defineTool, fail, foldName } from "../tool.ts";
import { ApiKey } from "./http-call.ts";
import { manyOperations, readOpenApi } from "./open-api.ts";
import { type Modbus, readOpenModbus } from "./open-modbus.ts";
import { readOpenRpc } from "./open-rpc.ts";
import { type AskClient, readOpenTool } from "./open-tool.ts";
import {
  type NamedOperation,
  type Operation,
  chooser,
  maxOperations,
  nameOperations,
  names,
} from "./operation.ts";
import { type CountCall, type GuardUse, type ToolPolicy, countCalls, guardTool } from "./policy.ts";
import {
  type ReadYaml,
  SpecDocument,
  parseAddress,
  parseAt,
  parseDescription,
  reject,
} from "./spec-document.ts";

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
  const named: NamedOperation[] = [];
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
): Promise<NamedOperation[]> {
  const entry = parseAt(SpecEntry, given, path);
  const key = entry.apiKey?.apiKey ?? "";
  // What is typed for basic, as `name:password`, is encoded before it is sent.
  if (!fitsHeader(key) && !key.includes(":"))
    reject(
      `${path}.apiKey.apiKey`,
      "has a character that no header can carry",
      "含有请求头无法携带的字符",
    );
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
  const named: NamedOperation[] = [];
  for (let from = 0; from < operations.length; from += manyOperations) {
    if (from > 0) await breathe();
    named.push(...nameOperations(operations.slice(from, from + manyOperations), used));
  }
  const include = entry.include ?? undefined;
  const isKept = chooser(include, entry.exclude ?? []);
  const kept = named.filter(({ name, operation }) => isKept(name, operation));
  if (kept.length === 0 && named.length > 0 && (include?.length ?? 0) > 0)
    reject(
      `${path}.include`,
      "names nothing that the description has",
      "其中的名称在描述中都不存在",
    );
  return kept;
}

async function readOperations(
  document: SpecDocument,
  entry: SpecEntry,
  path: string,
  options: SpecOptions,
): Promise<Operation[]> {
  const { fetch, createId } = options;
  const { baseUrl: address, apiKey } = entry;
  const baseUrl =
    typeof address === "string" ? parseAddress(address, `${path}.baseUrl`, "apiKey") : undefined;
  const server = { baseUrl, apiKey: apiKey ?? undefined };
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

// Two tools in place of very many: one finds them, one calls them. All rules of the tools themselves hold.

/** More than that, and a model chooses badly: it looks for them by `find_tool`. */
const maxShown = 64;
/** Tools that an answer describes. */
const maxFound = 8;

/**
 * The tools as they are where they are few.
 *
 * @param taken names that are in use, as `foldName` has them
 */
export function findByTools(
  tools: readonly AnyTool[],
  taken: ReadonlySet<string>,
): readonly AnyTool[] {
  if (tools.length <= maxShown) return tools;
  const toolbox = new Toolbox(tools);
  const name = (wish: string): string => (taken.has(foldName(wish)) ? `${wish}_of_api` : wish);
  const [findName, callName] = [name("find_tool"), name("call_tool")];
  const find = defineTool({
    name: findName,
    description: {
      en: `Finds tools by words: there are ${tools.length}. Answers with their names and arguments; call one with ${callName}.`,
      zh: `按关键词查找工具，共有 ${tools.length} 个。返回其名称和参数；用 ${callName} 调用。`,
    },
    fields: {
      query: {
        schema: z.string().max(1_000),
        en: "Words of what you want to do, in the language of the API.",
        zh: "描述要做的事的关键词，使用接口描述的语言。",
      },
    },
    effect: "read",
    async run({ query }, { locale }) {
      const found = rank(tools, query).slice(0, maxFound);
      if (found.length === 0)
        return fail(locale, "nothing-found", {
          en: `No tool fits. Some of them: ${listNames(toolbox.names)}. Try other words.`,
          zh: `没有匹配的工具。部分工具：${listNames(toolbox.names, "zh")}。请换其他关键词。`,
        });
      return { success: true, tools: new Toolbox(found).offer(locale) };
    },
  });
  const call = defineTool({
    name: callName,
    description: {
      en: `Calls a tool that ${findName} has found.`,
      zh: `调用 ${findName} 找到的工具。`,
    },
    fields: {
      name: { schema: z.string().max(200), en: "Name of the tool.", zh: "工具名称。" },
      arguments: {
        schema: z.unknown().optional(),
        en: "Its arguments, an object.",
        zh: "工具的参数，一个对象。",
      },
    },
    effect: "write",
    // What it calls may only read.
    mayRepeat: true,
    isBare: true,
    async run({ name: wanted, arguments: given = {} }, use) {
      const json = typeof given === "string" ? given : JSON.stringify(given);
      return (await runCall({ id: "", name: wanted, arguments: json }, toolbox, use)).outcome;
    },
  });
  // A model that knows a name may call it at once. These are on this side of their schemas.
  const hidden = tools.map((tool) => Object.create(tool, { isHidden: { value: true } }) as AnyTool);
  return [find, call, ...hidden];
}

/** The best first; of words that many tools have each counts less. */
function rank(tools: readonly AnyTool[], query: string): AnyTool[] {
  const texts = tools.map((tool) => ({
    tool,
    name: ` ${wordsOf(tool.name).join(" ")} `,
    text: ` ${wordsOf(`${tool.name} ${tool.description.en}`).join(" ")} `,
  }));
  const words = [...new Set(wordsOf(query))].slice(0, 50).map((word) => {
    const stem = ` ${word.length > 3 ? word.replace(/(?:ies|y|es|s|ing|ed)$/, "") : word}`;
    const count = texts.filter(({ text }) => text.includes(stem)).length;
    return { stem, weight: Math.log(1 + tools.length / (1 + count)) };
  });
  const ranked = texts
    .map(({ tool, name, text }) => {
      const score = words.reduce(
        (sum, { stem, weight }) =>
          sum + (name.includes(stem) ? 3 * weight : text.includes(stem) ? weight : 0),
        0,
      );
      // Of equals the shorter name: it is the plainer thing.
      return { tool, score: score === 0 ? 0 : score - name.length / 1_000 };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  // What shares but a common word with the query is left out where others fit.
  return ranked.flatMap(({ tool, score }) => (score * 4 >= best ? [tool] : []));
}

/** In lower case; `listPets` is two, and each sign of Chinese is one. */
function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")
      .toLowerCase()
      .match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []
  );
}
