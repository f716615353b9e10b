// A server of your own with the agents below /agent, and their WebSocket at /agent/ws.
import { type Server, createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp, createModels, parseConfig } from "../src/index.ts";
import * as node from "../src/node.ts";

export function createOwnServer(environment: Record<string, string | undefined>): Server {
  const config = parseConfig(environment);
  const transport = node.createUndiciTransport(config.connectTimeout);
  const sockets = node.createAppSockets(config);
  const app = createApp({
    config,
    agents: node.loadAgents(config.agents),
    models: createModels(config, environment, transport),
    promptFiles: node.loadPromptFiles(),
    createExchange: sockets.createExchange,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: "1.0.0",
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    const { url = "" } = request;
    if (!url.startsWith("/agent/")) return void response.end("My own page.\n");
    // In Express: application.use("/agent", answer)
    request.url = url.slice("/agent".length);
    void answer(request, response);
  });
  sockets.attach(server, app, { prefix: "/agent" });
  // Call app.drain() before server.close(), so that running answers end.
  server.on("close", () => {
    sockets.close();
    void transport.close();
  });
  return server;
}
