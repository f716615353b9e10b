// Servers of the Model Context Protocol: what their tools can do, as operations under the one policy. Whatever a server
// says is data: it may be wrong, without end, or written to deceive.
import type { CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import * as z from "zod";
import { AppError, type Message, missingPackage } from "../../base/errors/app-error.ts";
import { describeConnection } from "../../base/errors/describe-cause.ts";
import { cutName, quoteName } from "../../base/errors/names.ts";
import { type Fields, isRecord, parseJson } from "../../base/text/json.ts";
import { type Timers, createTimers, untilAborted } from "../../base/wire/patient-timer.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import { type ToolOutcome, foldName } from "../tool.ts";
import { outcomeOf } from "./http-call.ts";
import {
  type McpAddress,
  type McpCommand,
  type McpServerConfig,
  readMcpConfig,
} from "./mcp-config.ts";
import { statusOf } from "./open-rpc.ts";
import {
  type Operation,
  type OperationUse,
  Refused,
  callInTime,
  callLimits,
  chooser,
} from "./operation.ts";
import { refuseServer } from "./read-specs.ts";
import { SpecDocument, fieldOf, parseAt, reject, trimmedText } from "./spec-document.ts";

/** A `Transport` of `@modelcontextprotocol/client`, which those who only compile against us need not have. */
interface McpTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes a connection to the command of a server, which is started by that.
 *
 * @param maxMessage in bytes
 * @param onError hears what it prints for people
 */
export type OpenCommand = (
  command: McpCommand,
  maxMessage: number,
  onError: (text: string) => void,
) => Promise<McpTransport>;

/** What `createMcpServers` is given besides the configuration. */
export interface McpOptions {
  /** For `${NAME}` in the configuration. */
  environment: Readonly<Record<string, string | undefined>>;
  /** A fetch that may ask these hosts wherever they are, and no others. */
  openFetch(hosts: readonly string[]): typeof fetch;
  /** Absent where there are no processes, as on Workers. */
  openCommand?: OpenCommand;
  /** What each server is told of its client. */
  version: string;
  /** Of all that comes before a call, in milliseconds; 60 s where absent. */
  timeout?: number;
  /** False where a connection may not last: then no change is told before the next update. */
  followsChanges?: boolean;
  /** The runtime's where absent. */
  timers?: Timers;
  /** Hears of servers that cannot be used, and of tools that are left out. */
  onProblem?(server: string, problem: Message): void;
}

/** Servers that are connected to when they are needed. */
export interface McpServers {
  /** As sessions and grants name them. */
  readonly names: readonly string[];
  /**
   * Connects to those that are not connected, and reads the lists that may have changed.
   *
   * @param names all where absent; then one that cannot be used has no tools, and is told by `onProblem` only
   * @param owner of the names, before the path of one that is refused
   * @throws AppError `invalid_request` for a name that is not known, `upstream_unreachable` and the like
   */
  update(names?: readonly string[], owner?: string): Promise<void>;
  /** What they can do by their last lists. */
  operations(names?: readonly string[]): readonly Operation[];
  /** Ends the connections, and the processes of the servers. */
  close(): Promise<void>;
}

/** A server that could not be used is left alone for so long, in milliseconds. */
const pause = 5_000;
/** A list is read anew after so long, also where its server has told of no change, in milliseconds. */
const maxAge = 30_000;
/** How long one may be silent about which protocol it speaks, in milliseconds. */
const probeTime = 5_000;
/** Of one message, in bytes. */
const maxMessage = 4_194_304;
/** Of one server. */
const maxTools = 1_000;
const maxPages = 64;
/** Of what a command prints for people, in characters. */
const maxSaid = 1_000;
/** Of all that a server lists, in characters. */
const maxList = 2_000_000;

/**
 * The servers of a configuration, in the form that files of other tools have: `{ mcpServers: { NAME: { command, args,
 * env, cwd } | { url, headers, type } } }`, or what is in `mcpServers` alone.
 *
 * @throws AppError `invalid_request` with the path in the configuration
 */
export function createMcpServers(config: unknown, options: McpOptions): McpServers {
  const servers = new Map(
    readMcpConfig(config, options.environment).map((entry) => [
      entry.name,
      new McpServer(entry, options),
    ]),
  );
  const known = [...servers.keys()];
  const choose = (names: readonly string[] = known, owner?: string): McpServer[] => [
    ...new Set(names.map((name, at) => servers.get(name) ?? refuseServer(at, known, owner))),
  ];
  return {
    names: known,
    async update(names, owner) {
      const updates = choose(names, owner).map((server) => server.update());
      if (names === undefined) await Promise.allSettled(updates);
      else await Promise.all(updates);
    },
    operations: (names) => choose(names).flatMap((server) => server.operations),
    async close() {
      await Promise.all(choose().map((server) => server.close()));
    },
  };
}

/** Each tool is looked at by itself, so that one which is wrong takes no other with it. */
const ToolList = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
type ToolList = z.infer<typeof ToolList>;

class McpServer {
  readonly #entry: McpServerConfig;
  readonly #options: McpOptions;
  readonly #timers: Timers;
  readonly #timeout: number;
  readonly #closing = new AbortController();
  readonly #fetch: (at: McpAddress) => typeof fetch;
  #client: Client | undefined;
  /** By the names that the server gives them. */
  #known: ReadonlyMap<string, Operation> = new Map();
  #readAt = 0;
  #isStale = true;
  #updating: Promise<void> | undefined;
  /** The end of what it has printed for people. */
  #said = "";
  #failure: { error: AppError; at: number } | undefined;

  constructor(entry: McpServerConfig, options: McpOptions) {
    this.#entry = entry;
    this.#options = options;
    this.#timers = options.timers ?? createTimers();
    this.#timeout = options.timeout ?? callLimits.timeout;
    // The connections of one are for all.
    let fetcher: typeof fetch | undefined;
    this.#fetch = ({ url }) => (fetcher ??= options.openFetch([url.host]));
  }

  get operations(): Operation[] {
    return [...this.#known.values()];
  }

  /** One at a time, for all who wait. @throws AppError */
  update(): Promise<void> {
    const isFresh = this.#client !== undefined && !this.#isStale;
    if (isFresh && this.#timers.now() - this.#readAt < maxAge) return Promise.resolve();
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#updating?.catch(() => undefined);
    await this.#drop();
  }

  async #update(): Promise<void> {
    const before = this.#failure;
    if (before !== undefined && this.#timers.now() - before.at < pause) throw before.error;
    const signal = AbortSignal.any([AbortSignal.timeout(this.#timeout), this.#closing.signal]);
    try {
      this.#client ??= await untilAborted(this.#connect(signal), signal);
      // A change that is told while the list is read makes it stale again.
      this.#isStale = false;
      this.#known = await untilAborted(this.#list(this.#client, signal), signal);
      this.#readAt = this.#timers.now();
      this.#failure = undefined;
    } catch (thrown) {
      await this.#drop();
      const error = toError(this.#entry.name, signal.aborted ? signal.reason : thrown);
      this.#failure = { error, at: this.#timers.now() };
      const said = this.#said.trim() === "" ? "" : ` ${this.#said.trim()}`;
      this.#tell(error.messageIn("en") + said, error.messageIn("zh") + said);
      throw error;
    }
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close().catch(() => undefined);
  }

  /** What a server speaks is found out by trying: today's protocol, then the one of before. */
  async #connect(signal: AbortSignal): Promise<Client> {
    const { at } = this.#entry;
    const { version, followsChanges } = this.#options;
    const onChanged = (): void => {
      this.#isStale = true;
    };
    const { createClient, openHttp } = await import("./mcp-client.ts").catch((cause: unknown) => {
      const needs = { en: "MCP servers need", zh: "MCP 服务器需要" };
      throw missingPackage("@modelcontextprotocol/client", needs, cause);
    });
    let first: unknown;
    for (const mode of ["auto", "legacy"] as const) {
      const isSse = "url" in at && (mode === "legacy" || at.protocol === "sse");
      const transport =
        "url" in at
          ? openHttp(at, isSse && at.protocol !== "http", this.#fetch(at), maxMessage, this.#timers)
          : await this.#start(at);
      const stop = (): void => void transport.close().catch(() => undefined);
      signal.addEventListener("abort", stop, { once: true });
      try {
        const client = createClient({
          version,
          mode,
          // A command that ends at a question which it does not know is started once more, and not asked it.
          probeTime: "url" in at ? this.#timeout : probeTime,
          onChanged: followsChanges === false ? undefined : onChanged,
        });
        await client.connect(transport, { signal, timeout: this.#timeout });
        signal.throwIfAborted();
        const onclose = (): void => {
          if (this.#client === client) this.#client = undefined;
        };
        return Object.assign(client, { onclose });
      } catch (thrown) {
        stop();
        first ??= thrown;
        if (signal.aborted || findRefusal(thrown) !== undefined) break;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    }
    throw first;
  }

  #start(command: McpCommand): Promise<McpTransport> {
    const { openCommand } = this.#options;
    const { name } = this.#entry;
    if (openCommand === undefined)
      throw new AppError("internal", {
        en: `The MCP server ${name} is a command, and no process can be started here. Give it a url.`,
        zh: `MCP 服务器 ${name} 是一个命令，此环境无法启动进程。请为其设置 url。`,
      });
    this.#said = "";
    return openCommand(command, maxMessage, (text) => {
      this.#said = (this.#said + text).slice(-maxSaid);
    });
  }

  /** What it lists, by the names that it gives its tools itself; all that is too much is left out. */
  async #list(client: Client, signal: AbortSignal): Promise<Map<string, Operation>> {
    const { include, exclude } = this.#entry;
    const isKept = chooser(include, exclude);
    const known = new Map<string, Operation>();
    if (client.getServerCapabilities()?.tools === undefined) return known;
    let cursor: string | undefined;
    let [count, size] = [0, 0];
    for (let page = 0; page < maxPages; page++) {
      const params: { cursor?: string } = cursor === undefined ? {} : { cursor };
      const request = { method: "tools/list", params };
      const options = { signal, timeout: this.#timeout };
      const list: ToolList = await client.request(request, ToolList, options);
      for (const listed of list.tools) {
        size += JSON.stringify(listed).length;
        if (++count > maxTools || size > maxList) {
          this.#leaveOut(listed, "it and those behind it are too many", "它及其后的工具过多");
          return known;
        }
        try {
          const operation = await toOperation(listed, this.#entry, this.#call);
          if (known.has(operation.name)) this.#leaveOut(listed, "it is listed twice", "重复列出");
          else if (isKept(operation.name, operation)) known.set(operation.name, operation);
        } catch (thrown) {
          if (!(thrown instanceof AppError)) throw thrown;
          this.#leaveOut(listed, thrown.messageIn("en"), thrown.messageIn("zh"));
        }
      }
      cursor = list.nextCursor ?? undefined;
      if (cursor === undefined) break;
    }
    return known;
  }

  readonly #call: CallMcp = ({ name, version, inputSchema }, given, use) => {
    const { timeout, maxAnswer } = use.limits;
    /** What was never taken is sent once more; all else may have been done. */
    const send = async (signal: AbortSignal, isAgain: boolean): Promise<ToolOutcome> => {
      await untilAborted(this.update(), signal);
      const client = this.#client;
      if (this.#known.get(name)?.version !== version || client === undefined)
        return outcomeOf(
          409,
          "The server has changed this tool since it was described. Nothing was sent.",
        );
      try {
        // Of it the package reads which arguments are told in headers, too.
        const toolDefinition = { name, inputSchema } as Tool;
        const options = { signal, timeout, toolDefinition };
        return printResult(await client.callTool({ name, arguments: given }, options), maxAnswer);
      } catch (thrown) {
        // The server was started anew, and knows nothing of this connection.
        if (isAgain || statusIn(thrown) !== 404) throw thrown;
        if (this.#client === client) await this.#drop();
        return send(signal, true);
      }
    };
    return callInTime(use, "server", (signal) =>
      send(signal, false).catch((thrown: unknown) => {
        // What the server itself says is wrong has a number.
        if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "number")
          throw new Refused(statusOf(thrown.code), String(thrown).slice(0, 2_000));
        throw toError(this.#entry.name, thrown);
      }),
    );
  };

  #leaveOut(listed: unknown, en: string, zh: string): void {
    const name = trimmedText(fieldOf(listed, "name"));
    this.#tell(
      `The tool ${quoteName(name)} is left out: ${en}.`,
      `工具${quoteName(name, "zh")}被忽略：${zh}。`,
    );
  }

  #tell(en: string, zh: string): void {
    this.#options.onProblem?.(this.#entry.name, { en, zh });
  }
}

/** Of an answer of HTTP. */
function statusIn(thrown: unknown): unknown {
  return thrown instanceof Error ? Reflect.get(thrown, "status") : undefined;
}

/** Of our own, also where the package has wrapped it. */
function findRefusal(thrown: unknown): AppError | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return [thrown, cause].find((each) => each instanceof AppError);
}

function toError(name: string, thrown: unknown): AppError {
  const refusal = findRefusal(thrown);
  if (refusal !== undefined) return refusal;
  const status = statusIn(thrown);
  const why = typeof status === "number" ? `HTTP ${status}` : describeConnection(thrown);
  return new AppError(
    "upstream_unreachable",
    {
      en: `The MCP server ${name} cannot be used: ${why}.`,
      zh: `无法使用 MCP 服务器 ${name}：${why}。`,
    },
    { cause: thrown },
  );
}

// A tool as a server lists it, as an operation; and what comes of a call, as text.

const Text = z.string().max(100_000).nullish();
const McpTool = z.looseObject({
  name: z.string().min(1).max(1_000),
  title: Text,
  description: Text,
  inputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
});

/** Calls a tool, if it is still what it was when it was described. */
type CallMcp = (
  tool: { name: string; version: string; inputSchema: Fields },
  given: Fields,
  use: OperationUse,
) => Promise<ToolOutcome>;

/**
 * What a server says of a tool counts only where the operator trusts it.
 *
 * @throws AppError `invalid_request` with the path in what it lists
 */
async function toOperation(
  given: unknown,
  { name: host, isTrusted }: McpServerConfig,
  call: CallMcp,
): Promise<Operation> {
  const tool = parseAt(McpTool, given, "tool");
  const { name, title, description, inputSchema = {}, annotations } = tool;
  if (!isRecord(inputSchema)) return reject("tool.inputSchema", "must be an object", "应为对象");
  const document = new SpecDocument(inputSchema, "tool.inputSchema");
  const root = document.follow(document.root);
  const required = root.get("required");
  const fields = root.at("properties").fields;
  const { schema, keys, toOwn } = document.argumentsOf(
    fields.map(([own, field]) => ({
      own,
      other: "field",
      schema: field,
      description: "",
      isRequired: Array.isArray(required) && required.includes(own),
    })),
  );
  // What patterns mean is left to the server.
  const isClosed =
    root.get("additionalProperties") === false && root.get("patternProperties") === undefined;
  // What is listed comes by its key, which rules name: in another spelling it would go past them.
  const listed = new Set([...fields.map(([own]) => own), ...keys].map(foldName));
  const takesOther = (argument: string): boolean => !isClosed && !listed.has(foldName(argument));
  const isRead = isTrusted && fieldOf(annotations, "readOnlyHint") === true;
  const version = await hashText(JSON.stringify([name, title, description, inputSchema, isRead]));
  return {
    name,
    id: `${host} ${name}`,
    description: [description, title, name].find((text) => text?.trim()) ?? name,
    schema,
    takesOther,
    effect: isRead ? "read" : "write",
    host,
    method: "CALL",
    version,
    says: "body",
    run: (input, use) => {
      const others = Object.entries(input).filter(([argument]) => takesOther(argument));
      const sent = Object.fromEntries([...others, ...toOwn(input)]);
      return call({ name, version, inputSchema }, sent, use);
    },
  };
}

/** @param most bytes of text; the rest is left out */
function printResult(result: CallToolResult, most: number): ToolOutcome {
  const { structuredContent, isError } = result;
  const texts = result.content.map(printContent);
  // Most servers say it once more as text, for clients of before.
  const isSaid = texts.some((text) => isSame(text, structuredContent));
  if (structuredContent !== undefined && !isSaid) texts.push(JSON.stringify(structuredContent));
  const text = texts.join("\n");
  const bytes = new TextEncoder().encode(text.slice(0, most));
  const isCut = text.length > most || bytes.byteLength > most;
  const body = new TextDecoder().decode(bytes.subarray(0, most), { stream: isCut });
  return outcomeOf(isError === true ? 500 : 200, body, isCut ? { is_cut: true } : {});
}

type Content = CallToolResult["content"][number];

function printContent(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "resource": {
      const { resource } = content;
      const uri = cutName(resource.uri);
      return "text" in resource
        ? `[${uri}]\n${resource.text}`
        : printBytes(`${uri}, ${resource.mimeType ?? "binary data"}`, resource.blob);
    }
    case "resource_link":
      return `[${[content.uri, content.name, content.mimeType ?? ""].map(cutName).join(" ").trim()}]`;
    default:
      return printBytes(content.mimeType, content.data);
  }
}

function printBytes(what: string, base64: string): string {
  return `[${cutName(what)}, ${Math.floor((base64.length * 3) / 4)} bytes]`;
}

function isSame(text: string, value: unknown): boolean {
  if (!isRecord(value) || !text.trimStart().startsWith("{")) return false;
  return JSON.stringify(parseJson(text)) === JSON.stringify(value);
}
