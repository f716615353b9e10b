// The plugin's WebSocket in workerd: a Durable Object whose sockets may sleep.
import { evictDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Frame, isLast, msgOf } from "../helpers/plugin-client.ts";
import { PluginRoom } from "../../src/worker.ts";
import { requests } from "../helpers/plugin-requests.ts";

/** The runtime's own: its types would replace the web's. */
interface RuntimeSocket extends EventTarget {
  accept(): void;
  send(data: string | ArrayBuffer): void;
  close(code?: number, reason?: string): void;
}

const url = "https://rightseat.example.workers.dev";

async function upgrade(path = "/ws", headers: Record<string, string> = {}): Promise<Response> {
  const head = { upgrade: "websocket", ...headers };
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

function findRoom(): object {
  return env.PLUGIN_ROOM.get(env.PLUGIN_ROOM.idFromName("plugins"));
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
    await evictDurableObject(findRoom());
    expect(await client.ask(requests.list_model)).toMatchObject([{ models: ["offline"] }]);
    client.socket.send(JSON.stringify(requests.exec_unittest_recommend));
    expect(await client.next()).toMatchObject({ path: "/find_def_locations" });
    client.socket.close();
  });
});

test("a message that is too large, or binary, closes the connection with the reason", async () => {
  const [large, binary] = [await connect(), await connect()];
  large.socket.send("x".repeat(1_100_000));
  expect(await large.closed).toBe(1009);
  binary.socket.send(new ArrayBuffer(2));
  expect(await binary.closed).toBe(1003);
});

test("a room counts the connections of each key", async () => {
  const context = {
    acceptWebSocket: (socket: object) => Reflect.get(socket, "accept").call(socket),
    getWebSockets: () => [],
  };
  const room = new PluginRoom(context, { RIGHTSEAT_PLUGIN_KEYS: "plain-key" });
  const headers = { upgrade: "websocket", "x-api-key": "plain-key" };
  const statuses: number[] = [];
  for (let nth = 0; nth < 6; nth += 1)
    statuses.push((await room.fetch(new Request(`${url}/ws`, { headers }))).status);
  expect(statuses).toEqual([101, 101, 101, 101, 101, 429]);
  const nobody = new Request(`${url}/ws`, { headers: { upgrade: "websocket" } });
  expect((await room.fetch(nobody)).status).toBe(401);
});

test("a foreign page is refused, and what is no WebSocket is told so", async () => {
  expect((await upgrade("/ws", { origin: "https://evil.example" })).status).toBe(403);
  expect((await exports.default.fetch(new Request(`${url}/ws`))).status).toBe(426);
});
