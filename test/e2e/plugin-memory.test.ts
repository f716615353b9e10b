// Thousands of tasks on a real server leave nothing behind: no call, no heap.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openSocket } from "../helpers/e2e-plugin.ts";
import { eventStream, startUpstream } from "../helpers/e2e-upstream.ts";
import { isLast } from "../helpers/plugin-client.ts";
import type { Held } from "../helpers/heap-server.ts";
import { recommend } from "../helpers/plugin-ide.ts";
import { requests } from "../helpers/plugin-requests.ts";
import { frameOf, openRawPlugin } from "../helpers/raw-plugin.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";

const connections = 200;
const warmUp = 2;
const rounds = 4;
const { exec_chat: chat, exec_explain: explain, exec_fix: fix } = requests;
const { exec_unittest_code: write } = requests;
const asked = [
  { ...chat, stream: true },
  chat,
  { ...chat, stream: true },
  { ...explain, stream: true },
  fix,
  { ...recommend, ide_services: false },
  write,
];

async function startChild(upstream: string): Promise<ChildProcess & { url: string }> {
  const file = fileURLToPath(new URL("../helpers/heap-server.ts", import.meta.url));
  const child = fork(file, {
    execArgv: ["--expose-gc"],
    env: {
      PATH: process.env["PATH"],
      RIGHTSEAT_PORT: "0",
      RIGHTSEAT_PLATFORM_ENDPOINT: upstream,
      RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: String(connections),
      RIGHTSEAT_MAX_QUEUE: String(connections),
      RIGHTSEAT_MAX_TASKS: "20",
      RIGHTSEAT_MAX_STREAMS: "100",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return Object.assign(child, { url });
}

/** Bytes that clients send, while they read nothing that comes back. */
const floods: readonly (readonly [what: string, isSocket: boolean, piece: Buffer])[] = [
  ["pings", true, frameOf("x".repeat(125), { opcode: 9 })],
  ["texts that are wrong", true, frameOf('{"request_id":1,"cmd":')],
  ["texts that are answered", true, frameOf('{"request_id":1,"cmd":"list_model"}')],
  ["tasks", true, frameOf(JSON.stringify({ ...chat, stream: true }))],
  ["requests", false, Buffer.from("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")],
  ["requests for nothing", false, Buffer.from("GET /no HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")],
];

/** Opens a connection and sends as fast as is taken. @returns ends it */
async function flood(url: string, isSocket: boolean, piece: Buffer): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const socket = isSocket
    ? (await openRawPlugin(url, {})).socket
    : connect(Number(port), hostname).on("error", () => undefined);
  const bytes = Buffer.concat(Array.from({ length: 2_000 }, () => piece));
  socket.pause();
  const send = (): void => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(send));
  };
  send();
  return () => socket.destroy();
}

/** Memory of the process, in bytes. */
async function measure(child: ChildProcess): Promise<number> {
  child.send("measure");
  const [resident] = (await once(child, "message")) as [number];
  return resident;
}

test("what waits for clients that read nothing is bounded, whatever they send", async () => {
  const upstream = await startUpstream(
    ({ socket }) => void socket.end(eventStream + answerOf("Hi")),
  );
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  const child = await startChild(upstream.url);
  const grown: Record<string, number> = {};
  for (const [what, isSocket, piece] of floods) {
    const before = await measure(child);
    const ends = await Promise.all(
      Array.from({ length: 5 }, () => flood(child.url, isSocket, piece)),
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const resident = await measure(child);
    grown[what] = Math.round((resident - before) / 1e6);
    for (const end of ends) end();
  }
  expect(Object.entries(grown).filter(([, megabytes]) => megabytes > 120)).toEqual([]);
}, 120_000);

async function collect(child: ChildProcess): Promise<Held> {
  child.send("collect");
  const [held] = (await once(child, "message")) as [Held];
  return held;
}

/** Five tasks: most are answered, one takes the place of another, and some connections end within the last. */
async function talk(url: string, nth: number): Promise<number> {
  const client = await openSocket(url);
  let answered = 0;
  for (let task = 0; task < 5; task += 1) {
    const request = { ...asked[(nth + task) % asked.length], request_id: task };
    if (task === 2) client.send({ ...chat, request_id: "cancelled" });
    client.send(request);
    if (task === 4 && nth % 4 === 0) break;
    for (;;) {
      const heard = await client.next();
      if (heard["request_id"] === task && isLast(heard)) break;
    }
    answered += 1;
  }
  client.socket.terminate();
  await client.closed;
  return answered;
}

test("rounds of 1,000 tasks over 200 connections leave no call open, and as few objects as before", async () => {
  let calls = 0;
  const upstream = await startUpstream(async ({ socket, closed }) => {
    calls += 1;
    void closed.then(() => (calls -= 1));
    socket.write(eventStream + frame(chunk({ role: "assistant", content: "Hello" })));
    await new Promise(setImmediate);
    socket.end(answerOf("1. happy path: adds two prices\n"));
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  const child = await startChild(upstream.url);
  const talkAll = async (): Promise<void> => {
    const talks = Array.from({ length: connections }, (_, nth) => talk(child.url, nth));
    const answered = (await Promise.all(talks)).reduce((sum, one) => sum + one, 0);
    expect(answered).toBe(connections * 5 - connections / 4);
    await expect.poll(() => calls, { timeout: 20_000 }).toBe(0);
  };
  for (let round = 0; round < warmUp; round += 1) await talkAll();
  const before = await collect(child);
  for (let round = 0; round < rounds; round += 1) await talkAll();
  // What is just being closed is not kept.
  const kept = async (): Promise<Pick<Held, "ours" | "all">> => {
    const { ours, all } = await collect(child);
    return { ours, all: Math.round(Math.max(0, all - before.all) / (rounds * connections * 5)) };
  };
  // A task that leaves a single object would leave 1 of them.
  await expect.poll(kept, { timeout: 30_000 }).toEqual({ ours: 0, all: 0 });
}, 240_000);
