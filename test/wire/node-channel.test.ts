import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { Channel } from "../../src/wire/channel.ts";
import { createNodeChannel } from "../../src/wire/node-channel.node.ts";
import { createTimers } from "../../src/wire/patient-timer.ts";

const limits = { highWater: 100_000, maxBuffered: 40_000_000, maxStall: 60_000 };

async function open(options: Partial<typeof limits> = {}) {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const channel = new Promise<Channel>((resolve) => {
    sockets.on("connection", (socket) => {
      resolve(createNodeChannel(socket, { timers: createTimers(), ...limits, ...options }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    client.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise((resolve) => client.once("open", resolve));
  return {
    channel: await channel,
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
