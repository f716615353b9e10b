import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createNodeSockets } from "../../../src/base/wire/node-sockets.node.ts";

const options = {
  maxMessage: 1_000,
  pingInterval: 60_000,
  maxStall: 60_000,
  secretProtocol: "key.",
};
const head = "HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/** Sockets of a server, what they ask of the app, and what a client gets who writes a request. */
async function open(pathOf?: (path: string) => string | undefined) {
  const server: Server = createServer();
  const sockets = createNodeSockets(options);
  const asked: { request: Request; incoming: IncomingMessage }[] = [];
  const fetch = (request: Request, env: object): Response => {
    asked.push({ request, incoming: Reflect.get(env, "incoming") as IncomingMessage });
    return new Response("no", { status: 404 });
  };
  sockets.attach(server, fetch, pathOf);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    sockets.close();
    server.close();
  });
  const write = async (text: string): Promise<string> => {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.write(text);
    const parts = await client.setEncoding("latin1").toArray();
    return parts.join("");
  };
  return { asked, write, server };
}

test.each([
  ["/ws?api_key=SECRET", "/ws"],
  ["/ws?api_key=SECRET&a=1", "/ws?a=1"],
  ["/ws?api%5Fkey=SECRET", "/ws"],
  ["/ws?a=1?&api_key=SECRET", "/ws?a=1%3F"],
  ["/ws?api_key=SECRET&api_key=SECRET", "/ws"],
])("the key of %s goes into the header, and out of the address", async (target, url) => {
  const { asked, write } = await open();
  await write(`GET ${target} ${head}`);
  expect(asked[0]?.request.url).toBe(`http://localhost${url}`);
  expect(asked[0]?.incoming.url).toBe(url);
  expect(asked[0]?.incoming.headers["x-api-key"]).toBe("SECRET");
});

test.each(["/ws", "/ws?", "/ws?a=%zz&b", "/ws?key=api_key"])(
  "the address %s, which has none, stays as it is",
  async (target) => {
    const { asked, write } = await open();
    await write(`GET ${target} ${head}`);
    expect(asked[0]?.incoming.url).toBe(target);
    expect(asked[0]?.incoming.headers).not.toHaveProperty("x-api-key");
  },
);

const below = (path: string): string | undefined => (path === "/agent/ws" ? "/ws" : undefined);

test("the app sees its own path where it is mounted below another", async () => {
  const { asked, write } = await open(below);
  expect(await write(`GET /agent/ws?a=1 ${head}`)).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\nno$/s);
  expect(asked[0]?.request.url).toBe("http://localhost/ws?a=1");
});

test("upgrades that are somebody else's are left to whoever else listens, and refused where nobody does", async () => {
  const { asked, write, server } = await open(below);
  expect(await write(`GET /theirs ${head}`)).toMatch(/^HTTP\/1\.1 404 /);
  server.on("upgrade", (request, socket) => {
    if (request.url === "/theirs") socket.end("theirs");
  });
  expect(await write(`GET /theirs ${head}`)).toBe("theirs");
  expect(await write(`GET /agent/ws ${head}`)).toMatch(/^HTTP\/1\.1 404 /);
  expect(asked).toHaveLength(1);
});

test.each(["//[", "/ws HTTP/1.1\r\nHost: a b", "http://a:b/ws"])(
  "a head that makes no request is refused, and nothing is thrown: %s",
  async (target) => {
    const { write } = await open();
    expect(await write(`GET ${target} ${head}`)).toMatch(/^HTTP\/1\.1 400 /);
  },
);
