import type { EventEmitter } from "node:events";
import type { App } from "./app.ts";
import type { CreateExchange } from "./base/wire/exchange.ts";
import { nodeExchanges } from "./base/wire/node-exchange.node.ts";
import { createNodeSockets } from "./base/wire/node-sockets.node.ts";
import { keyProtocol } from "./doors/http/sockets.ts";
import type { Config } from "./setup/config.ts";

// For apps that are put together by hand.
export {
  type CodeThreadsOptions,
  createCodeThreads,
} from "./setup/threads/create-code-threads.node.ts";
export {
  type DirectoryWorkspace,
  type DirectoryWorkspaceParts,
  createDirectoryWorkspace,
} from "./workspace/directory/directory-workspace.node.ts";
export { findRipgrep } from "./workspace/directory/search/ripgrep.node.ts";
export { createFolderSearch } from "./workspace/directory/search/search-folder.node.ts";
export { findStateFolder } from "./workspace/directory/journal/root-state.node.ts";
export { compilePattern } from "./workspace/search/compile-pattern.node.ts";
export { loadAgents } from "./setup/load-agents.node.ts";
export { createUndiciTransport } from "./model/chat/undici-transport.node.ts";
export { loadGrammars } from "./setup/load-grammars.node.ts";
export { loadKnowledge } from "./setup/knowledge/load-knowledge.node.ts";
export { loadPromptFiles, loadTestPage } from "./setup/load-prompt-files.node.ts";
export { type LoopWatch, type LoopWatchOptions, watchLoop } from "./setup/watch-loop.node.ts";
export type { Proxies } from "./base/wire/proxies.node.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start-server.node.ts";
export { nodeExchanges } from "./base/wire/node-exchange.node.ts";

/** The WebSockets of an app in a server of your own. */
export interface AppSockets {
  /** What `createApp` gets; for requests of @hono/node-server, and those that come without it. */
  createExchange: CreateExchange;
  /**
   * Opens the app's WebSockets on a server, and leaves those at other paths to whoever else listens for `upgrade`.
   *
   * @param prefix below which the app is mounted
   * @param paths the app's own
   */
  attach(
    server: EventEmitter,
    app: Pick<App, "fetch">,
    options?: { prefix?: string; paths?: readonly string[] },
  ): void;
  /** Cuts what is still open, and ends the pings. */
  close(): void;
}

/** Makes `/ws` and `/api/chat` work where an app is mounted in a server of your own; `startServer` needs none of it. */
export function createAppSockets(
  config: Pick<Config, "maxMessage" | "pingInterval" | "maxStall">,
): AppSockets {
  const sockets = createNodeSockets({ ...config, secretProtocol: keyProtocol });
  return {
    createExchange: nodeExchanges(sockets),
    attach: (server, app, { prefix = "", paths = ["/ws", "/api/chat"] } = {}) =>
      sockets.attach(server, app.fetch, (path) => paths.find((known) => prefix + known === path)),
    close: () => sockets.close(),
  };
}
