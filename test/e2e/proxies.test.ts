// Requests of ours where the network is reached through a proxy.
import { readFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { remoteEndpoint } from "../../src/cli/call/send-request.ts";
import { openSocket, parseSocketUrl } from "../../src/cli/ws/socket.ts";
import { captureLog } from "../helpers/e2e-log.ts";
import { type Proxy, startProxy } from "../helpers/e2e-proxy.ts";
import { ask, readAnswer, startRightseat } from "../helpers/e2e-server.ts";
import { listen } from "../helpers/e2e-upstream.ts";
import { answerOf } from "../helpers/upstream.ts";

const file = (name: string): string =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), "utf8");

interface Heard {
  port: number;
  readonly headers: Record<string, unknown>[];
}

/** Answers every request with a whole answer of a model. */
async function startModel(isSecure = false): Promise<Heard> {
  const headers: Record<string, unknown>[] = [];
  const answer: Parameters<typeof createServer>[1] = (incoming, outgoing) => {
    headers.push(incoming.headers);
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).end(answerOf("Hello."));
  };
  const server: Server = isSecure
    ? createSecureServer({ cert: file("cert"), key: file("key") }, answer)
    : createServer(answer);
  const url = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: Number(new URL(url).port), headers };
}

async function start(ports: Record<string, number> = {}): Promise<Proxy> {
  const proxy = await startProxy(ports);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

async function askThrough(settings: Record<string, string>) {
  const server = await startRightseat(settings);
  onTestFinished(() => server.close());
  return ask(server.url);
}

describe("a model", () => {
  test.each(["HTTP_PROXY", "http_proxy"])(
    "of http is asked by its whole address (%s)",
    async (name) => {
      const model = await startModel();
      const proxy = await start({ "model.example": model.port });
      const address = "http://model.example/v1";
      const { text } = await askThrough({ [name]: proxy.url, OPENAI_BASE_URL: address });
      expect(readAnswer(text).said).toBe("Hello.");
      expect(proxy.lines).toEqual([`POST ${address}/chat/completions`]);
      expect(model.headers[0]).toMatchObject({ host: "model.example" });
    },
  );

  test.each(["HTTPS_PROXY", "https_proxy"])(
    "of https is asked through a tunnel (%s)",
    async (name) => {
      const before = getCACertificates("default");
      setDefaultCACertificates([...before, file("cert")]);
      onTestFinished(() => setDefaultCACertificates(before));
      const model = await startModel(true);
      const proxy = await start();
      const address = `https://localhost:${model.port}/v1`;
      const { text } = await askThrough({
        [name]: proxy.url,
        NO_PROXY: "",
        OPENAI_BASE_URL: address,
      });
      expect(readAnswer(text).said).toBe("Hello.");
      expect(proxy.lines).toEqual([`CONNECT localhost:${model.port}`]);
    },
  );

  test.each<[string, Record<string, string>, boolean]>([
    ["of this machine", {}, false],
    ["of this machine, beside other exceptions", { NO_PROXY: "other.example" }, false],
    ["of this machine, where nothing is an exception", { NO_PROXY: "" }, true],
    ["where everything is an exception", { no_proxy: "*" }, false],
  ])("%s is reached as expected", async (_, settings, isThrough) => {
    const { port } = await startModel();
    const proxy = await start();
    const address = `http://127.0.0.1:${port}/v1`;
    const { text } = await askThrough({
      HTTP_PROXY: proxy.url,
      OPENAI_BASE_URL: address,
      ...settings,
    });
    expect(readAnswer(text).said).toBe("Hello.");
    expect(proxy.lines).toEqual(isThrough ? [`POST ${address}/chat/completions`] : []);
  });

  test("is not told the password of the proxy, and the proxy is", async () => {
    const model = await startModel();
    const proxy = await start({ "model.example": model.port });
    const withPassword = proxy.url.replace("//", "//ada:p%40ss@");
    await askThrough({ HTTP_PROXY: withPassword, OPENAI_BASE_URL: "http://model.example/v1" });
    expect(proxy.credentials).toEqual([`Basic ${btoa("ada:p@ss")}`]);
    expect(JSON.stringify(model.headers)).not.toMatch(/proxy-authorization/i);
  });

  test("behind a proxy that refuses is unreachable, and the log says why", async () => {
    const server = createServer();
    server.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const url = await listen(server);
    onTestFinished(() => void server.close());
    const log = await captureLog();
    const { status, text } = await askThrough({
      HTTPS_PROXY: url,
      RIGHTSEAT_RETRIES: "0",
      OPENAI_BASE_URL: "https://model.example/v1",
    });
    expect([status, text]).toEqual([502, expect.stringContaining('"upstream_unreachable"')]);
    expect(JSON.stringify(log)).toContain("the proxy refused (HTTP 403)");
  });
});

test("the key set that tokens are checked with is fetched through the proxy", async () => {
  const keys = createServer((_, outgoing) => void outgoing.end(JSON.stringify({ keys: [] })));
  const port = Number(new URL(await listen(keys)).port);
  onTestFinished(() => {
    keys.closeAllConnections();
    keys.close();
  });
  const proxy = await start({ "issuer.example": port });
  const server = await startRightseat({
    HTTP_PROXY: proxy.url,
    RIGHTSEAT_JWKS_URL: "http://issuer.example/jwks.json",
  });
  onTestFinished(() => server.close());
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = `${encode({ alg: "RS256", kid: "k" })}.${encode({ sub: "u" })}.c2ln`;
  const { status } = await ask(server.url, { headers: { authorization: `Bearer ${token}` } });
  expect(status).toBe(401);
  expect(proxy.lines).toEqual(["GET http://issuer.example/jwks.json"]);
});

test("a server that `ws` asks over TLS is asked through a tunnel", async () => {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, file("cert")]);
  onTestFinished(() => setDefaultCACertificates(before));
  const tls = (name: string): string =>
    fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
  const server = await startRightseat({
    RIGHTSEAT_TLS_CERT: tls("cert"),
    RIGHTSEAT_TLS_KEY: tls("key"),
  });
  onTestFinished(() => server.close());
  const proxy = await start();
  vi.stubEnv("HTTPS_PROXY", proxy.url);
  vi.stubEnv("https_proxy", undefined);
  vi.stubEnv("no_proxy", undefined);
  vi.stubEnv("NO_PROXY", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = new URL(server.url);
  const address = parseSocketUrl(`https://localhost:${port}`);
  const socket = await openSocket(address, {}, new AbortController().signal);
  if (socket instanceof Response) throw new Error(`It was refused with ${socket.status}.`);
  await socket.close();
  expect(proxy.lines).toEqual([`CONNECT localhost:${port}`]);
});

test("a server that `call` asks is asked through the proxy", async () => {
  const { port } = await startModel();
  const proxy = await start({ "seat.example": port });
  vi.stubEnv("HTTP_PROXY", proxy.url);
  vi.stubEnv("http_proxy", undefined);
  vi.stubEnv("no_proxy", undefined);
  vi.stubEnv("NO_PROXY", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const endpoint = remoteEndpoint("http://seat.example/", undefined);
  const request = { agent: "a", command: "explain", contextVariables: [] };
  const response = await endpoint.send(request, new AbortController().signal);
  expect(await response.text()).toContain("Hello.");
  expect(proxy.lines).toEqual(["POST http://seat.example/"]);
});
