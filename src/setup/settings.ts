import { trimEndSigns } from "../edit/trim-signs.ts";
import * as z from "zod";
import { Locale } from "../errors/locale.ts";
import { parseStateKey, type StateKey } from "../state/sealed-state.ts";

/** One row of the models table, as the settings give it. */
export const ModelSetting = z.strictObject({
  /** What definitions and requests call it; `*` passes any model name through. */
  name: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The name of the environment variable that holds the key; absent for servers without keys. */
  keyVariable: z.string().min(1).optional(),
  /** The model id that the server knows; the row's name where absent. */
  model: z.string().min(1).optional(),
  contextWindow: z.int().min(256).optional(),
  answerReserve: z.int().min(1).optional(),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  streamUsage: z.boolean().optional(),
});
export type ModelSetting = z.infer<typeof ModelSetting>;

/** How a setting is read and explained. The README's table is printed from this. */
interface Setting<Value> {
  /** Environment variables, the strongest first. */
  variables: readonly string[];
  schema: z.ZodType<Value>;
  about: string;
  /** Never printed. */
  secret?: boolean;
}

const longest = 2_147_483_647;
const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
const fromText = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" ? Number(value) : value;

/** For a service of our name, Kubernetes sets RIGHTSEAT_PORT to `tcp://...`, which is no setting. */
const portFromText = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith("tcp://") ? undefined : fromText(value);

const milliseconds = (normal: number) =>
  z.preprocess(fromText, z.int().min(1).max(longest)).default(normal);
const count = (normal: number, least = 1) =>
  z.preprocess(fromText, z.int().min(least)).default(normal);
const texts = () =>
  z
    .preprocess((value) => (typeof value === "string" ? list(value) : value), z.array(z.string()))
    .default([]);
/** A list that is meant to close the door must not leave it open by being empty. */
const keys = () =>
  z
    .preprocess(
      (value) => (typeof value === "string" ? list(value) : value),
      z
        .array(z.string().min(1))
        .min(1, "holds no key. Write one, or leave the setting out to let everybody in."),
    )
    .optional()
    .transform((found) => found ?? []);
const stateKeys = () =>
  z
    .preprocess(
      (value) => (typeof value === "string" ? list(value) : value),
      z.array(
        z.string().transform((text, context): StateKey => {
          const key = parseStateKey(text);
          if (key !== undefined) return key;
          context.addIssue(
            'is no id:base64 of 32 bytes, the id of letters, digits and _. Make one: echo "a:$(openssl rand -base64 32)"',
          );
          return z.NEVER;
        }),
      ),
    )
    .default([]);
const url = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((text) => trimEndSigns(text, "/"))
    .optional();
const text = () => z.string().min(1).optional();

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

/** Every setting, by its name in rightseat.json. */
export const settings = {
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
  agents: define(
    "RIGHTSEAT_AGENTS",
    z.string().min(1).optional(),
    "Folder of agent definitions, `*.json`; the shipped one where absent (Node)",
  ),
  knowledge: define(
    "RIGHTSEAT_KNOWLEDGE",
    text(),
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
    text(),
    "Key for that API",
    true,
  ),
  openaiModel: define(
    ["RIGHTSEAT_OPENAI_MODEL", "OPENAI_MODEL"],
    z.string().min(1).default("gpt-4.1-mini"),
    "Model id to ask that API for",
  ),
  models: define(
    "RIGHTSEAT_MODELS",
    z.preprocess(parseJsonText, z.array(ModelSetting)).default([]),
    "Models table (JSON): see [Models](#models)",
  ),
  modelOrder: define(
    "RIGHTSEAT_MODEL_ORDER",
    z
      .preprocess(
        (value) => (typeof value === "string" ? list(value) : value),
        z.array(z.enum(["platform", "table", "offline"])).min(1),
      )
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

  apiKeys: define(
    "RIGHTSEAT_API_KEYS",
    keys(),
    "Keys that callers must show, separated by commas",
    true,
  ),
  jwksUrl: define(
    "RIGHTSEAT_JWKS_URL",
    url(),
    "Key set that callers' tokens (JWT) are checked with",
  ),
  jwtIssuer: define("RIGHTSEAT_JWT_ISSUER", text(), "`iss` that tokens must have"),
  jwtAudience: define("RIGHTSEAT_JWT_AUDIENCE", text(), "`aud` that tokens must have"),
  stateKeys: define(
    "RIGHTSEAT_STATE_KEYS",
    stateKeys(),
    "Keys that seal the `state` of actions, `id:base64` of 32 bytes each, separated by commas: the first seals, all open; a random one where absent, so that states end with the process",
    true,
  ),
  stateLifetime: define(
    "RIGHTSEAT_STATE_LIFETIME_MS",
    milliseconds(600_000),
    "How long the `state` of an action can be used",
  ),
  corsOrigins: define(
    "RIGHTSEAT_CORS_ORIGINS",
    texts(),
    "Origins whose pages may call, separated by commas; `*` for all",
  ),
  hosts: define(
    "RIGHTSEAT_ALLOWED_HOSTS",
    texts(),
    "Names that the Host header may carry; on loopback without keys, only loopback names where absent",
  ),

  maxBody: define(
    "RIGHTSEAT_MAX_BODY_BYTES",
    count(10 * 1024 * 1024),
    "Largest request body in bytes, also unpacked",
  ),
  maxDepth: define("RIGHTSEAT_MAX_JSON_DEPTH", count(64), "Deepest nesting of a request body"),
  maxValues: define(
    "RIGHTSEAT_MAX_JSON_VALUES",
    count(200_000),
    "Most values and different field names of a request body",
  ),
  maxCommands: define(
    "RIGHTSEAT_MAX_COMMANDS",
    count(200),
    "Most commands of an agent definition that a request brings",
  ),
  maxVariables: define(
    "RIGHTSEAT_MAX_VARIABLES",
    count(1_000),
    "Most context variables of a request, and of each command of its definition",
  ),
  maxProblems: define("RIGHTSEAT_MAX_PROBLEMS", count(10), "Most problems that a refusal lists"),
  maxStreams: define("RIGHTSEAT_MAX_STREAMS", count(20_000), "Most answers at once"),
  maxStreamsPerCaller: define(
    "RIGHTSEAT_MAX_STREAMS_PER_CALLER",
    count(0, 0),
    "Most answers at once for one key or token; 0 for no such limit",
  ),
  maxEvent: define(
    "RIGHTSEAT_MAX_EVENT_BYTES",
    count(1024 * 1024),
    "Largest event of a model's stream in bytes",
  ),
  maxAnswer: define(
    "RIGHTSEAT_MAX_ANSWER_LENGTH",
    count(8 * 1024 * 1024),
    "Longest answer of a model in characters",
  ),
  maxHeaders: define(
    "RIGHTSEAT_MAX_HEADER_BYTES",
    count(16 * 1024),
    "Largest request head in bytes (Node)",
  ),
  templateLength: define(
    "RIGHTSEAT_MAX_TEMPLATE_LENGTH",
    count(200_000),
    "Longest message template in characters",
  ),
  maxTemplateFuel: define(
    "RIGHTSEAT_MAX_TEMPLATE_FUEL",
    count(10_000_000),
    "Most work of a prompt's templates, in units of about 10 ns: see [The template language](#the-template-language)",
  ),
  renderTime: define(
    "RIGHTSEAT_TEMPLATE_TIMEOUT_MS",
    milliseconds(500),
    "Longest that a prompt's templates may take together, if the work was counted too low",
  ),
  renderMemory: define(
    "RIGHTSEAT_MAX_TEMPLATE_MEMORY",
    count(20_000_000),
    "Most characters and items that a rendering may make",
  ),

  parseThreads: define(
    "RIGHTSEAT_PARSE_THREADS",
    count(2),
    "Most threads that parse code, about 50 MB of memory each; they start when they are needed (Node)",
  ),
  maxParse: define(
    "RIGHTSEAT_MAX_PARSE_LENGTH",
    count(1_000_000),
    "Longest code in characters that a grammar reads; 65,536 on Workers",
  ),
  maxParseQueue: define(
    "RIGHTSEAT_MAX_PARSE_QUEUE",
    count(200, 0),
    "Most texts of code that wait for a thread (Node)",
  ),
  maxParseWait: define(
    "RIGHTSEAT_MAX_PARSE_WAIT_MS",
    milliseconds(2_000),
    "Longest wait for a thread; then the code is read plainly (Node)",
  ),
  parseTimeout: define(
    "RIGHTSEAT_PARSE_TIMEOUT_MS",
    milliseconds(2_000),
    "Time to parse a text; then its thread is killed, and the code read plainly (Node)",
  ),

  firstByteHold: define(
    "RIGHTSEAT_FIRST_BYTE_HOLD_MS",
    milliseconds(1_000),
    "How long the answer's head is held so that a failure can still be an HTTP status",
  ),
  heartbeat: define(
    "RIGHTSEAT_HEARTBEAT_MS",
    milliseconds(10_000),
    "Silence after which a comment is sent",
  ),
  connectTimeout: define(
    "RIGHTSEAT_CONNECT_TIMEOUT_MS",
    milliseconds(10_000),
    "Time to connect to a model (Node)",
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
  platformTimeout: define(
    "RIGHTSEAT_PLATFORM_TIMEOUT_MS",
    milliseconds(180_000),
    "Time for a whole answer of the platform's model",
  ),
  retries: define(
    "RIGHTSEAT_RETRIES",
    count(1, 0),
    "Further tries of a model call before the first byte",
  ),
  retryBackoff: define(
    "RIGHTSEAT_RETRY_BACKOFF_MS",
    milliseconds(500),
    "Pause before the first further try; doubled for each one after",
  ),
  maxRetryAfter: define(
    "RIGHTSEAT_MAX_RETRY_AFTER_MS",
    milliseconds(1_000),
    "Longest Retry-After of a model that is waited out instead of being told to the client",
  ),
  headersTimeout: define(
    "RIGHTSEAT_HEADERS_TIMEOUT_MS",
    milliseconds(10_000),
    "Time to receive a request's head (Node)",
  ),
  requestTimeout: define(
    "RIGHTSEAT_REQUEST_TIMEOUT_MS",
    milliseconds(30_000),
    "Time to receive a whole request (Node)",
  ),
  checkInterval: define(
    "RIGHTSEAT_CHECK_INTERVAL_MS",
    milliseconds(5_000),
    "How often requests are looked at that outlast their time (Node)",
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

function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
