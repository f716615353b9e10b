import { EventSourceParserStream } from "eventsource-parser/stream";
import { isLoopback, hasAuth, parseConfig } from "../setup/config.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { createProxyFetch } from "../base/wire/proxies.node.ts";
import { readProxies } from "../setup/read-proxies.node.ts";
import { startServer } from "../start-server.node.ts";
import { isRecord, parseJson } from "../base/text/json.ts";
import { createTerminal, say } from "./call/terminal.ts";
import { escapeControls, escapeLine } from "./call/show/escape-controls.ts";
import { CliError } from "./cli-error.ts";
import type { Options } from "./options.ts";
import { describeUnreachable, exitStopped, stopOnInterrupt } from "./fail-with.ts";
import { readPipedText } from "./read/read-text-file.ts";
import { readJsonFile, readSettingsFile } from "./read/read-settings-file.ts";
import { closeOnSignal } from "./serve.ts";

const actions = ["serve", "init", "chat", "history", "stop", "clear"] as const;
type Action = (typeof actions)[number];

const usualUrl = "http://127.0.0.1:9527";
const usualConfig = "config/config.json";

/** `rightseat session`: a client of the session door, and a server with nothing else in mind (session document). */
export async function runSession(
  written: string,
  [first, ...words]: readonly string[],
  options: Options,
): Promise<number> {
  const action = actions.find((each) => each === written);
  if (action === undefined)
    throw new CliError(`${escapeLine(written)} is not one of: ${actions.join(", ")}.`);
  if (action === "serve") return serve(options);
  if (first === undefined)
    throw new CliError(
      action === "init"
        ? "Name the file of the session's description: rightseat session init FILE."
        : `Name the session: rightseat session ${action} ID. Its id is what \`session init\` prints.`,
    );
  const { signal, release } = stopOnInterrupt();
  try {
    return await talk(action, first, words.join(" "), { ...options, signal });
  } finally {
    release();
  }
}

interface Talking extends Options {
  signal: AbortSignal;
}

async function talk(
  action: Exclude<Action, "serve">,
  first: string,
  text: string,
  options: Talking,
): Promise<number> {
  const { task } = options;
  const print = (body: string): void => void process.stdout.write(`${body}\n`);
  if (action === "init") {
    const session = first === "-" ? parseJson((await readPipedText()) ?? "") : readJsonFile(first);
    if (session === undefined) throw new CliError("Standard input is not valid JSON.");
    const { id } = await ask("init", {}, session, options);
    print(String(id));
    return 0;
  }
  if (action === "chat") return chat(first, text, options);
  const query = { id: first, ...(task === undefined ? {} : { taskId: task }) };
  print(escapeControls(JSON.stringify(await ask(action, query, undefined, options), undefined, 2)));
  return 0;
}

/** @returns the JSON of the answer. @throws CliError with what the server says */
async function ask(
  action: string,
  query: Readonly<Record<string, string>>,
  body: unknown,
  options: Talking,
): Promise<Record<string, unknown>> {
  const response = await send(action, query, body, options, "application/json");
  const json: unknown = await response.json();
  if (typeof json !== "object" || json === null)
    throw new CliError("The server's answer is not a JSON object. Is --url a session server?");
  return json as Record<string, unknown>;
}

async function send(
  action: string,
  query: Readonly<Record<string, string>>,
  body: unknown,
  { url = usualUrl, key, signal }: Talking,
  accept: string,
): Promise<Response> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new CliError(`--url ${url} is not an address. Write --url ${usualUrl}.`);
  const { origin } = new URL(url);
  const target = new URL(`/api/${action}?${new URLSearchParams(query).toString()}`, origin);
  const fetcher = createProxyFetch(readProxies(process.env), 10_000);
  const request = new Request(target, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  });
  const response = await fetcher(request).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new CliError(describeUnreachable(origin, cause), { cause });
  });
  if (response.ok) return response;
  const said = messageOf(await response.text());
  throw new CliError(`${origin} answers ${response.status}. ${escapeControls(said)}`.trimEnd());
}

function messageOf(text: string): string {
  try {
    const { error }: { error?: unknown } = JSON.parse(text);
    const { message }: { message?: unknown } = isRecord(error) ? error : {};
    return typeof message === "string" ? message : "";
  } catch {
    return text.slice(0, 500);
  }
}

/** Sends a task and prints the answer to standard output, and what the agent calls to standard error. */
async function chat(id: string, text: string, options: Talking): Promise<number> {
  const { task, signal } = options;
  const message = text === "" ? await readPipedText() : text;
  if (message === undefined) throw new CliError('Write what you ask: session chat ID "TEXT".');
  const body = {
    ...(task === undefined ? {} : { taskId: task }),
    contentList: [{ type: "text", message }],
  };
  const terminal = createTerminal(process.stdout, process.stderr);
  try {
    const response = await send("chat", { id }, body, options, "text/event-stream");
    if (response.body === null) throw new CliError("The server sent no answer.");
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) {
      const said: unknown = JSON.parse(data);
      if (!isRecord(said)) continue;
      const { from, to, type, message: content } = said;
      const line = typeof content === "string" ? content : JSON.stringify(content);
      if (to === "user") terminal.out(`${escapeControls(line)}\n`);
      else if (from === "agent" && to === "tool") say("dim", escapeLine(line), terminal);
      else if (to === "client" && type === "text" && line.startsWith("[TASK_STOP]")) {
        const why = line.slice("[TASK_STOP]".length);
        if (why === "") return signal.aborted ? exitStopped : 1;
        throw new CliError(`The task failed: ${escapeControls(why)}`);
      } else if (to === "client" && line === "[TASK_DONE]") return 0;
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return exitStopped;
  }
  throw new CliError("The answer broke off before its end. `session history` has what is there.");
}

/** What `config/config.json` of the document's server says, as far as it is used. */
interface SessionConfig {
  host: string;
  port: string;
  logLevel: string | undefined;
}

/** Serves as the document's server does: its port, its first line, its log file. */
async function serve({ config: path, log = "log/agent.log" }: Options): Promise<number> {
  const { host, port, logLevel } = readConfig(path);
  const environment = {
    RIGHTSEAT_HOST: host,
    RIGHTSEAT_PORT: port,
    ...(logLevel === undefined ? {} : { RIGHTSEAT_LOG_LEVEL: logLevel }),
    ...process.env,
  };
  const file = readSettingsFile();
  const config = parseConfig(environment, file);
  if (!isLoopback(config.host) && !hasAuth(config))
    throw new CliError(
      `${config.host} can be reached from other machines, and no key is asked for. Set RIGHTSEAT_API_KEYS, or listen on 127.0.0.1.`,
    );
  await configureLog(config, log);
  const server = await startServer({ environment, file });
  const at = new Date().toISOString().replace("T", " ").replace("Z", "");
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}`;
  process.stdout.write(
    `INFO: ${at}000: PID ${process.pid}: [HTTP] Start Server - ${address}:${new URL(server.url).port}/api\n`,
  );
  closeOnSignal(server);
  return 0;
}

/** @throws CliError where the file says what cannot be done */
function readConfig(path: string | undefined): SessionConfig {
  const json = readJsonFile(path ?? usualConfig, path === undefined) ?? {};
  const fail = (problem: string): never => {
    throw new CliError(`${path ?? usualConfig}: ${problem}`);
  };
  if (!isRecord(json)) return fail("must be a JSON object.");
  const server = isRecord(json["server"]) ? json["server"] : {};
  const log = isRecord(json["log"]) ? json["log"] : {};
  const { ip = "127.0.0.1", port = 9527, apiPathPrefix: prefix = "/api" } = server;
  if (typeof ip !== "string") return fail("server.ip must be a text.");
  if (typeof port !== "number") return fail("server.port must be a number.");
  if (prefix !== "/api") return fail("server.apiPathPrefix must be /api.");
  const level = typeof log["level"] === "string" ? log["level"].toUpperCase() : undefined;
  const names: Record<string, string> = {
    DEBUG: "debug",
    INFO: "info",
    WARN: "warning",
    WARNING: "warning",
    ERROR: "error",
  };
  if (level !== undefined && names[level] === undefined)
    return fail(`log.level must be one of: ${Object.keys(names).join(", ")}.`);
  return { host: ip, port: String(port), logLevel: names[level ?? ""] };
}
