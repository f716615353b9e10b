import { type ArgsDef, defineCommand } from "citty";
import { hasAuth, isLoopback } from "../config.ts";
import { configureLog } from "../configure-log.node.ts";
import { type RunningServer, startServer } from "../node.ts";
import { checkArguments } from "./check-arguments.ts";
import { failWith } from "./fail-with.ts";
import { readSettingsFile } from "./read-settings-file.ts";

const args = {
  port: {
    type: "string",
    description: "Port to listen on (stronger than the settings)",
    valueHint: "PORT",
  },
  host: { type: "string", description: "Address to listen on", valueHint: "HOST" },
} satisfies ArgsDef;

/** `rightseat serve`: starts the Node server and says what it is and how to try it. */
export const serve = defineCommand({
  meta: { name: "serve", description: "Serve the endpoint" },
  args,
  async run({ args: given }) {
    try {
      checkArguments(given, args, 0);
      const environment = {
        ...process.env,
        ...(given.port === undefined ? {} : { RIGHTSEAT_PORT: given.port }),
        ...(given.host === undefined ? {} : { RIGHTSEAT_HOST: given.host }),
      };
      const server = await startServer({ environment, file: readSettingsFile() });
      await configureLog(server.config);
      process.stdout.write(`${describe(server)}\n`);
      closeOnSignal(server);
    } catch (thrown) {
      failWith(thrown);
    }
  },
});

function describe({ url, config, models, agents }: RunningServer): string {
  const auth = config.jwksUrl
    ? `tokens of ${config.jwksUrl}`
    : config.apiKeys.length > 0
      ? `${config.apiKeys.length} keys`
      : "none";
  const body = JSON.stringify({
    command: "default",
    contextVariables: [{ name: "userInfo", value: { nickname: "Ada" } }],
  });
  const key = hasAuth(config) ? ` -H 'authorization: Bearer YOUR_KEY'` : "";
  const isExposed = !isLoopback(config.host) && !hasAuth(config);
  return [
    `Rightseat listens on ${url}`,
    "",
    `  curl -N ${url}/agents/${agents[0] ?? "NAME"} -H 'content-type: application/json'${key} -d '${body}'`,
    "",
    `  models   ${models.names.join(", ")} (the first is the default)`,
    `  agents   ${agents.join(", ") || "none of its own"}; others bring their definition`,
    `  doors    POST / and POST /agents/:agent, GET /healthz, GET /readyz`,
    `  auth     ${auth}`,
    `  limits   body ${config.maxBody} bytes, ${config.maxStreams} answers at once, first token ${config.firstTokenTimeout} ms, idle ${config.idleTimeout} ms, answer ${config.answerTimeout} ms`,
    ...(isExposed
      ? [
          "",
          `Warning: ${config.host} can be reached from other machines, and no key is asked for. Set RIGHTSEAT_API_KEYS or RIGHTSEAT_JWKS_URL.`,
        ]
      : []),
  ].join("\n");
}

function closeOnSignal(server: RunningServer): void {
  let isClosing = false;
  const close = (): void => {
    // A second signal ends the process at once.
    if (isClosing) process.exit(1);
    isClosing = true;
    void server.close().then(() => process.exit(0));
  };
  process.on("SIGTERM", close);
  process.on("SIGINT", close);
}
