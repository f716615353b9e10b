// Servers of the Model Context Protocol: what their tools can do, as operations under the one policy.
import type { Message } from "../../base/errors/app-error.ts";
import type { AnyTool } from "../tool.ts";
import type { Operation } from "./operation.ts";

/** What `openMcpServers` is given besides the configuration. */
export interface McpOptions {
  /** For `${NAME}` in the configuration. */
  environment: Readonly<Record<string, string | undefined>>;
  /** A fetch that may ask these hosts wherever they are, and no others. */
  openFetch(hosts: readonly string[]): typeof fetch;
  /** What each server is told of its client. */
  version: string;
  /** What may be changed: `TOOL@NAME`, `*@NAME`, see `guardTool`. */
  grants?: readonly string[];
  /** Names that other tools of the conversation have. */
  taken?: readonly string[];
  /** Connects to a server when it is first updated, and not at once. */
  isLazy?: boolean;
  /** Hears of servers that cannot be used, and of tools that are left out. */
  onProblem?(server: string, problem: Message): void;
}

/** Servers that are connected, or will be when they are needed. */
export interface McpServers {
  /** As sessions and grants name them. */
  readonly names: readonly string[];
  /**
   * Connects to those that are not connected, and reads the lists that have changed.
   *
   * @param names all where absent
   * @throws AppError `invalid_request` for a name that is not known, `upstream_unreachable` and the like
   */
  update(names?: readonly string[]): Promise<void>;
  /** What they can do by their last lists. */
  operations(names?: readonly string[]): readonly Operation[];
  /** The same as tools: named, guarded, and where there are very many found by a tool of their own. */
  tools(names?: readonly string[]): readonly AnyTool[];
  /** Ends the connections, and the processes of the servers. */
  close(): Promise<void>;
}

/**
 * Opens the servers of a configuration, in the form that files of other tools have: `{ mcpServers: { NAME: { command,
 * args, env, cwd } | { url, headers, type } } }`, or what is in `mcpServers` alone.
 *
 * @throws AppError `invalid_request` with the path in the configuration
 */
export type OpenMcpServers = (config: unknown, options: McpOptions) => Promise<McpServers>;
