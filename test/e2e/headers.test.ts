// What stands around the body: heads, framing and limits of requests, credentials, what travels on.
import { type Server, createServer } from "node:http";
import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { copilotRequest } from "../helpers/copilot-request.ts";
import {
  type TestServer,
  ask,
  explain,
  openRaw,
  postBytes,
  readAnswer,
  startRightseat,
} from "../helpers/e2e-server.ts";
import { captureLog } from "../helpers/e2e-log.ts";
import { type Upstream, listen, response, startUpstream } from "../helpers/e2e-upstream.ts";
import { answerOf } from "../helpers/upstream.ts";
import type { TestSettings } from "../helpers/test-settings.ts";

const chatWith = (text: string): string =>
  JSON.stringify(
    copilotRequest("chat", { contextVariables: [{ name: "userInputPrompt", value: text }] }),
  );

async function start(
  settings: (url: string) => TestSettings,
): Promise<{ server: TestServer; upstream: Upstream }> {
  const upstream = await startUpstream(({ socket }) => {
    socket.end(response("200 OK", ["content-type: text/event-stream"], answerOf("Hello.")));
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  const server = await startRightseat(settings(upstream.url));
  onTestFinished(() => server.close());
  return { server, upstream };
}

const endOfChunks = Buffer.from("0\r\n\r\n");

const platform = (url: string): Record<string, string> => ({ RIGHTSEAT_PLATFORM_ENDPOINT: url });

describe("a request body", () => {
  const spoken = "汉字 😀 é\u2028 end";
  const body = Buffer.from(chatWith(spoken));

  test.each([
    {
      how: "in one chunk",
      frame: (pieces: readonly Buffer[]) => [toChunk(Buffer.concat(pieces)), endOfChunks],
    },
    {
      how: "in chunks of one byte",
      frame: (pieces: readonly Buffer[]) => [
        Buffer.concat([...pieces.map((piece) => toChunk(piece)), endOfChunks]),
      ],
    },
  ])("$how arrives whole", async ({ frame }) => {
    const { server, upstream } = await start(platform);
    const client = openRaw(server.url);
    const head = postBytes("", ["transfer-encoding: chunked", "connection: close"]);
    client.socket.write(Buffer.concat([head, ...frame(toBytes(body))]));
    expect(await client.ended).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(upstream.requests[0]?.body).toContain(JSON.stringify(spoken).slice(1, -1));
  });

  test.each(["content-length", "transfer-encoding"])(
    "with %s in many TCP segments, its characters split, arrives whole",
    async (framing) => {
      const { server, upstream } = await start(platform);
      const client = openRaw(server.url);
      client.socket.setNoDelay(true);
      const isChunked = framing === "transfer-encoding";
      const head = isChunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`;
      client.socket.write(postBytes("", [head, "connection: close"]));
      // Where the characters stand, each byte goes as a segment of its own.
      const from = body.indexOf("汉");
      const to = from + Buffer.byteLength(spoken);
      const pieces = [
        body.subarray(0, from),
        ...toBytes(body.subarray(from, to)),
        body.subarray(to),
      ];
      for (const piece of isChunked ? [...pieces.map(toChunk), endOfChunks] : pieces) {
        client.socket.write(piece);
        await pause(2);
      }
      expect(await client.ended).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(upstream.requests[0]?.body).toContain(JSON.stringify(spoken).slice(1, -1));
    },
  );

  const limit = 100_000;
  const limited = (url: string): Record<string, string> => ({
    ...platform(url),
    RIGHTSEAT_MAX_BODY_BYTES: String(limit),
  });

  test.each([
    { how: "a length over the limit", head: "content-length: 5000000", piece: "a" },
    {
      how: "chunks over the limit",
      head: "transfer-encoding: chunked",
      piece: toChunk(Buffer.alloc(16_384, 97)),
    },
  ])("with $how is a 413, and the connection is closed", async ({ head, piece }) => {
    const { server, upstream } = await start(limited);
    const client = openRaw(server.url);
    client.socket.write(postBytes("", [head]));
    // More than the limit, less than what was announced.
    for (let count = 0; count < 20 && !client.socket.destroyed; count++) {
      client.socket.write(piece);
      await pause(1);
    }
    await client.has("\r\n\r\n");
    expect(client.received).toMatch(/^HTTP\/1\.1 413 /);
    expect(client.received.toLowerCase()).toContain("connection: close");
    const received = await client.ended;
    expect(received).toContain('"code":"body_too_large"');
    // Nothing of the rest was taken for a second request.
    expect(received.match(/HTTP\/1\.1/g)?.length).toBe(1);
    expect(upstream.requests.length).toBe(0);
  });
});

describe("a request head", () => {
  test("with content-length and transfer-encoding is a 400, and the connection is closed", async () => {
    const { server, upstream } = await start(platform);
    const client = openRaw(server.url);
    const smuggled = `0\r\n\r\n${postBytes(explain).toString()}`;
    client.socket.write(
      postBytes(smuggled, [
        `content-length: ${Buffer.byteLength(smuggled)}`,
        "transfer-encoding: chunked",
      ]),
    );
    const received = await client.ended;
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.match(/HTTP\/1\.1/g)?.length).toBe(1);
    expect(upstream.requests.length).toBe(0);
  });

  test("of 20 kB is a 431", async () => {
    const { server } = await start(platform);
    const client = openRaw(server.url);
    client.socket.write(postBytes(explain, [`x-filler: ${"a".repeat(20_000)}`]));
    expect(await client.ended).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("that comes too slowly is cut off at the limit", async () => {
    const { server } = await start((url) => ({
      ...platform(url),
      headersTimeout: 600,
    }));
    const client = openRaw(server.url);
    client.socket.write("POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n");
    const timer = setInterval(() => client.socket.write("x-slow: 1\r\n"), 50);
    client.socket.once("close", () => clearInterval(timer));
    const received = await client.ended;
    expect(received === "" || received.startsWith("HTTP/1.1 408 ")).toBe(true);
  });
});

describe("a head that servers understand in several ways", () => {
  const post = (lines: readonly string[]): Buffer =>
    Buffer.from(
      `${[...lines, "content-type: application/json", `content-length: ${Buffer.byteLength(explain)}`, "connection: close"].join("\r\n")}\r\n\r\n${explain}`,
    );

  async function refuses(server: TestServer, bytes: Buffer): Promise<void> {
    const client = openRaw(server.url);
    client.socket.write(bytes);
    const received = await client.ended;
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('"code":"invalid_request"');
    expect(received.match(/HTTP\/1\.1/g)?.length).toBe(1);
  }

  test.each([
    ["Host: 127.0.0.1", "Host: 127.0.0.1"],
    ["Host: 127.0.0.1", "hOST: evil.example"],
    ["Host: evil.example", "Host: 127.0.0.1"],
  ])("two Host headers, %s and %s, are a 400", async (first, second) => {
    const { server, upstream } = await start(platform);
    await refuses(server, post(["POST / HTTP/1.1", first, "x-between: 1", second]));
    expect(upstream.connections).toBe(0);
  });

  test.each([
    "Host: user@127.0.0.1",
    "Host: user:word@127.0.0.1",
    "Host: 127.0.0.1, evil.example",
    "Host: 127.0.0.1/path",
    "Host: 127.0.0.1#x",
    "Host: 127.0.0.1?x",
    "Host: 127.0.0.1:80:80",
    "Host: 127.0.0.1:x",
    "Host: 127.0.0.1\\evil.example",
    "Host: local host",
    "Host: 127.0.0..1",
    "Host:",
    `Host: ${"a".repeat(400)}`,
  ])("%.40s is a 400, also where every host is served", async (host) => {
    const { server, upstream } = await start((url) => ({
      ...platform(url),
      RIGHTSEAT_ALLOWED_HOSTS: "*",
    }));
    await refuses(server, post(["POST / HTTP/1.1", host]));
    expect(upstream.connections).toBe(0);
  });

  test.each(["localhost", "LOCALHOST.", "localhost.:80", "127.0.0.1:1", "[::1]:99"])(
    "Host %s is one of ours",
    async (host) => {
      const { server } = await start(platform);
      const client = openRaw(server.url);
      client.socket.write(post(["POST / HTTP/1.1", `Host: ${host}`]));
      expect(await client.ended).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  test.each([
    "http://evil.example/",
    "http://127.0.0.1:1/",
    "http://user@127.0.0.1/",
    "https://evil.example/agents/rightseat",
    "http://127.0.0.1.evil.example/",
  ])("the target %s is a 400 beside Host 127.0.0.1", async (target) => {
    const { server, upstream } = await start(platform);
    await refuses(server, post([`POST ${target} HTTP/1.1`, "Host: 127.0.0.1"]));
    expect(upstream.connections).toBe(0);
  });

  test("the whole address as target is answered where it names the same host", async () => {
    const { server } = await start(platform);
    const client = openRaw(server.url);
    client.socket.write(
      post(["POST http://127.0.0.1:99/agents/rightseat HTTP/1.1", "Host: 127.0.0.1:99"]),
    );
    expect(await client.ended).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("a target that is no address is a 400 in the form of our errors", async () => {
    const { server } = await start(platform);
    await refuses(server, post(["POST ftp://127.0.0.1/ HTTP/1.1", "Host: 127.0.0.1"]));
  });

  test.each([
    "content-type: text/plain",
    "content-encoding: gzip",
    "authorization: Bearer other",
    "x-api-key: other",
    "origin: http://127.0.0.1",
    "x-request-id: other",
    "traceparent: other",
  ])("%s beside another one is a 400", async (second) => {
    const { server, upstream } = await start(platform);
    const [name = ""] = second.split(":");
    const first = name === "content-type" ? [] : [`${name}: http://127.0.0.1`];
    await refuses(server, post(["POST / HTTP/1.1", "Host: 127.0.0.1", ...first, second]));
    expect(upstream.connections).toBe(0);
  });

  test("two lengths are a 400", async () => {
    const { server, upstream } = await start(platform);
    const client = openRaw(server.url);
    client.socket.write(post(["POST / HTTP/1.1", "Host: 127.0.0.1", "content-length: 3"]));
    const received = await client.ended;
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.match(/HTTP\/1\.1/g)?.length).toBe(1);
    expect(upstream.connections).toBe(0);
  });

  test("headers that are lists may come in several lines", async () => {
    const { server, upstream } = await start(platform);
    const client = openRaw(server.url);
    const lines = ["accept-language: de", "accept-language: zh-CN", "accept: a/b", "accept: c/d"];
    client.socket.write(post(["POST / HTTP/1.1", "Host: 127.0.0.1", ...lines]));
    expect(await client.ended).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.requests[0]?.headers["accept-language"]).toBe("de, zh-CN");
  });
});

describe("headers of the client", () => {
  const forwarded = {
    authorization: "Bearer person-token",
    "x-request-id": "req-1",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "accept-language": "zh-CN",
    "x-api-key": "key-of-the-platform",
    "x-user-id": "u-17",
    "x-conversation-id": "c-1",
    "x-ide-version": "1.2",
    "x-product": "studio",
  };
  const kept = {
    cookie: "session=secret-value",
    te: "trailers",
    "proxy-authorization": "Basic secret-value",
    forwarded: "for=secret-value",
    "x-forwarded-for": "10.1.2.3",
    "x-real-ip": "10.1.2.3",
    referer: "http://127.0.0.1/secret-value",
    "user-agent": "client-of-the-test",
    "x-github-token": "secret-value",
  };

  /** What our own request brings by itself. */
  const own = new Set(
    "host connection content-type content-length accept accept-encoding".split(" "),
  );

  async function askWithAll(
    server: TestServer,
    more: Record<string, string> = {},
  ): Promise<string> {
    const headers = Object.entries({ ...forwarded, ...kept, ...more });
    const client = openRaw(server.url);
    client.socket.write(
      postBytes(explain, [
        ...headers.map(([name, value]) => `${name}: ${value}`),
        "connection: close",
      ]),
    );
    return client.ended;
  }

  test("reach the platform's model only where they are listed", async () => {
    const { server, upstream } = await start(platform);
    expect(await askWithAll(server)).toMatch(/^HTTP\/1\.1 200 /);
    const [request] = upstream.requests;
    expect(request?.headers).toMatchObject({ ...forwarded, "accept-encoding": "identity" });
    const strange = Object.keys(request?.headers ?? {}).filter(
      (name) => !own.has(name) && !Object.hasOwn(forwarded, name),
    );
    expect(strange).toEqual([]);
    expect(JSON.stringify(request)).not.toContain("secret-value");
  });

  test("never reach an OpenAI-compatible model", async () => {
    const { server, upstream } = await start((url) => ({
      RIGHTSEAT_OPENAI_BASE_URL: `${url}/v1`,
      RIGHTSEAT_OPENAI_API_KEY: "sk-ours",
    }));
    expect(await askWithAll(server)).toMatch(/^HTTP\/1\.1 200 /);
    const [request] = upstream.requests;
    expect(request?.line).toBe("POST /v1/chat/completions HTTP/1.1");
    expect(request?.headers["authorization"]).toBe("Bearer sk-ours");
    const strange = Object.keys(request?.headers ?? {}).filter((name) => !own.has(name));
    expect(strange).toEqual(["authorization"]);
    expect(JSON.stringify(request)).not.toMatch(/person-token|key-of-the-platform|secret-value/);
  });

  describe("with keys of our own", () => {
    const ourKey = "caller-key-90cc12";
    const withKeys = (url: string): Record<string, string> => ({
      ...platform(url),
      RIGHTSEAT_API_KEYS: `other-key,${ourKey}`,
    });

    test.each([
      { how: "without a key", headers: {} },
      { how: "with a wrong key", headers: { "x-api-key": "wrong" } },
      { how: "with a part of a key", headers: { "x-api-key": ourKey.slice(0, -1) } },
      { how: "with the whole list", headers: { "x-api-key": `other-key,${ourKey}` } },
      { how: "with a key in another scheme", headers: { authorization: `Basic ${ourKey}` } },
    ])("a request $how is a 401, and no model is asked", async ({ headers }) => {
      const { server, upstream } = await start(withKeys);
      const { status, text } = await ask(server.url, { headers });
      expect(status).toBe(401);
      expect(JSON.parse(text)).toMatchObject({ error: { code: "unauthorized" } });
      expect(upstream.connections).toBe(0);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    });
  });
});

describe("tokens of an issuer", () => {
  /** What the log says of the tokens of a kind. */
  const reasons: Record<string, RegExp> = {
    expired: /the token has expired/,
    "not valid yet": /the token is not valid yet/,
    "signed by another key": /the signature is not of that key/,
    "of another key's name": /signature|way that is not allowed|names no key/,
    "of an unknown key's name": /the token names no key of the key set/,
    "without a key's name": /the token names no key of the key set/,
    "for another audience": /the token is for another audience/,
    "for no audience": /the token has no \\"aud\\"/,
    "of another issuer": /the token is of another issuer/,
    "signed with the public key by HS256": /signed in a way that is not allowed/,
    "that was changed": /the signature is not of that key/,
    "without an expiry": /the token has no \\"exp\\"/,
    "without a subject": /the token has no \\"sub\\"/,
    "with a number for a subject": /the token's \\"sub\\" is not a text of 1 to 255 characters/,
    "with an unknown critical extension": /something that is not supported/,
    "of no form": /the token is not a signed JWT/,
  };

  interface Issuer {
    url: string;
    /** How often the key set was fetched. */
    fetched: number;
    keys: JsonWebKey[];
    isDown: boolean;
  }

  async function startIssuer(keys: JsonWebKey[]): Promise<Issuer> {
    const issuer: Issuer = { url: "", fetched: 0, keys, isDown: false };
    const server: Server = createServer((_request, answer) => {
      issuer.fetched++;
      if (issuer.isDown) answer.writeHead(503, { "content-type": "text/html" }).end("<h1>Down");
      else answer.writeHead(200).end(JSON.stringify({ keys: issuer.keys }));
    });
    issuer.url = `${await listen(server)}/.well-known/jwks.json`;
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    return issuer;
  }

  const algorithms = {
    RS256: {
      create: {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 2_048,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      sign: { name: "RSASSA-PKCS1-v1_5" },
    },
    ES256: {
      create: { name: "ECDSA", namedCurve: "P-256" },
      sign: { name: "ECDSA", hash: "SHA-256" },
    },
  };
  type Algorithm = keyof typeof algorithms;

  interface SigningKey {
    jwk: JsonWebKey & { kid: string };
    sign(claims: object, header?: object): Promise<string>;
  }

  async function createKey(alg: Algorithm, kid: string): Promise<SigningKey> {
    const { create, sign } = algorithms[alg];
    const pair = await crypto.subtle.generateKey(create, true, ["sign", "verify"]);
    const jwk = { ...(await crypto.subtle.exportKey("jwk", pair.publicKey)), kid, alg, use: "sig" };
    return {
      jwk,
      async sign(claims, header = {}) {
        const text = unsigned({ alg, kid, typ: "JWT", ...header }, claims);
        const bytes = await crypto.subtle.sign(sign, pair.privateKey, Buffer.from(text));
        return `${text}.${Buffer.from(bytes).toString("base64url")}`;
      },
    };
  }

  const unsigned = (header: object, claims: object): string =>
    [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");

  const now = (): number => Math.floor(Date.now() / 1_000);
  const claims = (more: object = {}): object => ({
    sub: "u-17",
    iss: "https://issuer.example",
    aud: "rightseat",
    exp: now() + 3_600,
    ...more,
  });

  const startWith = (issuer: Issuer, more: Record<string, string> = {}): ReturnType<typeof start> =>
    start((url) => ({
      ...platform(url),
      ...more,
      RIGHTSEAT_JWKS_URL: issuer.url,
      RIGHTSEAT_JWT_ISSUER: "https://issuer.example",
      RIGHTSEAT_JWT_AUDIENCE: "rightseat",
    }));

  const askWith = (server: TestServer, token: string): ReturnType<typeof ask> =>
    ask(server.url, { headers: { authorization: `Bearer ${token}` } });

  test.each<Algorithm>(["RS256", "ES256"])("signed by %s let in", async (alg) => {
    const key = await createKey(alg, "key-1");
    const { server, upstream } = await startWith(await startIssuer([key.jwk]));
    const token = await key.sign(claims());
    const { status, text } = await askWith(server, token);
    expect(status).toBe(200);
    expect(readAnswer(text).said).toBe("Hello.");
    // It is the person's own token, so the platform gets it.
    expect(upstream.requests[0]?.headers["authorization"]).toBe(`Bearer ${token}`);
  });

  test("of every other kind do not let in, and no model is asked", async () => {
    const [encrypting, key, other, curve] = await Promise.all([
      createKey("ES256", "key-3"),
      createKey("RS256", "key-1"),
      createKey("RS256", "key-1"),
      createKey("ES256", "key-2"),
    ]);
    const { server, upstream } = await startWith(
      await startIssuer([key.jwk, curve.jwk, { ...encrypting.jwk, use: "enc" }]),
    );
    const good = await key.sign(claims());
    const publicKey = JSON.stringify(key.jwk);
    const log = await captureLog();
    const tokens: Record<string, string> = {
      expired: await key.sign(claims({ exp: now() - 60 })),
      "not valid yet": await key.sign(claims({ nbf: now() + 3_600 })),
      "signed by another key": await other.sign(claims()),
      "of another key's name": await key.sign(claims(), { kid: "key-2" }),
      "of an unknown key's name": await key.sign(claims(), { kid: "key-9" }),
      "without a key's name": await key.sign(claims(), { kid: undefined }),
      "for another audience": await key.sign(claims({ aud: "other" })),
      "for no audience": await key.sign(claims({ aud: undefined })),
      "of another issuer": await key.sign(claims({ iss: "https://other.example" })),
      "of alg none": `${unsigned({ alg: "none", kid: "key-1" }, claims())}.`,
      "of alg none in capitals": `${unsigned({ alg: "NONE", kid: "key-1" }, claims())}.`,
      "signed with the public key by HS256": await signByHmac(publicKey, "key-1", claims()),
      "that was changed": good.replace(
        /\.[^.]+\./,
        `.${unsigned(claims({ sub: "root" }), {}).split(".")[0]}.`,
      ),
      "without an expiry": await key.sign(claims({ exp: undefined })),
      "with an expiry that is a text": await key.sign(claims({ exp: String(now() + 60) })),
      "without a subject": await key.sign(claims({ sub: undefined })),
      "with a number for a subject": await key.sign(claims({ sub: 17 })),
      "with an empty subject": await key.sign(claims({ sub: " " })),
      "with a list for a subject": await key.sign(claims({ sub: ["u-17"] })),
      "with a subject that is too long": await key.sign(claims({ sub: "u".repeat(256) })),
      "with an unknown critical extension": await key.sign(claims(), {
        crit: ["x-rule"],
        "x-rule": 1,
      }),
      "with an unencoded payload": await key.sign(claims(), { crit: ["b64"], b64: false }),
      "signed with a key that is for encryption": await encrypting.sign(claims()),
      "without a signature": good.replace(/\.[^.]*$/, "."),
      "of no form": "token",
    };
    for (const [kind, token] of Object.entries(tokens)) {
      const { status, text } = await askWith(server, token);
      expect({ kind, status }).toEqual({ kind, status: 401 });
      const { message, request_id: id } = JSON.parse(text).error;
      // Why, the log tells, and nobody else.
      expect(message).toBe("Send a valid token, as Authorization: Bearer TOKEN.");
      const line = log.find((one) => one.includes(id)) ?? "";
      expect({ kind, line }).toEqual({ kind, line: expect.stringMatching(reasons[kind] ?? /,/) });
      expect(line).not.toContain(token.split(".")[1] ?? "eyJ");
    }
    expect((await ask(server.url)).status).toBe(401);
    expect(upstream.connections).toBe(0);
    expect((await askWith(server, good)).status).toBe(200);
    // Clocks differ a little.
    const late = { exp: now() - 1, nbf: now() + 1 };
    expect((await askWith(server, await key.sign(claims(late)))).status).toBe(200);
  });

  test("signed with either of two keys of one name let in", async () => {
    const [first, second, other] = await Promise.all([
      createKey("ES256", "key-1"),
      createKey("ES256", "key-1"),
      createKey("ES256", "key-1"),
    ]);
    const { server } = await startWith(await startIssuer([first.jwk, second.jwk]));
    expect((await askWith(server, await first.sign(claims()))).status).toBe(200);
    expect((await askWith(server, await second.sign(claims()))).status).toBe(200);
    expect((await askWith(server, await other.sign(claims()))).status).toBe(401);
    expect((await askWith(server, await second.sign(claims({ exp: 1 })))).status).toBe(401);
  });

  async function signByHmac(secret: string, kid: string, payload: object): Promise<string> {
    const hash = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", Buffer.from(secret), hash, false, ["sign"]);
    const text = unsigned({ alg: "HS256", kid }, payload);
    const bytes = await crypto.subtle.sign("HMAC", key, Buffer.from(text));
    return `${text}.${Buffer.from(bytes).toString("base64url")}`;
  }

  test("let in as soon as the key set can be fetched, and while it cannot any more", async () => {
    const key = await createKey("ES256", "key-1");
    const issuer = await startIssuer([key.jwk]);
    issuer.isDown = true;
    const { server, upstream } = await startWith(issuer);
    const token = await key.sign(claims());
    // It is we who cannot tell, so the token is not called wrong.
    const refused = await askWith(server, token);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: "keys_unavailable" } });
    expect(refused.text).not.toContain(new URL(issuer.url).host);
    expect(upstream.connections).toBe(0);
    issuer.isDown = false;
    await vi.waitFor(async () => expect((await askWith(server, token)).status).toBe(200), {
      timeout: 10_000,
      interval: 200,
    });
    // An outage afterwards is bridged with the keys that are held.
    issuer.isDown = true;
    expect((await askWith(server, token)).status).toBe(200);
  });

  test("let in beside keys of our own, which need no issuer", async () => {
    const key = await createKey("ES256", "key-1");
    const issuer = await startIssuer([key.jwk]);
    const { server, upstream } = await startWith(issuer, { RIGHTSEAT_API_KEYS: "our-key" });
    const askAs = (headers: Record<string, string>): ReturnType<typeof ask> =>
      ask(server.url, { headers });
    expect((await askAs({ "x-api-key": "our-key" })).status).toBe(200);
    expect((await askAs({ authorization: "Bearer our-key" })).status).toBe(200);
    expect(issuer.fetched).toBe(0);
    const token = await key.sign(claims());
    expect((await askWith(server, token)).status).toBe(200);
    expect(upstream.requests.map(({ headers }) => headers["authorization"])).toEqual([
      undefined,
      undefined,
      `Bearer ${token}`,
    ]);
    for (const headers of [{}, { "x-api-key": "wrong" }, { authorization: "Bearer wrong" }]) {
      expect((await askAs(headers)).status).toBe(401);
    }
    expect(upstream.requests).toHaveLength(3);
    expect(issuer.fetched).toBe(1);
  });
});

function toChunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
}

function toBytes(bytes: Buffer): Buffer[] {
  return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
