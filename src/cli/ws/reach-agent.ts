import type { CodeParser } from "../../code/code-analysis.ts";
import type { UpstreamFacts } from "../../base/errors/upstream-facts.ts";
import { createConfiguredThreads } from "../../setup/threads/create-code-threads.node.ts";
import type { Config } from "../../setup/config.ts";
import { loadAgents } from "../../setup/load-agents.node.ts";
import { createLocalApp } from "../create-local-app.ts";
import { openLocalSocket } from "./socket/local-socket.ts";
import type { PluginSocket } from "./socket/plugin-socket.ts";
import { openRemoteSocket, parseSocketUrl } from "./socket/remote-socket.ts";

/** Who is asked: a server, or the app in this process. */
export interface ReachedAgent {
  /** Reads the code of this project. */
  code: CodeParser;
  /** What is known of the last failure of a model, where the app runs in this process. */
  trouble(): UpstreamFacts | undefined;
  /** @returns the socket, or the response that refused it */
  open(signal: AbortSignal): Promise<PluginSocket | Response>;
  /** Lets go of what was opened for it; sockets are closed before. */
  close(): Promise<void>;
}

/**
 * Prepares to reach a server; nothing is sent yet.
 *
 * @param url without one, the agent runs in this process, with the settings of a server
 * @param key of that server, else the token for the platform's model
 * @throws CliError, ConfigError
 */
export async function reachAgent(
  config: Config,
  url: string | undefined,
  key: string | undefined,
): Promise<ReachedAgent> {
  if (url !== undefined) {
    const address = parseSocketUrl(url);
    const headers = key === undefined ? {} : { "x-api-key": key };
    const code = createConfiguredThreads({ ...config, parseThreads: 1 });
    return {
      code,
      trouble: () => undefined,
      open: (signal) => openRemoteSocket(address, headers, signal),
      close: async () => code.close(),
    };
  }
  const local = await createLocalApp(config, loadAgents(config.agents), process.env);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    code: local.code,
    trouble: () => local.trouble,
    open: () => openLocalSocket(local.app, headers),
    close: () => local.close(),
  };
}
