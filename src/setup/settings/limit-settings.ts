import { count, define, milliseconds } from "./kinds.ts";

/** What one request may cost, and all of them together. */
export const limitSettings = {
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
  maxFileTokens: define(
    "RIGHTSEAT_MAX_FILE_TOKENS",
    count(12_000, 0),
    "Most tokens of the editor's file in a built-in prompt, and never more than a third of the model's window; of a longer file the place in question is sent, with what belongs to it",
  ),
  maxHeaders: define(
    "RIGHTSEAT_MAX_HEADER_BYTES",
    count(16 * 1024),
    "Largest request head in bytes (Node)",
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
};
