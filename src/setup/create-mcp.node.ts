import { getLogger } from "@logtape/logtape";
import { type Message, toAppError } from "../base/errors/app-error.ts";
import type { Proxies } from "../base/wire/proxies.node.ts";
import type { McpOptions, McpServers } from "../tools/specs/mcp-servers.ts";
import { productVersion } from "./check-node.node.ts";
import { type Config, ConfigError } from "./config.ts";

/** The servers of MCP that the settings list; connects to none before one is needed. @throws ConfigError */
export async function createMcp(
  { mcpServers, connectTimeout }: Config,
  environment: McpOptions["environment"],
  proxies: Proxies | undefined,
): Promise<McpServers | undefined> {
  if (mcpServers === undefined) return undefined;
  const { readNodeMcp } = await import("../tools/specs/mcp-stdio.node.ts");
  const { createMcpServers } = await import("../tools/specs/mcp-servers.ts");
  const onProblem = (server: string, { en }: Message): void =>
    getLogger(["rightseat", "app"]).warn("{server}: {problem}", { server, problem: en });
  try {
    const [given, options] = readNodeMcp(mcpServers, environment, connectTimeout, proxies);
    return createMcpServers(given, { ...options, version: productVersion(), onProblem });
  } catch (thrown) {
    throw new ConfigError(`RIGHTSEAT_MCP_SERVERS: ${toAppError(thrown).message}`);
  }
}
