import * as z from "zod";
import { describeIssue } from "../base/errors/describe-issue.ts";
import { isLoopback, hasAuth, parseConfig } from "../setup/config.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { BodyTooLarge, readStream } from "../base/wire/exchange.ts";
import { openServer } from "./call/send-request.ts";
import { startServer } from "../start-server.node.ts";
import { isRecord, parseJson } from "../base/text/json.ts";
import { FrameTooLarge } from "../base/wire/sse-frames.ts";
import { readFrames } from "./call/show/print-answer.ts";
import { createTerminal, say } from "./call/terminal.ts";
import { escapeControls, escapeLine } from "./call/show/escape-controls.ts";
import { CliError } from "./cli-error.ts";
import type { Options } from "./options.ts";
import { exitStopped, stopOnInterrupt } from "./fail-with.ts";
import { readPipedText } from "./read/read-text-file.ts";
import { readJsonFile, readSettingsFile } from "./read/read-settings-file.ts";
import { closeOnSignal } from "./serve.ts";

const actions = ["serve", "init", "chat", "history", "stop", "clear"];
const usualUrl = "http://127.0.0.1:9527";
const usualConfig = "config/config.json";

/** `rightseat session`: a client of the session door, and a server with nothing else in mind (session document). */
export async function runSession(
  action: string,
  [first, ...words]: readonly string[],
  options: Options,
): Promise<number> {
  if (!actions.includes(action))
    throw new CliError(`${escapeLine(action)} is not one of: ${actions.join(", ")}.`);
  if (action === "serve") return serve(options);
  if (first === undefined)
    throw new CliError(
      action === "init"
        ? "Name the file of the session's description: rightseat session init FILE."
        : `Name the session: rightseat session ${action} ID. Its id is what \`session init\` prints.`,
    );
  using interrupt = stopOnInterrupt();
  const talking = { ...options, signal: interrupt.signal };
  if (action === "chat") return await chat(first, words.join(" "), talking);
  if (action === "init") {
    const session = first === "-" ? parseJson((await readPipedText()) ?? "") : readJsonFile(first);
    if (session === undefined) throw new CliError("Standard input is not valid JSON.");
    process.stdout.write(`${String((await ask("init", {}, session, talking))["id"])}\n`);
    return 0;
  }
  const { task: taskId } = options;
  const query = { id: first, ...(taskId === undefined ? {} : { taskId }) };
  const answer = await ask(action, query, undefined, talking);
  process.stdout.write(`${escapeControls(JSON.stringify(answer, undefined, 2))}\n`);
  return 0;
}

interface Talking extends Options {
  signal: AbortSignal;
}

type Query = Readonly<Record<string, string>>;

async function ask(action: string, query: Query, body: unknown, options: Talking) {
  const response = await send(action, query, body, options, "application/json");
  const json = parseJson(await readText(response));
  if (typeof json !== "object" || json === null)
    throw new CliError("The server's answer is not a JSON object. Is --url a session server?");
  // Histories are lists, which are printed as they are.
  return json as Record<string, unknown>;
}

/** In bytes. */
const maxAnswer = 64 * 2 ** 20;

/** @throws CliError for an answer that is larger than allowed; its connection is closed then */
async function readText({ body }: Response): Promise<string> {
  const bytes = await readStream(body, maxAnswer).catch((cause: unknown) => {
    if (!(cause instanceof BodyTooLarge)) throw cause;
    throw new CliError("The server's answer is larger than allowed.", { cause });
  });
  return new TextDecoder().decode(bytes);
}

async function send(action: string, query: Query, body: unknown, options: Talking, accept: string) {
  const { url = usualUrl, key, signal } = options;
  const server = openServer(url, usualUrl);
  const { origin } = server.url;
  const target = new URL(`/api/${action}?${new URLSearchParams(query).toString()}`, origin);
  const headers = new Headers({ accept });
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const content = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await server.fetch(new Request(target, { ...content, headers, signal }));
  if (response.ok) return response;
  const text = await readText(response);
  const { error }: { error?: { message?: string } } = Object(parseJson(text));
  const said = parseJson(text) === undefined ? text.slice(0, 500) : (error?.message ?? "");
  throw new CliError(`${origin} answers ${response.status}. ${escapeControls(said)}`.trimEnd());
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
    for await (const { data } of readFrames(response.body)) {
      const said = parseJson(data);
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
    if (signal.aborted) return exitStopped;
    if (!(thrown instanceof FrameTooLarge)) throw thrown;
    throw new CliError("The server sent a message that is larger than allowed.");
  }
  throw new CliError("The answer broke off before its end. `session history` has what is there.");
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
  await configureLog(config, log).catch((thrown: unknown) => {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CliError(`The log ${log} cannot be written (${why}). Name another file with --log.`);
  });
  const server = await startServer({ environment, file });
  const at = new Date().toISOString().replace("T", " ").replace("Z", "");
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}`;
  process.stdout.write(
    `INFO: ${at}000: PID ${process.pid}: [HTTP] Start Server - ${address}:${new URL(server.url).port}/api\n`,
  );
  closeOnSignal(server);
  return 0;
}

const Level = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["debug", "info", "warn", "warning", "error"]));
const Config = z.looseObject({
  server: z
    .looseObject({ ip: z.string(), port: z.number(), apiPathPrefix: z.literal("/api") })
    .partial()
    .default({}),
  log: z.looseObject({ level: Level }).partial().default({}),
});

/** What `config/config.json` of the document's server says. @throws CliError where it says what cannot be done */
function readConfig(path: string | undefined) {
  const json = readJsonFile(path ?? usualConfig, path === undefined) ?? {};
  const { data, error } = Config.safeParse(json);
  const [issue] = error?.issues ?? [];
  if (data === undefined)
    throw new CliError(
      `${path ?? usualConfig}: ${issue?.path.join(".") || "it"} ${issue && describeIssue(issue, json)}.`,
    );
  const { ip = "127.0.0.1", port = 9527 } = data.server;
  const { level } = data.log;
  return { host: ip, port: String(port), logLevel: level === "warn" ? "warning" : level };
}
