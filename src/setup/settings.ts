// What an operator sets, and the limits that are the same for all.
import * as z from "zod";
import { Locale } from "../base/errors/locale.ts";
import { trimEndSigns } from "../base/text/trim.ts";
import { isForwardable } from "../run/auth/forward-headers.ts";
import { findKeyProblem } from "../run/auth/key-ring.ts";
import { parseStateKey, type StateKey } from "../turn/state/sealed-state.ts";
import { ModelSetting } from "./model-row.ts";

/** How a setting is read and explained. The table in docs/settings.md is printed from this. */
export interface Setting<Value> {
  /** Environment variables, the strongest first. */
  variables: readonly string[];
  schema: z.ZodType<Value>;
  about: string;
  /** Never printed. */
  secret?: boolean;
  /** The names of a row's fields, where the value is a table. */
  fields?: readonly string[];
}

/** Longest time in milliseconds; timers fire at once for a longer one. */
const maxTime = 2_147_483_647;

const define = <Value>(
  variables: string | readonly string[],
  schema: z.ZodType<Value>,
  about: string,
  secret = false,
): Setting<Value> => ({
  variables: typeof variables === "string" ? [variables] : variables,
  schema,
  about,
  secret,
});

/** A text of items between commas as a list; other values as they are. */
const listFromText = (value: unknown): unknown =>
  typeof value === "string" ? splitList(value) : value;
const numberFromText = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" ? Number(value) : value;

const milliseconds = (normal: number) =>
  z.preprocess(numberFromText, z.int().min(1).max(maxTime)).default(normal);
const count = (normal: number, least = 1) =>
  z.preprocess(numberFromText, z.int().min(least)).default(normal);
/** Yes or no; the environment has only texts for it. */
const flag = () =>
  z
    .preprocess(
      (value) => (typeof value === "boolean" ? String(value) : value),
      z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }),
    )
    .default(false);
const texts = () => z.preprocess(listFromText, z.array(z.string())).default([]);
const url = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((text) => trimEndSigns(text, "/"))
    .optional();
const oneText = () => z.string().min(1).optional();

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** A list that is meant to close the door must not leave it open by being empty. */
const keys = () =>
  z
    .preprocess(
      listFromText,
      z
        .array(z.string().min(1))
        .min(1, "holds no key. Write one, or leave the setting out to let everybody in."),
    )
    .optional()
    .transform((found) => found ?? []);
const pluginKeys = () =>
  z
    .preprocess(
      listFromText,
      z
        .array(
          z
            .string()
            .min(1)
            .superRefine((entry, context) => {
              const problem = findKeyProblem(entry);
              if (problem !== undefined) context.addIssue(problem);
            }),
        )
        .min(1, "holds no key. Write one, or leave the setting out."),
    )
    .optional()
    .transform((found) => found ?? []);
const stateKeys = () =>
  z
    .preprocess(
      listFromText,
      z.array(
        z.string().transform((text, context): StateKey => {
          const key = parseStateKey(text);
          if (key !== undefined) return key;
          context.addIssue(
            'is not id:base64 of 32 bytes, the id of letters, digits and _. Make one: echo "a:$(openssl rand -base64 32)"',
          );
          return z.NEVER;
        }),
      ),
    )
    .default([]);
const headerNames = () =>
  z
    .preprocess(
      listFromText,
      z.array(
        z
          .string()
          .transform((name) => name.toLowerCase())
          .refine(isForwardable, "is not the name of a header that may travel on"),
      ),
    )
    .default([
      "authorization",
      "x-api-key",
      "x-user-id",
      "x-conversation-*",
      "x-request-id",
      "x-ide-*",
      "x-product*",
      "traceparent",
      "accept-language",
    ]);

/** For a service of our name, Kubernetes sets RIGHTSEAT_PORT to `tcp://...`, which is no setting. */
const portFromText = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith("tcp://") ? undefined : numberFromText(value);

function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Every setting, by its name in rightseat.json, in the order of the docs. */
export const settings = {
  // What is served, and where.
  host: define(
    ["RIGHTSEAT_HOST", "HOST"],
    z.string().min(1).default("127.0.0.1"),
    "Address to listen on (Node)",
  ),
  port: define(
    ["RIGHTSEAT_PORT", "PORT"],
    z.preprocess(portFromText, z.int().min(0).max(65_535).default(18_080)),
    "Port to listen on; 0 takes a free one (Node)",
  ),
  tlsCert: define(
    "RIGHTSEAT_TLS_CERT",
    oneText(),
    "File of the certificate and its chain, in PEM: with `RIGHTSEAT_TLS_KEY` the server speaks https and wss itself (Node)",
  ),
  tlsKey: define("RIGHTSEAT_TLS_KEY", oneText(), "File of the certificate's key, in PEM (Node)"),
  agents: define(
    "RIGHTSEAT_AGENTS",
    z.string().min(1).optional(),
    "Folder of agent definitions, `*.json`; the shipped one where absent (Node)",
  ),
  knowledge: define(
    "RIGHTSEAT_KNOWLEDGE",
    oneText(),
    "Folder of documents and code for commands whose definition sets `recallByAgent`; each subfolder is a knowledge base of its name (Node)",
  ),
  locale: define(
    "RIGHTSEAT_LOCALE",
    Locale.default("en"),
    "Language where neither `language` nor Accept-Language says: `en` or `zh`",
  ),
  doneMarker: define(
    "RIGHTSEAT_DONE_MARKER",
    z.enum(["[DONE]", "[Done]"]).default("[DONE]"),
    "End marker of streams; `[Done]` for hosts that insist",
  ),
  logLevel: define(
    "RIGHTSEAT_LOG_LEVEL",
    z.enum(["debug", "info", "warning", "error"]).default("warning"),
    "Least level that is logged, as JSON lines on standard error; `info` prints one line a turn",
  ),

  // Where answers come from.
  platformEndpoint: define(
    ["RIGHTSEAT_PLATFORM_ENDPOINT", "COPILOT_SERVER_ENDPOINT"],
    url(),
    "Base URL of the platform's model API; `/chat/completions` is appended",
  ),
  openaiBaseUrl: define(
    ["RIGHTSEAT_OPENAI_BASE_URL", "OPENAI_BASE_URL"],
    url(),
    "Base URL of an OpenAI-compatible API; `https://api.openai.com/v1` where only a key is given",
  ),
  openaiApiKey: define(
    ["RIGHTSEAT_OPENAI_API_KEY", "OPENAI_API_KEY"],
    oneText(),
    "Key for that API",
    true,
  ),
  openaiModel: define(
    ["RIGHTSEAT_OPENAI_MODEL", "OPENAI_MODEL"],
    z.string().min(1).default("gpt-4.1-mini"),
    "Model id to ask that API for",
  ),
  models: {
    ...define(
      "RIGHTSEAT_MODELS",
      z.preprocess(parseJsonText, z.array(ModelSetting)).default([]),
      "Models table (JSON): see [Models](models.md)",
    ),
    fields: Object.keys(ModelSetting.shape),
  },
  modelOrder: define(
    "RIGHTSEAT_MODEL_ORDER",
    z
      .preprocess(listFromText, z.array(z.enum(["platform", "table", "offline"])).min(1))
      .default(["platform", "table", "offline"]),
    "Where the default model is looked for, in this order",
  ),
  contextWindow: define(
    "RIGHTSEAT_CONTEXT_WINDOW",
    count(128_000, 256),
    "Tokens of a model's window where its row does not say",
  ),
  answerReserve: define(
    "RIGHTSEAT_ANSWER_RESERVE",
    count(4_096),
    "Tokens of the window that are kept for the answer",
  ),

  // Who may call.
  apiKeys: define(
    "RIGHTSEAT_API_KEYS",
    keys(),
    "Keys that callers must show, separated by commas",
    true,
  ),
  pluginKeys: define(
    "RIGHTSEAT_PLUGIN_KEYS",
    pluginKeys(),
    "Keys that plugins must show at `/ws`, separated by commas; `RIGHTSEAT_API_KEYS` where absent: see [IDE plugins](wire-plugin.md)",
    true,
  ),
  testPage: define(
    "RIGHTSEAT_TEST_PAGE",
    flag(),
    "Whether `/simpletest2025` has a page on which the plugin protocol is tried by hand, `true` or `false`; needs keys unless the server listens on loopback: see [The test page](wire-plugin.md#the-test-page)",
  ),
  jwksUrl: define(
    "RIGHTSEAT_JWKS_URL",
    url(),
    "Key set that callers' tokens (JWT) are checked with",
  ),
  jwtIssuer: define("RIGHTSEAT_JWT_ISSUER", oneText(), "`iss` that tokens must have"),
  jwtAudience: define("RIGHTSEAT_JWT_AUDIENCE", oneText(), "`aud` that tokens must have"),
  stateKeys: define(
    "RIGHTSEAT_STATE_KEYS",
    stateKeys(),
    "Keys that seal the `state` of actions, `id:base64` of 32 bytes each, separated by commas: the first seals, all open; a random one where absent, so that states end with the process",
    true,
  ),
  corsOrigins: define(
    "RIGHTSEAT_CORS_ORIGINS",
    texts(),
    "Origins whose pages may call, separated by commas; `*` for all",
  ),
  forwardHeaders: define(
    "RIGHTSEAT_FORWARD_HEADERS",
    headerNames(),
    "Headers of a request that travel on to the platform, separated by commas; `x-ide-*` means all that begin so, `*` all: see [Models](models.md#what-is-sent-where)",
  ),
  hosts: define(
    "RIGHTSEAT_ALLOWED_HOSTS",
    texts(),
    "Names that the Host header may carry; on loopback without keys, only loopback names where absent",
  ),

  // What one request may cost, and all of them together.
  maxBody: define(
    "RIGHTSEAT_MAX_BODY_BYTES",
    count(10 * 1024 * 1024),
    "Largest request body in bytes, also unpacked",
  ),
  maxStreams: define("RIGHTSEAT_MAX_STREAMS", count(20_000), "Most answers at once"),
  maxStreamsPerCaller: define(
    "RIGHTSEAT_MAX_STREAMS_PER_CALLER",
    count(0, 0),
    "Most answers at once for one key or token; 0 for no such limit",
  ),
  maxTasks: define(
    "RIGHTSEAT_MAX_TASKS",
    count(100),
    "Most answers at once of doors that queue (plugins); others wait in one queue, first come, first served",
  ),
  maxQueue: define(
    "RIGHTSEAT_MAX_QUEUE",
    count(100, 0),
    "Most tasks that wait in that queue; one more is refused",
  ),
  maxConnectionsPerKey: define(
    "RIGHTSEAT_MAX_CONNECTIONS_PER_KEY",
    count(5),
    "Most WebSocket connections at once for one key or token",
  ),
  maxMessage: define(
    "RIGHTSEAT_MAX_MESSAGE_BYTES",
    count(1024 * 1024),
    "Largest WebSocket message in bytes",
  ),
  maxRounds: define(
    "RIGHTSEAT_MAX_ROUNDS",
    count(25),
    "Most answers of the model in one turn of the command `code`",
  ),
  maxTurnTokens: define(
    "RIGHTSEAT_MAX_TURN_TOKENS",
    count(1_000_000),
    "Most tokens of all prompts and answers of such a turn",
  ),
  maxFileTokens: define(
    "RIGHTSEAT_MAX_FILE_TOKENS",
    count(12_000, 0),
    "Most tokens of the editor's file in a built-in prompt, and never more than a third of the model's window; of a longer file the place in question is sent, with what belongs to it",
  ),

  parseThreads: define(
    "RIGHTSEAT_PARSE_THREADS",
    count(2),
    "Most threads that parse code, about 50 MB of memory each; they start when they are needed (Node)",
  ),

  // How long things may take, and what is tried again.
  heartbeat: define(
    "RIGHTSEAT_HEARTBEAT_MS",
    milliseconds(10_000),
    "Silence after which a comment is sent",
  ),
  firstTokenTimeout: define(
    "RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS",
    milliseconds(60_000),
    "Time until a model's first event",
  ),
  idleTimeout: define(
    "RIGHTSEAT_IDLE_TIMEOUT_MS",
    milliseconds(30_000),
    "Longest silence of a model between two events",
  ),
  answerTimeout: define(
    "RIGHTSEAT_ANSWER_TIMEOUT_MS",
    milliseconds(600_000),
    "Time for a model's whole answer",
  ),
  retries: define(
    "RIGHTSEAT_RETRIES",
    count(1, 0),
    "Further tries of a model call before the first byte",
  ),
  keepAliveTimeout: define(
    "RIGHTSEAT_KEEP_ALIVE_TIMEOUT_MS",
    milliseconds(65_000),
    "How long an idle connection stays open (Node)",
  ),
  drainTimeout: define(
    "RIGHTSEAT_DRAIN_TIMEOUT_MS",
    milliseconds(25_000),
    "Time that running answers get after SIGTERM (Node)",
  ),
};

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
  /** Most problems that a refusal lists. */
  maxProblems: ["RIGHTSEAT_MAX_PROBLEMS", 10],
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
  /** Longest code in characters that a grammar reads; 65,536 on Workers. */
  maxParse: ["RIGHTSEAT_MAX_PARSE_LENGTH", 1_000_000],
  /** How long the answer's head is held so that a failure can still be an HTTP status, in milliseconds. */
  firstByteHold: ["RIGHTSEAT_FIRST_BYTE_HOLD_MS", 1_000],
} satisfies Record<string, readonly [variable: string, value: number]>;

/** The constants, which a library user may set for a server of their own. */
export type Limits = { [Name in keyof typeof constants]: number };

export const limits = Object.fromEntries(
  Object.entries(constants).map(([name, [, value]]) => [name, value]),
  // Each name keeps its value.
) as Limits;
