// Frames and messages that a broken or hostile plugin sends to a real server, and what it gets.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { headers, key, settings, start, startModel } from "../helpers/e2e-faults.ts";
import { captureLog } from "../helpers/e2e-log.ts";
import { openSocket } from "../helpers/e2e-plugin.ts";
import { type TestServer, startRightseat } from "../helpers/e2e-server.ts";
import { eventStream } from "../helpers/e2e-upstream.ts";
import { isLast } from "../helpers/plugin-client.ts";
import { requests } from "../helpers/plugin-requests.ts";
import { frameOf, openRawPlugin, takeText } from "../helpers/raw-plugin.ts";
import { answerOf } from "../helpers/upstream.ts";

const limit = 100_000;
const chat = { ...requests.exec_chat, stream: true };

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
