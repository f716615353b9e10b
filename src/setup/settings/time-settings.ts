import { count, define, milliseconds } from "./kinds.ts";

/** How long things may take, and what is tried again. */
export const timeSettings = {
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
  maxTurnTime: define(
    "RIGHTSEAT_MAX_TURN_TIME_MS",
    milliseconds(1_800_000),
    "Time for a turn of the command `code`; what was changed by then stays",
  ),
  checkTimeout: define(
    "RIGHTSEAT_CHECK_TIMEOUT_MS",
    milliseconds(600_000),
    "Time for the check of `rightseat code`; then it is stopped",
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
  pluginIdleTimeout: define(
    "RIGHTSEAT_PLUGIN_IDLE_TIMEOUT_MS",
    milliseconds(3_600_000),
    "How long a plugin's connection may go without a request",
  ),
  pingInterval: define(
    "RIGHTSEAT_PING_INTERVAL_MS",
    milliseconds(30_000),
    "How often WebSocket clients are pinged; a client that misses two pings is disconnected (Node)",
  ),
  maxStall: define(
    "RIGHTSEAT_MAX_STALL_MS",
    milliseconds(60_000),
    "How long a WebSocket client may read nothing while something waits for it; then it is disconnected (Node)",
  ),
  drainTimeout: define(
    "RIGHTSEAT_DRAIN_TIMEOUT_MS",
    milliseconds(25_000),
    "Time that running answers get after SIGTERM (Node)",
  ),
};
