// The plugin's WebSocket in workerd: a Durable Object whose sockets may sleep.
import { evictDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Frame, isLast, msgOf } from "../helpers/plugin-client.ts";
import { createKeyRing } from "../../src/run/auth/api-keys.ts";
import { requests } from "../helpers/plugin-requests.ts";

/** The runtime's own: its types would replace the web's. */
interface RuntimeSocket extends EventTarget {
  accept(): void;
  send(data: string | ArrayBuffer): void;
  close(code?: number, reason?: string): void;
}

const url = "https://rightseat.example.workers.dev";

const key = "plain-key-1";

async function upgrade(path = "/ws", headers: Record<string, string> = {}): Promise<Response> {
  const head = { upgrade: "websocket", "x-api-key": key, ...headers };
  return exports.default.fetch(new Request(url + path, { headers: head }));
}

async function connect(path?: string, headers?: Record<string, string>) {
  const response = await upgrade(path, headers);
  expect(response.status).toBe(101);
  const socket = Reflect.get(response, "webSocket") as RuntimeSocket;
  socket.accept();
  const texts: string[] = [];
  let wake = (): void => undefined;
  socket.addEventListener("message", (event) => {
    texts.push(String(Reflect.get(event, "data")));
    wake();
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", (event) => resolve(Number(Reflect.get(event, "code"))));
  });
  const client = {
    socket,
    response,
    closed,
    async next(): Promise<Frame> {
      while (texts.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return JSON.parse(texts.shift() ?? "") as Frame;
    },
    async ask(request: Frame): Promise<Frame[]> {
      socket.send(JSON.stringify(request));
      const frames: Frame[] = [];
      for (;;) {
        const frame = await client.next();
        frames.push(frame);
        if (isLast(frame)) return frames;
      }
    },
  };
  return client;
}

/** The name of a key, as callers are named. */
async function roomOf(shown: string): Promise<object> {
  const keyId = await createKeyRing([shown]).find(shown);
  return env.PLUGIN_ROOM.get(env.PLUGIN_ROOM.idFromName(`key:${keyId}`));
}

test("a plugin is answered, whole and streamed, over a real WebSocket", async () => {
  const client = await connect();
  expect(msgOf(await client.ask(requests.exec_explain))).toContain("total");
  const frames = await client.ask({ ...requests.exec_explain, stream: true, language: "zh" });
  expect(frames.at(-1)).toMatchObject({ stream_finsh: true, stream_seq_id: frames.length - 1 });
  client.socket.close();
});

test("the first offered subprotocol that is no key is chosen", async () => {
  const headers = { "sec-websocket-protocol": "rightseat.key.YQ, rightseat" };
  const client = await connect("/ws", headers);
  expect(client.response.headers.get("sec-websocket-protocol")).toBe("rightseat");
  client.socket.close();
});

describe("a connection whose object has slept", () => {
  test("goes on where it was, and the plugin is asked for what it had announced", async () => {
    const client = await connect();
    const hello = {
      cmd: "hello",
      request_id: 1,
      ide_services: ["/find_def_locations"],
      root: "/w",
    };
    client.socket.send(JSON.stringify(hello));
    await client.next();
    await evictDurableObject(await roomOf(key));
    expect(await client.ask(requests.list_model)).toMatchObject([{ models: ["offline"] }]);
    client.socket.send(JSON.stringify(requests.exec_unittest_recommend));
    expect(await client.next()).toMatchObject({ path: "/find_def_locations" });
    client.socket.close();
  });
});

test.each([
  [1000, ""],
  [3000, ""],
  [4000, "done"],
])("a client that closes with %i %s is answered with the same code", async (code, reason) => {
  const client = await connect();
  client.socket.close(code, reason);
  expect(await client.closed).toBe(code);
});

test("a message that is too large, or binary, closes the connection with the reason", async () => {
  const [large, binary] = [await connect(), await connect()];
  large.socket.send("x".repeat(1_100_000));
  expect(await large.closed).toBe(1009);
  binary.socket.send(new ArrayBuffer(2));
  expect(await binary.closed).toBe(1003);
});

describe("the connections of a key", () => {
  const family = { "x-api-key": "simpletest2025_a" };

  test("are counted, those that have slept, too; other keys of its family have places of their own", async () => {
    const clients = [await connect("/ws", family), await connect("/ws", family)];
    await evictDurableObject(await roomOf(family["x-api-key"]));
    for (let nth = 2; nth < 5; nth += 1) clients.push(await connect("/ws", family));
    expect((await upgrade("/ws", family)).status).toBe(429);
    clients.push(await connect("/ws", { "x-api-key": "simpletest2025_b" }));
    expect((await upgrade()).status).toBe(101);
    clients[0]?.socket.close();
    await clients[0]?.closed;
    clients.push(await connect("/ws", family));
    for (const { socket } of clients) socket.close();
  });

  test("are refused without a valid key", async () => {
    expect((await upgrade("/ws", { "x-api-key": "wrong" })).status).toBe(401);
    expect((await upgrade("/ws?api_key=plain-key-2", { "x-api-key": "" })).status).toBe(101);
    // What no header can carry is no key.
    expect((await upgrade("/ws?api_key=a%0Ab", { "x-api-key": "" })).status).toBe(401);
    expect((await upgrade("/ws?api_key=%E5%AF%86", { "x-api-key": "" })).status).toBe(401);
  });
});

describe("the queue over all keys", () => {
  const slow = { ...requests.exec_chat, model: "plugin slow" };
  const keys = ["plain-key-1", "plain-key-2", "simpletest2025_c"];

  /** A connection with a task, whose model is the test itself. */
  async function begin(shown: string) {
    const client = await connect("/ws", { "x-api-key": shown });
    client.socket.send(JSON.stringify({ ...slow, queue_place: true }));
    return client;
  }

  test("lets the next task in when one is over, and refuses those that are too many", async () => {
    const [first, second] = [await begin("plain-key-1"), await begin("plain-key-2")];
    const { llm_request_id: id } = await first.next();
    expect(await second.next()).toMatchObject({ cmd: "llm_chat" });
    const waiting = [];
    for (const shown of keys) {
      const client = await begin(shown);
      waiting.push(client);
      // Its place is told after a second.
      expect(await client.next()).toMatchObject({ queue_place: waiting.length });
    }
    const [third, fourth, fifth] = waiting;
    const refused = await begin("plain-key-1");
    expect(await refused.next()).toMatchObject({ error: "queue_full", queue_length: 3 });

    first.socket.send(JSON.stringify({ llm_request_id: id, msg: "hello" }));
    expect(await first.next()).toMatchObject({ msg: "hello" });
    expect(await third?.next()).toMatchObject({ cmd: "llm_chat" });
    expect(await fourth?.next()).toMatchObject({ queue_place: 1 });

    // Whoever leaves gives their place back, in the queue and behind it.
    expect(await fifth?.next()).toMatchObject({ queue_place: 2 });
    fourth?.socket.close();
    expect(await fifth?.next()).toMatchObject({ queue_place: 1 });
    second.socket.close();
    expect(await fifth?.next()).toMatchObject({ cmd: "llm_chat" });
    for (const client of [first, third, fifth, refused]) client?.socket.close();
  });
});

test("a foreign page is refused, and what is no WebSocket is told so", async () => {
  expect((await upgrade("/ws", { origin: "https://evil.example" })).status).toBe(403);
  expect((await exports.default.fetch(new Request(`${url}/ws`))).status).toBe(426);
});
