// What a broken or hostile plugin does to a real server, and what it gets.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { captureLog } from "../helpers/e2e-log.ts";
import { openSocket, type SocketClient } from "../helpers/e2e-plugin.ts";
import { type TestServer, startRightseat } from "../helpers/e2e-server.ts";
import { eventStream, startUpstream, type Answer, type Upstream } from "../helpers/e2e-upstream.ts";
import { isLast, msgOf } from "../helpers/plugin-client.ts";
import { recommend } from "../helpers/plugin-ide.ts";
import { requests } from "../helpers/plugin-requests.ts";
import { frameOf, openRawPlugin, type RawPlugin } from "../helpers/raw-plugin.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";

const key = "plugin-key-of-this-test";
const headers = { "X-Api-Key": key };
const limit = 100_000;
const settings = { RIGHTSEAT_PLUGIN_KEYS: `${key},wide-key-of-*` };
/** Milliseconds: a busy machine takes its time. */
const patient = { timeout: 20_000 };
const hello = frame(chunk({ role: "assistant", content: "Hello" }));
const chat = { ...requests.exec_chat, stream: true };

async function start(more: Record<string, string> = {}, upstream?: Upstream): Promise<TestServer> {
  const endpoint = upstream === undefined ? {} : { RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url };
  const server = await startRightseat({ ...settings, ...endpoint, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** A model's API, with the calls that are open: connections may be kept for the next one. */
async function startModel(answer: Answer): Promise<Upstream & { calls: () => number }> {
  let calls = 0;
  const upstream = await startUpstream((connection, count) => {
    calls += 1;
    void connection.closed.then(() => (calls -= 1));
    return answer(connection, count);
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  return Object.assign(upstream, { calls: () => calls });
}

/** Begins an answer and says no more. */
const half: Answer = ({ socket }) => void socket.write(eventStream + hello);

async function takeText({ next }: RawPlugin): Promise<Record<string, unknown>> {
  for (;;) {
    const heard = await next();
    if (heard === undefined) throw new Error("the connection is over");
    if (heard.opcode === 1) return JSON.parse(heard.payload.toString()) as Record<string, unknown>;
  }
}

describe("frames", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startRightseat({ ...settings, RIGHTSEAT_MAX_MESSAGE_BYTES: String(limit) });
  });
  afterAll(() => server.close());

  const pieces = (count: number, size: number): Buffer =>
    Buffer.concat(
      Array.from({ length: count }, (_, nth) =>
        frameOf("x".repeat(size), { opcode: nth === 0 ? 1 : 0, isLast: false }),
      ),
    );
  test.each<[string, number, Buffer]>([
    ["binary data", 1003, frameOf("{}", { opcode: 2 })],
    ["a message over the limit", 1009, frameOf("x".repeat(limit + 1))],
    ["a message over the limit in fragments", 1009, pieces(11, limit / 10)],
    ["a head that announces more than there is memory", 1009, frameOf("", { length: 1n << 52n })],
    ["a head that announces more than can be counted", 1009, frameOf("", { length: 1n << 62n })],
    ["text that is no UTF-8", 1007, frameOf(Buffer.from([0xff, 0xfe]))],
    [
      "text that ends within a character",
      1007,
      Buffer.concat([
        frameOf(Buffer.from([0xe4, 0xb8]), { isLast: false }),
        frameOf("", { opcode: 0 }),
      ]),
    ],
    ["a frame without a mask", 1002, frameOf("{}", { isMasked: false })],
    ["a frame of no known kind", 1002, frameOf("{}", { opcode: 3 })],
    ["a fragment of nothing", 1002, frameOf("{}", { opcode: 0 })],
    ["a ping that is too large", 1002, frameOf("x".repeat(126), { opcode: 9 })],
    ["20,000 fragments", 1008, pieces(20_000, 1)],
    ["20,000 fragments without text", 1008, pieces(20_000, 0)],
  ])("with %s are closed with %i, and others go on", async (_, code, bytes) => {
    const plugin = await openRawPlugin(server.url, headers);
    plugin.socket.write(bytes);
    expect(await plugin.closeCode()).toBe(code);
    const other = await openSocket(server.url, { headers });
    expect(await other.ask(requests.list_model)).toMatchObject([{ request_id: 123 }]);
    other.socket.terminate();
    plugin.socket.destroy();
  });

  test("of one character in two fragments, with a ping between them, are one message", async () => {
    const plugin = await openRawPlugin(server.url, headers);
    const bytes = Buffer.from('{"request_id":"世","cmd":"list_model"}');
    const cut = bytes.indexOf(0xe4) + 1;
    plugin.socket.write(frameOf(bytes.subarray(0, cut), { isLast: false }));
    plugin.socket.write(frameOf("still there?", { opcode: 9 }));
    plugin.socket.write(frameOf(bytes.subarray(cut), { opcode: 0 }));
    expect(await plugin.next()).toMatchObject({ opcode: 10, payload: Buffer.from("still there?") });
    expect(await takeText(plugin)).toMatchObject({ request_id: "世" });
    plugin.socket.destroy();
  });

  test("that come with the request for the upgrade, in one piece, are answered", async () => {
    const first = frameOf(JSON.stringify(requests.list_model));
    const plugin = await openRawPlugin(server.url, headers, first);
    expect(await takeText(plugin)).toHaveProperty("models");
    plugin.socket.destroy();
  });

  test("that come byte by byte are one message", async () => {
    const plugin = await openRawPlugin(server.url, headers);
    plugin.socket.setNoDelay(true);
    for (const byte of frameOf(JSON.stringify(requests.list_model))) {
      plugin.socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    expect(await takeText(plugin)).toHaveProperty("models");
    plugin.socket.destroy();
  });
});

describe("a message of a megabyte is answered with an error, and the connection goes on:", () => {
  test.each([
    ["garbage", "\u0000{[".repeat(349_000)],
    ["deep nesting", `{"request_id":1,"x":${"[".repeat(500_000)}${"]".repeat(500_000)}}`],
    ["deep nesting without an end", "[".repeat(1_048_576)],
    ["one text", JSON.stringify("x".repeat(1_000_000))],
    ["hundreds of thousands of names", `{${'"a":1,'.repeat(140_000)}"b":1}`],
  ])("%s", async (_, text) => {
    const client = await openSocket((await start()).url, { headers });
    client.send(text);
    expect(await client.next()).toHaveProperty("error");
    expect(await client.ask(requests.list_model)).toHaveLength(1);
    client.socket.terminate();
  });
});

describe("a connection", () => {
  test("without a request for too long is closed with 4408", async () => {
    const server = await start({ RIGHTSEAT_PLUGIN_IDLE_TIMEOUT_MS: "1000" });
    const client = await openSocket(server.url, { headers });
    expect(await client.closed).toMatchObject({ code: 4408 });
  });

  test("that is half open is cut, and so is the call of its task", async () => {
    const upstream = await startModel(half);
    const server = await start({ RIGHTSEAT_PING_INTERVAL_MS: "50" }, upstream);
    const plugin = await openRawPlugin(server.url, headers);
    plugin.socket.write(frameOf(JSON.stringify(chat)));
    expect(await takeText(plugin)).toMatchObject({ msg: "Hello" });
    // From here on nothing is read, so no ping is answered.
    await expect.poll(upstream.calls, patient).toBe(0);
    plugin.socket.destroy();
  });

  test("that reads nothing slows the model down, and is let go of when it is cut", async () => {
    const piece = frame(chunk({ content: "x".repeat(30_000) }));
    const upstream = await startModel(async ({ socket, flood }) => {
      socket.write(eventStream);
      await flood(piece);
    });
    const server = await start({}, upstream);
    const plugin = await openRawPlugin(server.url, headers);
    const before = process.memoryUsage().rss;
    plugin.socket.write(frameOf(JSON.stringify(chat)));
    await expect.poll(() => upstream.sent, patient).toBeGreaterThan(100_000);
    let last = -1;
    await expect
      .poll(() => [last, (last = upstream.sent)].every((sent) => sent === last), {
        ...patient,
        interval: 300,
      })
      .toBe(true);
    // What the sockets of both connections hold, and a little of our own.
    expect(upstream.sent).toBeLessThan(16_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
    const other = await openSocket(server.url, { headers });
    expect(await other.ask(requests.list_model)).toHaveLength(1);
    other.socket.terminate();
    plugin.socket.destroy();
    await expect.poll(upstream.calls, patient).toBe(0);
  });

  test.each([false, true])("gets the longest answer whole (stream: %s)", async (stream) => {
    const text = "世".repeat(100_000);
    const upstream = await startModel(({ socket }) => {
      socket.end(eventStream + answerOf(...Array.from({ length: 60 }, () => text)));
    });
    const server = await start({}, upstream);
    const client = await openSocket(server.url, { headers });
    expect(msgOf(await client.ask({ ...chat, stream }))).toHaveLength(6_000_000);
    client.socket.terminate();
  });

  test("with a task is told of the restart and closed with 1012 by a server that stops", async () => {
    const upstream = await startModel(half);
    const server = await start({ RIGHTSEAT_DRAIN_TIMEOUT_MS: "50" }, upstream);
    const client = await openSocket(server.url, { headers });
    client.send(chat);
    expect(await client.next()).toMatchObject({ msg: "Hello" });
    await server.close();
    expect(await client.next()).toEqual({
      request_id: 123,
      error: expect.stringMatching(/restart/),
    });
    expect(await client.closed).toMatchObject({ code: 1012 });
    await expect.poll(upstream.calls, patient).toBe(0);
  });

  test("whose task ends in time keeps its answer while the server stops", async () => {
    const upstream = await startModel(({ socket }) => {
      socket.write(eventStream + hello);
      setTimeout(() => socket.end(frame(chunk({ content: "!" }, "stop"))), 100);
    });
    const server = await start({ RIGHTSEAT_DRAIN_TIMEOUT_MS: "20000" }, upstream);
    const client = await openSocket(server.url, { headers });
    client.send(chat);
    await client.next();
    const closing = server.close();
    expect(await client.next()).toMatchObject({ msg: "!" });
    expect(await client.next()).toMatchObject({ stream_finsh: true });
    expect(await client.closed).toMatchObject({ code: 1012 });
    await closing;
  });
});

describe("a connection that is killed", () => {
  /** Cuts like a cable that is pulled, or with a reset. */
  const kill = ({ socket }: SocketClient, nth: number): void => {
    if (nth % 2 === 0) socket.terminate();
    else Reflect.get(socket, "_socket").resetAndDestroy();
  };

  test("at any moment of its task leaves no call open, and its places to others", async () => {
    const upstream = await startModel(async ({ socket }) => {
      socket.write(eventStream);
      for (let nth = 0; nth < 20 && !socket.destroyed; nth += 1) {
        socket.write(hello);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      socket.end(frame(chunk({ content: "!" }, "stop")));
    });
    const places = { RIGHTSEAT_MAX_TASKS: "2", RIGHTSEAT_MAX_QUEUE: "200" };
    const server = await start(places, upstream);
    const asked = [chat, recommend, requests.exec_fix, { ...chat, queue_place: true }];
    for (let round = 0; round < 20; round += 1) {
      const options = { headers: { "X-Api-Key": "wide-key-of-all" } };
      const clients = await Promise.all(
        Array.from({ length: 5 }, () => openSocket(server.url, options)),
      );
      // Some are still waiting for their place, or asked about their code, when they go.
      await Promise.all(
        clients.map(async (client, nth) => {
          client.send(asked[(round + nth) % asked.length]);
          await new Promise((resolve) => setTimeout(resolve, (round * 7 + nth * 13) % 40));
          kill(client, nth);
          await client.closed;
        }),
      );
      await expect.poll(() => tryToOpen(server, options), patient).toBe("in");
    }
    await expect.poll(upstream.calls, patient).toBe(0);
    const [first, second] = [
      await openSocket(server.url, { headers }),
      await openSocket(server.url, { headers }),
    ];
    const answers = await Promise.all([first.ask(chat), second.ask(chat)]);
    for (const frames of answers) expect(msgOf(frames)).toMatch(/^(?:Hello){20}!$/);
    first.socket.terminate();
    second.socket.terminate();
  });

  test("while it shakes hands leaves its place", async () => {
    const server = await start();
    for (let nth = 0; nth < 50; nth += 1) {
      const opening = openRawPlugin(server.url, headers).catch(() => undefined);
      const plugin = nth % 2 === 0 ? await opening : undefined;
      plugin?.socket.resetAndDestroy();
      void opening.then((late) => late?.socket.destroy());
    }
    await expect.poll(() => tryToOpen(server, { headers }), patient).toBe("in");
  });

  test("with a stream of requests on their way leaves nothing behind", async () => {
    const upstream = await startModel(half);
    const server = await start({ RIGHTSEAT_MAX_TASKS: "1" }, upstream);
    const client = await openSocket(server.url, { headers });
    for (let nth = 0; nth < 500; nth += 1) client.send({ ...chat, request_id: nth });
    await client.next();
    client.socket.terminate();
    await expect.poll(upstream.calls, patient).toBe(0);
    const next = await openSocket(server.url, { headers });
    next.send(chat);
    expect(await next.next()).toMatchObject({ msg: "Hello" });
    next.socket.terminate();
  });
});

test("the key is in no line of the log, however it is shown", async () => {
  const lines = await captureLog();
  const upstream = await startModel(({ socket }, nth) => {
    if (nth === 1) socket.end(eventStream + answerOf("Hello"));
    else socket.end("HTTP/1.1 401 No\r\ncontent-length: 2\r\n\r\nNo");
  });
  const server = await start({ RIGHTSEAT_CORS_ORIGINS: "https://page.example" }, upstream);
  const wrong = "wrong-key-of-this-test";
  const shown = (name: string) => [
    { headers: { "X-Api-Key": name } },
    { path: `/ws?x=1&api_key=${name}` },
    { path: `/ws?api_key=${name}`, headers: { Origin: "https://page.example" } },
    { path: `/nowhere?api_key=${name}` },
    {
      protocols: [`rightseat.key.${Buffer.from(name).toString("base64url")}`, "rightseat"],
    },
  ];
  for (const options of [...shown(key), ...shown(wrong)]) {
    try {
      const client = await openSocket(server.url, options);
      client.send(chat);
      for (;;) if (isLast(await client.next())) break;
      client.send(`{"cmd":"${key}","request_id":1,"model":"${key}"`);
      await client.next();
      client.socket.terminate();
    } catch {
      // Refused or closed: that is logged, too.
    }
  }
  await server.close();
  expect(lines.length).toBeGreaterThan(3);
  for (const name of [key, wrong]) {
    const written = [name, Buffer.from(name).toString("base64url")];
    for (const text of written) expect(lines.join("\n")).not.toContain(text);
  }
});

async function tryToOpen(
  server: TestServer,
  options: Parameters<typeof openSocket>[1],
): Promise<string> {
  try {
    (await openSocket(server.url, options)).socket.close();
    return "in";
  } catch (thrown) {
    return String(thrown);
  }
}
