// The app in servers of other people: every door answers there, the WebSocket, too.
import { once } from "node:events";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, serve } from "@hono/node-server";
import { WebSocket, WebSocketServer } from "ws";
import { expect, onTestFinished, test } from "vitest";
import { createOwnServer } from "../../examples/own-server.ts";
import { createApp, createModels, parseConfig } from "../../src/index.ts";
import { createAppSockets, createUndiciTransport, loadPromptFiles } from "../../src/node.ts";
import { openSocket } from "../helpers/e2e-plugin.ts";
import { requests } from "../helpers/plugin-requests.ts";

async function listen(server: Server): Promise<string> {
  if (!server.listening) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function createParts(environment: Record<string, string> = {}) {
  const config = parseConfig(environment);
  const transport = createUndiciTransport(config.connectTimeout);
  const sockets = createAppSockets(config);
  onTestFinished(() => sockets.close());
  const app = createApp({
    config,
    agents: [],
    models: createModels(config, {}, transport),
    promptFiles: loadPromptFiles(),
    createExchange: sockets.createExchange,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: "1.0.0",
  });
  return { app, sockets };
}

const listed = [{ request_id: 123, models: ["offline"] }];

test("the example answers below its path, at the WebSocket as well, and keeps its own pages", async () => {
  const url = await listen(createOwnServer({}));
  expect(await (await fetch(`${url}/`)).text()).toBe("My own page.\n");
  expect(await (await fetch(`${url}/agent/healthz`)).json()).toEqual({ status: "ok" });
  const client = await openSocket(url, { path: "/agent/ws" });
  expect(await client.ask(requests.list_model)).toMatchObject(listed);
  client.socket.close(4001);
  expect(await client.closed).toMatchObject({ code: 4001 });
  await expect(openSocket(url, { path: "/ws" })).rejects.toThrow("refused with 404");
});

test("a server of @hono/node-server opens the WebSocket, and refuses it with a reason", async () => {
  const { app, sockets } = createParts({ RIGHTSEAT_PLUGIN_KEYS: "a-key-of-this-test" });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  sockets.attach(server, app);
  await once(server, "listening");
  const url = await listen(server);
  const headers = { "x-api-key": "a-key-of-this-test" };
  const client = await openSocket(url, { headers });
  expect(await client.ask(requests.list_model)).toMatchObject(listed);
  client.socket.terminate();
  await expect(openSocket(url)).rejects.toThrow("refused with 401");
  expect((await fetch(`${url}/ws`)).status).toBe(426);
});

test("a request that comes without a server is answered, too", async () => {
  const { app } = createParts();
  const response = await app.fetch(new Request("http://localhost/healthz"));
  expect(await response.json()).toEqual({ status: "ok" });
});

test("other people's WebSockets on the same server are left alone", async () => {
  const { app, sockets } = createParts();
  const server = createServer((...request) => void getRequestListener(app.fetch)(...request));
  const theirs = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (request.url === "/chat")
      theirs.handleUpgrade(request, socket, head, (it) => it.send("theirs"));
  });
  sockets.attach(server, app);
  const url = await listen(server);
  const chat = new WebSocket(`${url.replace("http", "ws")}/chat`);
  const [text] = (await once(chat, "message")) as [Buffer];
  expect(text.toString()).toBe("theirs");
  const client = await openSocket(url);
  expect(await client.ask(requests.list_model)).toMatchObject(listed);
  for (const socket of [chat, client.socket]) socket.terminate();
});
