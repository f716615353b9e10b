// The plugin's WebSocket on a real Node server.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { connect as connectSocket } from "node:net";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSocket } from "../helpers/e2e-plugin.ts";
import { type TestServer, startRightseat } from "../helpers/e2e-server.ts";
import { msgOf } from "../helpers/plugin-client.ts";
import { requests } from "../helpers/plugin-requests.ts";

const hash = createHash("sha256").update("hashed-key").digest("hex");
const settings = {
  RIGHTSEAT_PLUGIN_KEYS: `plain-key,sha256:${hash},simpletest2025_*`,
  RIGHTSEAT_CORS_ORIGINS: "https://page.example",
  RIGHTSEAT_MAX_MESSAGE_BYTES: "100000",
};
const key = { headers: { "X-Api-Key": "plain-key" } };
const { exec_explain: explain } = requests;
let server: TestServer;
beforeAll(async () => void (server = await startRightseat(settings)));
afterAll(() => server.close());

async function tryToOpen(options: object): Promise<string> {
  try {
    (await openSocket(server.url, options)).socket.close();
    return "in";
  } catch (thrown) {
    return String(thrown);
  }
}

describe("a plugin gets in", () => {
  test.each([
    ["with a key in the header", { headers: { "X-Api-Key": "simpletest2025_001" } }],
    ["with a key of which the server knows the hash", { headers: { "X-Api-Key": "hashed-key" } }],
    ["with a key in the query", { path: "/ws?api_key=plain-key&x=1" }],
  ])("%s, and is answered", async (_, options) => {
    const client = await openSocket(server.url, options);
    expect(msgOf(await client.ask({ ...explain, stream: true }))).toContain("total");
    client.socket.close();
  });

  test("with a key as a subprotocol, which is not sent back", async () => {
    const named = `rightseat.key.${Buffer.from("plain-key").toString("base64url")}`;
    const client = await openSocket(server.url, { protocols: [named, "rightseat"] });
    expect(client.socket.protocol).toBe("rightseat");
    client.socket.close();
  });
});

describe("the upgrade is refused", () => {
  test.each([
    ["without a key", 401, {}],
    ["with a wrong key", 401, { headers: { "X-Api-Key": "plain-keys" } }],
    ["with a key that no header can carry", 401, { path: "/ws?api_key=a%0Ab" }],
    ["with a key in other letters", 401, { path: "/ws?api_key=%E5%AF%86" }],
    ["from a foreign page", 403, { headers: { ...key.headers, Origin: "https://evil.example" } }],
    ["at another path", 404, { ...key, path: "/nowhere" }],
  ])("%s with %i", async (_, status, options) => {
    await expect(openSocket(server.url, options)).rejects.toThrow(`refused with ${status}`);
  });

  /** Asks for a socket as plain HTTP, and reads the answer. */
  async function refusalOf(headers: Record<string, string>, path = "/ws") {
    const asked = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const request = httpRequest(`${server.url}${path}`, { headers: { ...asked, ...headers } });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: await readText(response) };
  }

  test.each([
    ["without a key", 401, "unauthorized", {}],
    ["from a foreign page", 403, "origin_forbidden", { Origin: "https://evil.example" }],
  ])("%s with a body that says why", async (_, status, code, headers) => {
    const refusal = await refusalOf(headers);
    expect(refusal.status).toBe(status);
    expect(JSON.parse(refusal.body)).toMatchObject({
      error: { code, message: expect.any(String), request_id: expect.any(String) },
    });
  });

  test("where no address can be read of its head, and others go on", async () => {
    const refusal = await refusalOf({ ...key.headers, Host: "a b" });
    expect(refusal.status).toBe(400);
    expect(JSON.parse(refusal.body)).toMatchObject({ error: { code: "invalid_request" } });
    expect(await tryToOpen(key)).toBe("in");
  });

  // RFC 6455, section 4.1, and RFC 9110, section 7.8.
  test.each([
    ["HTTP/1.0", "GET", "1.0", 426],
    ["another method", "POST", "1.1", 405],
    ["HTTP/1.0 and another method", "POST", "1.0", 405],
  ])("for %s, with a body that says why", async (_, method, version, status) => {
    const { hostname, port } = new URL(server.url);
    const socket = connectSocket(Number(port), hostname);
    const head = [
      `${method} /ws HTTP/${version}`,
      `Host: ${hostname}:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      `X-Api-Key: ${key.headers["X-Api-Key"]}`,
      "Content-Length: 0",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const answer = (await socket.setEncoding("utf8").toArray()).join("");
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\n\r\n\{"error":\{.*\}\}\n$/s);
    if (status === 426) expect(answer).toContain("in HTTP/1.1");
  });

  test("at other addresses with their own answer", async () => {
    const refusal = await refusalOf(key.headers, "/healthz");
    expect(refusal).toEqual({ status: 200, body: '{"status":"ok"}' });
  });
});

describe("a connection is closed", () => {
  test.each([1000, 1001, 3000, 4999])("with %i, as its client asks", async (code) => {
    const client = await openSocket(server.url, key);
    client.socket.close(code);
    expect(await client.closed).toMatchObject({ code });
  });

  test.each<[string, number, (send: (data: string | Buffer) => void) => void]>([
    ["after a message that is too large", 1009, (send) => send("x".repeat(100_001))],
    ["after a binary message", 1003, (send) => send(Buffer.from("{}"))],
  ])("%s with %i", async (_, code, act) => {
    const client = await openSocket(server.url, key);
    act((data) => client.socket.send(data));
    expect(await client.closed).toMatchObject({ code });
  });

  test.each<[string, number, number[]]>([
    ["text that is no UTF-8", 1007, [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]],
    ["a frame without a mask", 1002, [0x81, 0x02, 0x7b, 0x7d]],
  ])("after %s with %i", async (_, code, bytes) => {
    const client = await openSocket(server.url, key);
    Reflect.get(client.socket, "_socket").write(Buffer.from(bytes));
    expect(await client.closed).toMatchObject({ code });
  });

  test("after thousands of fragments with 1008", async () => {
    const client = await openSocket(server.url, key);
    for (let nth = 0; nth < 2_000; nth += 1) client.socket.send("x", { fin: false });
    expect(await client.closed).toMatchObject({ code: 1008 });
  });
});

test("a client that offers HTTP/2 with a request is answered as every other", async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connectSocket(Number(port), hostname);
  socket.write(
    `GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
  );
  const head = await new Promise<string>((resolve) => {
    socket.once("data", (data) => resolve(data.toString()));
  });
  socket.destroy();
  expect(head).toMatch(/^HTTP\/1.1 200/);
});

test("a server that stops closes its plugins with 1012 and ends", async () => {
  const other = await startRightseat(settings);
  const client = await openSocket(other.url, key);
  await other.close();
  expect(await client.closed).toMatchObject({ code: 1012 });
});

test("a client that answers no ping is cut", async () => {
  const other = await startRightseat({ ...settings, pingInterval: 1_000 });
  const client = await openSocket(other.url, { ...key, autoPong: false });
  const healthy = await openSocket(other.url, key);
  expect(await client.closed).toMatchObject({ code: 1006 });
  expect(healthy.socket.readyState).toBe(healthy.socket.OPEN);
  await other.close();
});

describe("a server with a certificate", () => {
  const file = (name: string): string =>
    fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

  test("speaks wss and https", async () => {
    const tls = { RIGHTSEAT_TLS_CERT: file("cert"), RIGHTSEAT_TLS_KEY: file("key") };
    const secure = await startRightseat({ ...settings, ...tls });
    expect(secure.url).toMatch(/^https:/);
    const ca = readFileSync(file("cert"));
    const client = await openSocket(secure.url, { ...key, ca });
    expect(msgOf(await client.ask(explain))).toContain("total");
    await secure.close();
    expect(await client.closed).toMatchObject({ code: 1012 });
  });

  test.each([
    ["without its key", { RIGHTSEAT_TLS_CERT: file("cert") }, /set both/],
    [
      "that is not there",
      { RIGHTSEAT_TLS_CERT: "/nowhere.pem", RIGHTSEAT_TLS_KEY: file("key") },
      /RIGHTSEAT_TLS_CERT.*cannot be read/,
    ],
    [
      "that is none",
      { RIGHTSEAT_TLS_CERT: fileURLToPath(import.meta.url), RIGHTSEAT_TLS_KEY: file("key") },
      /not a PEM file/,
    ],
    [
      "in the place of its key",
      { RIGHTSEAT_TLS_CERT: file("key"), RIGHTSEAT_TLS_KEY: file("cert") },
      /not a certificate and its key/,
    ],
  ])("%s does not start", async (_, tls, problem) => {
    await expect(startRightseat(tls)).rejects.toThrow(problem);
  });
});
