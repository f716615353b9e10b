import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createNodeSockets } from "../../src/wire/node-sockets.node.ts";

/** The upgrade request as others get to see it. */
async function seenOf(target: string): Promise<IncomingMessage> {
  const server = createServer();
  const sockets = createNodeSockets({
    maxMessage: 1_000,
    pingInterval: 60_000,
    maxStall: 60_000,
    secretProtocol: "key.",
  });
  const seen = new Promise<IncomingMessage>((resolve) => server.on("upgrade", resolve));
  sockets.guard(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write(
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  try {
    return await seen;
  } finally {
    client.destroy();
    sockets.close();
    server.close();
  }
}

test.each([
  ["/ws?api_key=SECRET", "/ws"],
  ["/ws?api_key=SECRET&a=1", "/ws?a=1"],
  ["/ws?api%5Fkey=SECRET", "/ws"],
  ["/ws?a=1?&api_key=SECRET", "/ws?a=1%3F"],
  ["/ws?api_key=SECRET&api_key=SECRET", "/ws"],
])("the key of %s goes into the header, and out of the address", async (target, url) => {
  const seen = await seenOf(target);
  expect(seen.url).toBe(url);
  expect(seen.headers["x-api-key"]).toBe("SECRET");
});

test.each(["/ws", "/ws?", "/ws?a=%zz&b", "/ws?key=api_key"])(
  "the address %s, which has none, stays as it is",
  async (target) => {
    const seen = await seenOf(target);
    expect(seen.url).toBe(target);
    expect(seen.headers).not.toHaveProperty("x-api-key");
  },
);
