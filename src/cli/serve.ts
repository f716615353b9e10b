import { describeAuth, hasAuth, isLoopback, parseConfig } from "../setup/config.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { describeStore } from "../setup/create-store.node.ts";
import { type RunningServer, startServer } from "../start-server.node.ts";
import { failWith } from "./fail-with.ts";
import { leadProcesses, processRole, processWire } from "./processes.ts";
import type { Options } from "./options.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";

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
