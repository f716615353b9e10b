import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { Channel } from "../../../src/base/wire/channel.ts";
import { NodeChannel, channelSockets } from "../../../src/base/wire/node-channel.node.ts";
import { createTimers } from "../../../src/base/wire/patient-timer.ts";
import { frameOf } from "../../helpers/raw-plugin.ts";

const limits = { highWater: 100_000, maxBuffered: 40_000_000, maxStall: 60_000 };

async function open(options: Partial<typeof limits> = {}) {
  const server = createServer();
  const sockets = new WebSocketServer({ server, ...channelSockets });
  const opened = new Promise<{ channel: Channel; socket: WebSocket }>((resolve) => {
    sockets.on("connection", (socket) => {
      const parts = { timers: createTimers(), ...limits, ...options };
      resolve({ socket, channel: new NodeChannel(socket, parts) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    client.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise((resolve) => client.once("open", resolve));
  return {
    ...(await opened),
    client,
    closed,
    [Symbol.dispose]: () => {
      client.terminate();
      sockets.close();
      server.close();
    },
  };
}

const large = "x".repeat(1_000_000);

test("texts go both ways in their order, and an end ends the reading", async () => {
  using pair = await open();
  for (const text of ["a", "世界 😀", "b"]) pair.client.send(text);
  const answers: string[] = [];
  pair.client.on("message", (data) => void answers.push((data as Buffer).toString()));
  const texts: string[] = [];
  for await (const text of pair.channel.receive) {
    expect(pair.channel.send(text)).toBe(true);
    if (texts.push(text) === 3) pair.channel.close(1000, "done");
  }
  expect(texts).toEqual(["a", "世界 😀", "b"]);
  expect(await pair.closed).toEqual({ code: 1000, reason: "done" });
  expect(answers).toEqual(texts);
});

test("a client that reads slowly is waited for, and gets all", async () => {
  using pair = await open();
  pair.client.pause();
  let sent = 0;
  while (pair.channel.send(large)) sent += 1;
  let isDrained = false;
  const drained = pair.channel.drained().then(() => (isDrained = true));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isDrained).toBe(false);
  let received = 0;
  pair.client.on("message", () => void (received += 1));
  pair.client.resume();
  await drained;
  await expect.poll(() => received).toBe(sent + 1);
});

test.each([
  ["for too long", { maxStall: 50 }],
  ["while more than allowed waits for it", { maxBuffered: 5_000_000 }],
])("a client that reads nothing %s is closed with a reason", async (_, options) => {
  using pair = await open(options);
  pair.client.pause();
  let sent = 0;
  for (; sent < 30; sent += 1) pair.channel.send(large);
  await pair.channel.drained();
  pair.client.resume();
  expect(await pair.closed).toEqual({ code: 1013, reason: "The client reads too slowly." });
});

test("a message that is larger than all that may wait is sent whole, and closes nothing", async () => {
  using pair = await open({ maxBuffered: 200_000 });
  const sizes: number[] = [];
  pair.client.on("message", (data) => void sizes.push((data as Buffer).byteLength));
  expect(pair.channel.send("x".repeat(30_000_000))).toBe(false);
  await pair.channel.drained();
  expect(pair.channel.send("a")).toBe(true);
  await expect.poll(() => sizes).toEqual([30_000_000, 1]);
});

test("a client that sends more than is taken is not read any further", async () => {
  using pair = await open();
  for (let nth = 0; nth < 2_000; nth += 1) pair.client.send(large.slice(0, 50_000));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(pair.client.bufferedAmount).toBeGreaterThan(10_000_000);
  let taken = 0;
  for await (const text of pair.channel.receive) {
    expect(text).toHaveLength(50_000);
    if (++taken === 2_000) pair.channel.close();
  }
  expect(taken).toBe(2_000);
});

test("nothing is sent to a client that has left, and nobody waits for it", async () => {
  using pair = await open();
  pair.client.pause();
  while (pair.channel.send(large));
  const drained = pair.channel.drained();
  pair.client.terminate();
  await drained;
  expect(pair.channel.send("a")).toBe(true);
});

test("no more than two pongs wait to be sent to a client that pings and reads nothing", async () => {
  using pair = await open();
  const raw = Reflect.get(pair.client, "_socket") as Socket;
  raw.pause();
  let most = 0;
  pair.socket.on("ping", () => (most = Math.max(most, pair.socket.bufferedAmount)));
  const piece = Buffer.concat(
    Array.from({ length: 1_000 }, () => frameOf("x".repeat(125), { opcode: 9 })),
  );
  for (let sent = 0; sent < 12e6; sent += piece.byteLength) raw.write(piece);
  await expect.poll(() => raw.writableLength).toBe(0);
  expect(most).toBeLessThanOrEqual(2 * 127);
});

test("of many pings the last is answered, and each while answers are read", async () => {
  using pair = await open();
  const pongs: string[] = [];
  pair.client.on("pong", (data) => void pongs.push(data.toString()));
  for (let nth = 0; nth < 50; nth += 1) pair.client.ping(String(nth));
  await expect.poll(() => pongs.at(-1)).toBe("49");
  pair.client.ping("again");
  await expect.poll(() => pongs.at(-1)).toBe("again");
});

// Whatever a client sends at once: each takes a turn of the event loop, so nobody waits for two of them.
test.each<[string, Buffer]>([
  ["texts", frameOf("a")],
  ["empty texts", frameOf("")],
  ["pings", frameOf("", { opcode: 9 })],
  ["pongs", frameOf("", { opcode: 10 })],
])("%s that come at once are taken one a turn of the event loop", async (_, frame) => {
  using pair = await open();
  let [turn, inTurn, most, all] = [0, 0, 0, 0];
  let last = 0;
  const count = (data: string | Buffer): void => {
    expect(data.length).toBeLessThan(2);
    inTurn = last === turn ? inTurn + 1 : 1;
    last = turn;
    most = Math.max(most, inTurn);
    all += 1;
  };
  for (const event of ["ping", "pong"]) pair.socket.on(event, count);
  const reading = (async () => {
    for await (const text of pair.channel.receive) count(text);
  })();
  let isOver = false;
  const next = (): void => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  const raw = Reflect.get(pair.client, "_socket") as Socket;
  raw.write(Buffer.concat(Array.from({ length: 3_000 }, () => frame)));
  await expect.poll(() => all).toBe(3_000);
  isOver = true;
  pair.channel.close();
  await reading;
  expect(most).toBe(1);
});

test("what has come while the reader was busy is taken one a turn of the event loop, too", async () => {
  using pair = await open();
  for (let nth = 0; nth < 100; nth += 1) pair.client.send("a");
  await pause(100);
  let [turns, taken, isOver] = [0, 0, false];
  const next = (): void => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  for await (const text of pair.channel.receive) {
    expect(text).toBe("a");
    if (++taken === 100) break;
  }
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(99);
});
