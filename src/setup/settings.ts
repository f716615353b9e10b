// What an operator sets, and the limits that are the same for all.
import * as z from "zod";
import { Locale } from "../base/errors/locale.ts";
import { parseJson } from "../base/text/json.ts";
import { trimEndSigns } from "../base/text/lines.ts";
import { isHostEntry } from "../base/wire/address-guard.ts";
import { isForwardable } from "../run/auth/guards.ts";
import { findKeyProblem } from "../run/auth/api-keys.ts";
import { ToolPolicy } from "../tools/specs/policy.ts";
import { type StateKey, parseStateKey } from "../turn/state/sealed-state.ts";

/** How a setting is read and explained. The table in docs/settings.md is printed from this. */
export interface Setting<Value> {
  /** Environment variables, the strongest first. */
  variables: readonly string[];
  schema: z.ZodType<Value>;
  about: string;
  /** Never printed. */
  secret?: boolean;
  /** What to do about a variable that is there and empty; absent: it is as good as none. */
  whenEmpty?: string;
  /** The names of a row's fields, where the value is a table. */
  fields?: readonly string[];
}

interface More extends Omit<Setting<never>, "variables" | "schema" | "about"> {
  /** Behind RIGHTSEAT_, where it is not the name of the setting. */
  variable?: string;
  /** The end of the variable's name. */
  unit?: "_MS" | "_BYTES";
  /** Variables of others that count, too. */
  also?: string;
}

const set = <Value>(about: string, schema: z.ZodType<Value>, more: More = {}) => ({
  about,
  schema,
  ...more,
});

/** Longest time in milliseconds; timers fire at once for a longer one. */
const maxTime = 2_147_483_647;

const numberFromText = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value))
    ? Number(value)
    : value;
/** For a service of our name, Kubernetes sets RIGHTSEAT_PORT to `tcp://...`, which is no setting. */
const portFromText = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith("tcp://") ? undefined : numberFromText(value);

const count = (about: string, normal: number, least = 1, more?: More) =>
  set(about, z.preprocess(numberFromText, z.int().min(least)).default(normal), more);
const milliseconds = (about: string, normal: number) =>
  set(about, z.preprocess(numberFromText, z.int().min(1).max(maxTime)).default(normal), {
    unit: "_MS",
  });
const Address = z.url({
  protocol: /^https?$/,
  error: "must be an address that begins with http:// or https://",
});
const url = (about: string, more?: More) =>
  set(about, Address.transform((text) => trimEndSigns(text, "/")).optional(), more);
const text = (about: string, more?: More) => set(about, z.string().min(1).optional(), more);

/** A list; in the environment a text of items between commas. */
const list = <Item extends z.ZodType>(item: Item, ifNone?: string) =>
  z.preprocess(
    listFromText,
    z.array(item).refine(({ length }) => length > 0 || ifNone === undefined, ifNone),
  );

function listFromText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function parseJsonText(value: unknown): unknown {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  return parsed === undefined ? value : parsed;
}

const PluginKey = z
  .string()
  .min(1)
  .superRefine((entry, context) => {
    const problem = findKeyProblem(entry);
    if (problem !== undefined) context.addIssue(problem);
  });

const SealingKey = z.string().transform((entry, context): StateKey => {
  const key = parseStateKey(entry);
  if (key !== undefined) return key;
  context.addIssue(
    'is not id:base64 of 32 bytes, the id of letters, digits and _. Make one: echo "a:$(openssl rand -base64 32)"',
  );
  return z.NEVER;
});

const StoreSetting = z.string().refine((store) => {
  if (store.startsWith("redis")) return /^rediss?:\/\/./.test(store) && URL.canParse(store);
  return store === "memory" || /^sqlite:./.test(store);
}, "is not a store. Write memory, sqlite:PATH or redis://HOST:PORT.");

const ForwardedHeader = z
  .string()
  .transform((name) => name.toLowerCase())
  .refine(isForwardable, "is not the name of a header that may travel on");

const forwardedByDefault =
  "authorization x-api-key x-user-id x-conversation-* x-request-id x-ide-* x-product* traceparent accept-language";

/** `${NAME}` in the value of a header. */
const reference = /\$\{(\w+)\}/g;

/** What a value of a header may hold (RFC 9110, 5.5). */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(value);
}

const RowHeaders = z
  .record(
    z.string(),
    z.string().refine(isHeaderValue, "holds signs that no header may have, or nothing."),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const odd = names.find((name) => name.endsWith("*") || !isForwardable(name));
    if (odd !== undefined)
      context.addIssue(`${JSON.stringify(odd)} is not a header that a row may set.`);
    if (new Set(names).size < names.length) context.addIssue("has one header twice.");
  });

/** One row of the models table, as the settings give it. */
export const ModelSetting = z.strictObject({
  /** What definitions and requests call it; `*` passes any model name through. */
  name: z.string().min(1),
  baseUrl: Address,
  /** The name of the environment variable that holds the key; absent for servers without keys. */
  keyVariable: z.string().min(1).optional(),
  /** The model id that the server knows; the row's name where absent. */
  model: z.string().min(1).optional(),
  /** Headers of every request to the row; `${NAME}` in a value is that environment variable. */
  headers: RowHeaders.optional(),
  /** Models that are asked in its place where it fails before its first word, in this order. */
  fallback: z.array(z.string().min(1)).optional(),
  contextWindow: z.int().min(256).optional(),
  answerReserve: z.int().min(1).optional(),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  streamUsage: z.boolean().optional(),
  /** `text` for servers and models without tool calling: calls are then read out of the answer's text. */
  toolCalls: z.enum(["tools", "text"]).optional(),
});
export type ModelSetting = z.infer<typeof ModelSetting>;

/** A header's value with the variables that it names. @param find answers a variable's value */
export function fillReferences(value: string, find: (variable: string) => string): string {
  return value.replaceAll(reference, (_, variable: string) => find(variable)).trim();
}

/** The values of all variables that the rows name: keys, and what their headers refer to. */
export function listRowSecrets(
  models: readonly ModelSetting[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const variables = models.flatMap(({ keyVariable = "", headers = {} }) => [
    keyVariable,
    ...Object.values(headers).flatMap((value) =>
      [...value.matchAll(reference)].map(([, variable = ""]) => variable),
    ),
  ]);
  return variables.flatMap((variable) => environment[variable] || []);
}

/** Every setting, by its name in rightseat.json, in the order of the docs. */
const table = {
  // What is served, and where.
  host: set("Address to listen on (Node)", z.string().min(1).default("127.0.0.1"), {
    also: "HOST",
  }),
  port: set(
    "Port to listen on; 0 takes a free one (Node)",
    z.preprocess(portFromText, z.int().min(0).max(65_535).default(18_080)),
    { also: "PORT" },
  ),
  tlsCert: text(
    "File of the certificate and its chain, in PEM: with `RIGHTSEAT_TLS_KEY` the server speaks https and wss itself (Node)",
  ),
  tlsKey: text("File of the certificate's key, in PEM (Node)"),
  agents: text("Folder of agent definitions, `*.json`; the shipped one where absent (Node)"),
  knowledge: text(
    "Folder of documents and code for commands whose definition sets `recallByAgent`; each subfolder is a knowledge base of its name (Node)",
  ),
  locale: set(
    "Language where neither `language` nor Accept-Language says: `en` or `zh`",
    Locale.default("en"),
  ),
  doneMarker: set(
    "End marker of streams; `[Done]` for hosts that insist",
    z.enum(["[DONE]", "[Done]"]).default("[DONE]"),
  ),
  logLevel: set(
    "Least level that is logged, as JSON lines on standard error; `info` prints one line a turn",
    z.enum(["debug", "info", "warning", "error"]).default("warning"),
  ),
  store: set(
    "Where sessions are kept: `memory`, `sqlite:PATH` for one file, `redis://HOST:PORT` (`rediss://` for TLS) for several machines: see [Operating it](operate.md#what-is-kept) (Node)",
    StoreSetting.default("memory"),
    { secret: true },
  ),
  processes: count(
    "Processes of `rightseat serve` that share the port; with more than one, a store of SQLite or Redis is needed (Node)",
    1,
  ),

  // Where answers come from.
  platformEndpoint: url("Base URL of the platform's model API; `/chat/completions` is appended", {
    also: "COPILOT_SERVER_ENDPOINT",
  }),
  openaiBaseUrl: url(
    "Base URL of an OpenAI-compatible API; `https://api.openai.com/v1` where only a key is given",
    { also: "OPENAI_BASE_URL" },
  ),
  openaiApiKey: text("Key for that API", { also: "OPENAI_API_KEY", secret: true }),
  openaiModel: set("Model id to ask that API for", z.string().min(1).default("gpt-4.1-mini"), {
    also: "OPENAI_MODEL",
  }),
  models: set(
    "Models table (JSON): see [Models](models.md)",
    z.preprocess(parseJsonText, z.array(ModelSetting)).default([]),
    { fields: Object.keys(ModelSetting.shape) },
  ),
  modelOrder: set(
    "Where the default model is looked for, in this order",
    list(
      z.enum(["platform", "table", "offline"]),
      "must name at least one of: platform, table, offline",
    ).default(["platform", "table", "offline"]),
  ),
  contextWindow: count("Tokens of a model's window where its row does not say", 128_000, 256),
  answerReserve: count("Tokens of the window that are kept for the answer", 4_096),

  toolGrants: set(
    "What tools of sessions' descriptions may change, separated by commas, or as JSON with rules: a tool, a method or `*`, and the host: `createPet@api.example.com`, `POST@localhost:8080`, `WRITE@10.0.0.7:502`, `*@/dev/ttyUSB0`; all else only reads: see [Rights](sessions.md#rights)",
    z
      .preprocess(
        (value) => (/^\s*[{[]/.test(String(value)) ? parseJsonText(value) : listFromText(value)),
        ToolPolicy,
      )
      .default({}),
  ),
  mcpServers: set(
    "Servers of MCP that sessions and agents may name: a file that has `mcpServers` as other tools' files do, or that JSON itself: see [Sessions](sessions.md#tools-of-mcp-servers)",
    z
      .preprocess(
        parseJsonText,
        z.union([z.string().min(1), z.record(z.string(), z.unknown())]).optional(),
      )
      .optional(),
    { secret: true },
  ),
  openSpecList: set(
    "Descriptions of APIs that the coding agent of the terminal may call (JSON), as sessions list them: see [Tools of your own](terminal.md#tools-of-your-own)",
    z.preprocess(parseJsonText, z.array(z.record(z.string(), z.unknown())).max(100)).default([]),
    { secret: true },
  ),
  commandSandbox: set(
    "What commands run in that you allow the coding agent of the terminal: `bwrap` (bubblewrap, Linux) hides your home, gives no network, and lets them write only in the folder; with `off` they are programs of yours as any other",
    z.enum(["off", "bwrap"]).default("off"),
  ),
  sessionHosts: set(
    "Hosts that clients of sessions may name themselves, for a model of their own or the server of a tool, separated by commas: `api.openai.com`, `*.example.org`, `localhost:8080`; without a port 443 and 80 are meant",
    list(
      z
        .string()
        .refine(
          isHostEntry,
          "is not a host. Write api.openai.com, *.example.org or localhost:8080.",
        ),
    ).default([]),
  ),

  // Who may call.
  apiKeys: set(
    "Keys that callers must show, separated by commas",
    list(
      z.string().min(1),
      "holds no key. Write one, or leave the setting out to let everybody in.",
    ).default([]),
    { secret: true, whenEmpty: "Write a key, or unset it to let everybody in." },
  ),
  pluginKeys: set(
    "Keys that plugins must show at `/ws`, separated by commas; `RIGHTSEAT_API_KEYS` where absent: see [IDE plugins](wire-plugin.md)",
    list(PluginKey, "holds no key. Write one, or leave the setting out.").default([]),
    {
      secret: true,
      whenEmpty: "Write a key, or unset it to let in who may use the other doors.",
    },
  ),
  testPage: set(
    "Whether `/simpletest2025` has a page on which the plugin protocol is tried by hand, `true` or `false`; needs keys unless the server listens on loopback: see [The test page](wire-plugin.md#the-test-page)",
    z
      .preprocess(
        (value) => (typeof value === "boolean" ? String(value) : value),
        z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }),
      )
      .default(false),
  ),
  jwksUrl: url("Key set that callers' tokens (JWT) are checked with", {
    whenEmpty: "Write the address of a key set, or unset it to check no tokens.",
  }),
  jwtIssuer: text("`iss` that tokens must have"),
  jwtAudience: text("`aud` that tokens must have"),
  stateKeys: set(
    "Keys that seal the `state` of actions, `id:base64` of 32 bytes each, separated by commas: the first seals, all open; a random one where absent, so that states end with the process",
    list(SealingKey).default([]),
    { secret: true },
  ),
  corsOrigins: set(
    "Origins whose pages may call, separated by commas; `*` for all",
    list(z.string()).default([]),
  ),
  forwardHeaders: set(
    "Headers of a request that travel on to the platform, separated by commas; `x-ide-*` means all that begin so, `*` all: see [Models](models.md#what-is-sent-where)",
    list(ForwardedHeader).default(forwardedByDefault.split(" ")),
  ),
  hosts: set(
    "Names that the Host header may carry; on loopback without keys, only loopback names where absent",
    list(z.string()).default([]),
    { variable: "ALLOWED_HOSTS" },
  ),

  // What one request may cost, and all of them together.
  maxBody: count("Largest request body in bytes, also unpacked", 10 * 1024 * 1024, 1, {
    unit: "_BYTES",
  }),
  maxStreams: count("Most answers at once", 20_000),
  maxStreamsPerCaller: count(
    "Most answers at once for one key or token; 0 for no such limit",
    0,
    0,
  ),
  maxTasks: count(
    "Most answers at once of doors that queue (plugins); others wait in one queue, first come, first served",
    100,
  ),
  maxQueue: count("Most tasks that wait in that queue; one more is refused", 100, 0),
  maxConnectionsPerKey: count("Most WebSocket connections at once for one key or token", 5),
  maxMessage: count("Largest message or session body in bytes", 1024 * 1024, 1, { unit: "_BYTES" }),
  maxRounds: count("Most answers of the model in one turn of the command `code`", 25),
  maxTurnTokens: count("Most tokens of all prompts and answers of such a turn", 1_000_000),
  maxFileTokens: count(
    "Most tokens of the editor's file in a built-in prompt, and never more than a third of the model's window; of a longer file the place in question is sent, with what belongs to it",
    12_000,
    0,
  ),
  parseThreads: count(
    "Most threads that parse code, about 50 MB of memory each; they start when they are needed (Node)",
    2,
  ),

  // How long things may take, and what is tried again.
  heartbeat: milliseconds("Silence after which a comment is sent", 10_000),
  firstTokenTimeout: milliseconds("Time until a model's first event", 60_000),
  idleTimeout: milliseconds("Longest silence of a model between two events", 30_000),
  answerTimeout: milliseconds("Time for a model's whole answer", 600_000),
  retries: count("Further tries of a model call before the first byte", 1, 0),
  keepAliveTimeout: milliseconds("How long an idle connection stays open (Node)", 65_000),
  drainTimeout: milliseconds("Time that running answers get after SIGTERM (Node)", 25_000),
};

type Table = typeof table;
type Settings = { [Name in keyof Table]: Setting<z.output<Table[Name]["schema"]>> };

/** `maxBody` is RIGHTSEAT_MAX_BODY_BYTES. */
function listVariables(name: string, { variable, unit, also }: More): string[] {
  const own = variable ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return [`RIGHTSEAT_${own}${unit ?? ""}`, ...(also === undefined ? [] : [also])];
}

export const settings: Settings = Object.assign(
  {},
  ...Object.entries(table).map(([name, entry]: [string, More]) => ({
    [name]: { ...entry, variables: listVariables(name, entry) },
  })),
);

/** What no operator sets, with the variable that once set it. */
export const constants = {
  /** Deepest nesting of a request body. */
  maxDepth: ["RIGHTSEAT_MAX_JSON_DEPTH", 64],
  /** Most values and different field names of a request body. */
  maxValues: ["RIGHTSEAT_MAX_JSON_VALUES", 200_000],
  /** Most commands of an agent definition that a request brings. */
  maxCommands: ["RIGHTSEAT_MAX_COMMANDS", 200],
  /** Most context variables of a request, and of each command of its definition. */
  maxVariables: ["RIGHTSEAT_MAX_VARIABLES", 1_000],
  /** Largest event of a model's stream in bytes. */
  maxEvent: ["RIGHTSEAT_MAX_EVENT_BYTES", 1024 * 1024],
  /** Largest request head in bytes (Node). */
  maxHeaders: ["RIGHTSEAT_MAX_HEADER_BYTES", 16 * 1024],
  /** Most texts of code that wait for a thread (Node). */
  maxParseQueue: ["RIGHTSEAT_MAX_PARSE_QUEUE", 200],
  /** Longest wait for a thread; then the code is read plainly (Node), in milliseconds. */
  maxParseWait: ["RIGHTSEAT_MAX_PARSE_WAIT_MS", 2_000],
  /** Time to parse a text; then its thread is killed, and the code read plainly (Node), in milliseconds. */
  parseTimeout: ["RIGHTSEAT_PARSE_TIMEOUT_MS", 2_000],
  /** How often requests are looked at that outlast their time (Node), in milliseconds. */
  checkInterval: ["RIGHTSEAT_CHECK_INTERVAL_MS", 5_000],
  /** Time to receive a request's head (Node), in milliseconds. */
  headersTimeout: ["RIGHTSEAT_HEADERS_TIMEOUT_MS", 10_000],
  /** Time to receive a whole request (Node), in milliseconds. */
  requestTimeout: ["RIGHTSEAT_REQUEST_TIMEOUT_MS", 30_000],
  /** How often WebSocket clients are pinged; a client that misses two pings is disconnected (Node), in milliseconds. */
  pingInterval: ["RIGHTSEAT_PING_INTERVAL_MS", 30_000],
  /** How long a WebSocket client may read nothing while something waits for it; then it is disconnected (Node), in milliseconds. */
  maxStall: ["RIGHTSEAT_MAX_STALL_MS", 60_000],
  /** Longest Retry-After of a model that is waited out instead of being told to the client, in milliseconds. */
  maxRetryAfter: ["RIGHTSEAT_MAX_RETRY_AFTER_MS", 1_000],
  /** Pause before the first further try; doubled for each one after, in milliseconds. */
  retryBackoff: ["RIGHTSEAT_RETRY_BACKOFF_MS", 500],
  /** How long the `state` of an action can be used, in milliseconds. */
  stateLifetime: ["RIGHTSEAT_STATE_LIFETIME_MS", 600_000],
  /** Time to connect to a model (Node), in milliseconds. */
  connectTimeout: ["RIGHTSEAT_CONNECT_TIMEOUT_MS", 10_000],
  /** Longest answer of a model in characters. */
  maxAnswer: ["RIGHTSEAT_MAX_ANSWER_LENGTH", 8 * 1024 * 1024],
  /** Time for the check of `rightseat code`; then it is stopped, in milliseconds. */
  checkTimeout: ["RIGHTSEAT_CHECK_TIMEOUT_MS", 600_000],
  /** Time for a turn of the command `code`; what was changed by then stays, in milliseconds. */
  maxTurnTime: ["RIGHTSEAT_MAX_TURN_TIME_MS", 1_800_000],
  /** Time for a whole answer of the platform's model, in milliseconds. */
  platformTimeout: ["RIGHTSEAT_PLATFORM_TIMEOUT_MS", 180_000],
  /** How long a plugin's connection may go without a request, in milliseconds. */
  pluginIdleTimeout: ["RIGHTSEAT_PLUGIN_IDLE_TIMEOUT_MS", 3_600_000],
  /** Most sessions of one key or token, and of all callers that need none. */
  maxSessions: ["RIGHTSEAT_MAX_SESSIONS", 1_000],
  /** Most messages of a session; then it takes no task any more. */
  maxHistory: ["RIGHTSEAT_MAX_HISTORY", 10_000],
  /** Most tasks of sessions at once for one key or token. */
  maxSessionTasks: ["RIGHTSEAT_MAX_SESSION_TASKS", 100],
  /** How long a task may wait for a sub-agent, in milliseconds. */
  subAgentTimeout: ["RIGHTSEAT_SUB_AGENT_TIMEOUT_MS", 300_000],
  /** Longest code in characters that a grammar reads; 65,536 on Workers. */
  maxParse: ["RIGHTSEAT_MAX_PARSE_LENGTH", 1_000_000],
  /** How long the answer's head is held so that a failure can still be an HTTP status, in milliseconds. */
  firstByteHold: ["RIGHTSEAT_FIRST_BYTE_HOLD_MS", 1_000],
} satisfies Record<string, readonly [variable: string, value: number]>;

/** The constants, which a library user may set for a server of their own. */
export type Limits = { [Name in keyof typeof constants]: number };

export const limits: Limits = Object.assign(
  {},
  ...Object.entries(constants).map(([name, [, value]]) => ({ [name]: value })),
);
