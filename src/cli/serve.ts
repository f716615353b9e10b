import { type Config, describeAuth, hasAuth, isLoopback, parseConfig } from "../setup/config.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { describeStore } from "../setup/create-store.node.ts";
import { type RunningServer, startServer } from "../start-server.node.ts";
import { failWith } from "./fail-with.ts";
import type { Options } from "./options.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";
import cluster, { type Worker } from "node:cluster";
import { getLogger } from "@logtape/logtape";
import type { TopicWire } from "../store/sqlite-store.node.ts";

/**
 * `rightseat serve`: starts the Node server and says what it is and how to try it.
 *
 * @returns 0 when it listens; it goes on until a signal comes. Where it cannot, the process ends with 1
 */
export async function runServe({ port, host }: Options): Promise<number> {
  const written = Object.entries({ port, host }).filter(([, value]) => value !== undefined);
  // They take the place of environment variables.
  const variableOf = (option: string): string => `RIGHTSEAT_${option.toUpperCase()}`;
  const given = written.map(([option, value]) => [variableOf(option), value]);
  const flags = written.map(([option, value]) => [variableOf(option), `--${option} ${value}`]);
  try {
    return await listen({ ...process.env, ...Object.fromEntries(given) });
  } catch (thrown) {
    return failWith(thrown, Object.fromEntries(flags));
  }
}

async function listen(environment: NodeJS.ProcessEnv): Promise<number> {
  const file = readSettingsFile();
  // Before it starts, since reading the knowledge has something to tell, too.
  const config = parseConfig(environment, file);
  await configureLog(config);
  const role = processRole();
  if (config.processes > 1 && role === undefined) return leadProcesses(config);
  const shared = role === undefined ? {} : { wire: processWire() };
  const server = await startServer({ environment, file, ...shared });
  if (role?.isFirst !== false) process.stdout.write(`${describe(server)}\n`);
  closeOnSignal(server);
  return 0;
}

function describe(server: RunningServer): string {
  const { url, config, models, agents, warnings } = server;
  const body = JSON.stringify({
    command: "default",
    contextVariables: [{ name: "userInfo", value: { nickname: "Ada" } }],
  });
  const key = hasAuth(config) ? ` -H 'authorization: Bearer YOUR_KEY'` : "";
  const isExposed = !isLoopback(config.host) && !hasAuth(config);
  return [
    `Rightseat listens on ${describeAddress(url, config.host)}`,
    "",
    `  curl -N ${url}/agents/${agents[0] ?? "NAME"} -H 'content-type: application/json'${key} -d '${body}'`,
    "",
    `  models    ${models.names.join(", ")} (the first is the default)`,
    `  agents    ${agents.join(", ") || "none of its own"}; others bring their definition`,
    ...describeKnowledge(server),
    `  doors     POST / and POST /agents/:agent; POST /v1/chat/completions and GET /v1/models; WS /ws; POST /mcp; POST /api/init and WS /api/chat; GET /healthz, GET /readyz`,
    ...(config.testPage ? [`  test page ${url}/simpletest2025`] : []),
    `  auth      ${describeAuth(config)}`,
    ...(config.stateKeys.length > 0
      ? []
      : ["  states    random key (warning: they end with this process; set RIGHTSEAT_STATE_KEYS)"]),
    `  store     ${describeStore(config)}`,
    `  limits    body ${config.maxBody} bytes, ${config.maxStreams} answers at once, first token ${config.firstTokenTimeout} ms, idle ${config.idleTimeout} ms, answer ${config.answerTimeout} ms`,
    ...(isExposed
      ? [
          "",
          `Warning: ${config.host} can be reached from other machines, and no key is asked for. Set RIGHTSEAT_API_KEYS or RIGHTSEAT_JWKS_URL.`,
        ]
      : []),
    ...(warnings.length === 0 ? [] : ["", ...warnings.map((warning) => `Warning: ${warning}`)]),
  ].join("\n");
}

function describeKnowledge({ config, knowledge }: RunningServer): string[] {
  if (knowledge === undefined) return [];
  const { retriever, knowledgeBaseIds, skipped } = knowledge;
  const { fileCount, passageCount } = retriever;
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  const bases = knowledgeBaseIds.length === 0 ? "" : ` (${knowledgeBaseIds.join(", ")})`;
  const parts = [
    `${counted(fileCount, "file")}${bases}`,
    counted(passageCount, "passage"),
    ...(left === 0 ? [] : [`${counted(left, "file")} left out: see the log`]),
  ];
  return [`  knowledge ${config.knowledge}: ${parts.join(", ")}`];
}

function counted(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}

function describeAddress(url: string, host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return url;
  const name = host.includes(":") ? `[${host}]` : host;
  return `${name}:${new URL(url).port || "80"} (all addresses), here ${url}`;
}

export function closeOnSignal(server: RunningServer): void {
  let isClosing = false;
  const close = (): void => {
    // A second signal ends the process at once.
    if (isClosing) process.exit(1);
    isClosing = true;
    void server.close().then(() => process.exit(0));
  };
  process.on("SIGTERM", close);
  // Of several processes the first one tells the others, whom the terminal tells, too.
  const isLed = processRole() !== undefined;
  process.on("SIGINT", isLed ? () => undefined : close);
  if (isLed) process.on("SIGHUP", () => undefined);
}

// Several processes that serve one port: the first one starts the others, passes on what they publish, and ends them.

interface Published {
  topic: string;
  message: string;
}

/** One that dies is started again after this, in milliseconds. */
const restartPause = 1_000;

/**
 * Starts the processes and stays with them: one that dies is started again, SIGTERM ends all in good order, SIGHUP
 * starts new ones, with the files as they are by then, before the old ones end.
 *
 * @returns the exit code, when all have ended
 */
function leadProcesses({ processes, stateKeys }: Config): Promise<number> {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  // What one seals another opens.
  const shared = stateKeys.length > 0 ? {} : { RIGHTSEAT_STATE_KEYS: `run:${key}` };
  const leaving = new Set<Worker>();
  let isClosing = false;
  let exitCode = 0;
  const start = (): Worker => cluster.fork(shared);
  const end = (worker: Worker): void => {
    leaving.add(worker);
    worker.process.kill("SIGTERM");
  };
  const current = (): Worker[] =>
    Object.values(cluster.workers ?? {}).filter(
      (worker): worker is Worker => worker !== undefined && !leaving.has(worker),
    );
  cluster.on("message", (from, published: Published) => {
    for (const worker of Object.values(cluster.workers ?? {}))
      if (worker !== undefined && worker !== from && worker.isConnected()) worker.send(published);
  });
  return new Promise((resolve) => {
    const listening = new Set<Worker>();
    cluster.on("listening", (worker) => void listening.add(worker));
    cluster.on("exit", (worker, code, signal) => {
      const isLast = Object.keys(cluster.workers ?? {}).length === 0;
      if (isClosing || leaving.delete(worker)) {
        if (isClosing && isLast) resolve(exitCode);
        return;
      }
      // It has said why, and the next one would end in the same way.
      if (!listening.has(worker)) {
        isClosing = true;
        exitCode = code || 1;
        for (const other of current()) end(other);
        if (isLast) resolve(exitCode);
        return;
      }
      getLogger(["rightseat", "app"]).warn("a process has ended ({why}); another one starts", {
        why: signal || code,
      });
      setTimeout(() => {
        if (!isClosing) start();
      }, restartPause);
    });
    const close = (): void => {
      // A second signal ends everything at once.
      if (isClosing) for (const worker of current()) worker.process.kill("SIGKILL");
      isClosing = true;
      for (const worker of current()) end(worker);
    };
    process.on("SIGTERM", close);
    process.on("SIGINT", close);
    process.on("SIGHUP", () => {
      const old = current();
      for (const worker of old)
        start().once("listening", () => {
          if (worker.isConnected()) end(worker);
        });
    });
    for (let nth = 0; nth < processes; nth += 1) start();
  });
}

/** Whether this process is one of several; `isFirst`: it says where they listen. */
function processRole(): { isFirst: boolean } | undefined {
  return cluster.worker === undefined ? undefined : { isFirst: cluster.worker.id === 1 };
}

/** What is published here goes to the other processes by way of the first one. */
function processWire(): TopicWire {
  return {
    send: (topic, message) => void process.send?.({ topic, message } satisfies Published),
    receive(take) {
      process.on("message", (published: Published) => {
        if (typeof published?.topic === "string") take(published.topic, published.message);
      });
    },
  };
}
