// Clients that go away, or stay and do not read: what becomes of the model's connection and of ours.
import { readdirSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { reset } from "@logtape/logtape";
import { captureLog } from "../helpers/e2e-log.ts";
import { explain, openRaw, postBytes, startRightseat } from "../helpers/e2e-server.ts";
import { type Connection, eventStream, response, startUpstream } from "../helpers/e2e-upstream.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";
import type { TestSettings } from "../helpers/test-settings.ts";

const firstFrame = frame(chunk({ role: "assistant", content: "Hello" }));

describe("a client that leaves", () => {
  test.each<{
    when: string;
    play: (connection: Connection) => void;
    /** What the client waits for before it leaves. */
    awaited: string | undefined;
    settings?: TestSettings;
  }>([
    {
      when: "before the model has answered at all",
      play: () => undefined,
      awaited: undefined,
    },
    {
      when: "after the model's head, before its first event",
      play: ({ socket }) => void socket.write(eventStream),
      awaited: undefined,
    },
    {
      when: "while our head is sent and the model's is not",
      play: () => undefined,
      awaited: ": keep-alive",
      settings: { firstByteHold: 20 },
    },
    {
      when: "while the model writes",
      play({ socket }) {
        socket.write(eventStream);
        const timer = setInterval(() => socket.write(firstFrame), 5);
        socket.once("close", () => clearInterval(timer));
      },
      awaited: "Hello",
    },
    {
      when: "while the model stalls",
      play: ({ socket }) => void socket.write(eventStream + firstFrame),
      awaited: "Hello",
    },
    {
      when: "while the model writes no whole event",
      play: ({ socket }) => void socket.write(eventStream + firstFrame + firstFrame.slice(0, 50)),
      awaited: "Hello",
    },
  ])("$when ends the model's request", async ({ play, awaited, settings }) => {
    const { promise: asked, resolve } = Promise.withResolvers<Connection>();
    await using upstream = await startUpstream((connection) => {
      play(connection);
      resolve(connection);
    });
    await using server = await startRightseat({
      RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
      ...settings,
    });
    const client = openRaw(server.url);
    client.socket.write(postBytes(explain));
    const { closed } = await asked;
    // What the upstream wrote is on its way, too.
    await (awaited === undefined ? pause(50) : client.has(awaited));
    client.socket.destroy();
    await closed;
    expect(upstream.open).toBe(0);
  });

  test("while a failed call waits for its second try is not tried for again", async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    await using upstream = await startUpstream(({ socket }) => {
      socket.end(response("500 Internal Server Error", []), resolve);
    });
    await using server = await startRightseat({
      RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
      retryBackoff: 400,
    });
    const client = openRaw(server.url);
    client.socket.write(postBytes(explain));
    await asked;
    await pause(50);
    client.socket.destroy();
    await pause(800);
    expect(upstream.requests.length).toBe(1);
  });

  test("in the middle of its request leaves the server as it was", async () => {
    await using upstream = await startUpstream(({ socket }) => {
      socket.end(response("200 OK", ["content-type: text/event-stream"], answerOf("Hello")));
    });
    await using server = await startRightseat({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
    const log = await captureLog();
    onTestFinished(() => reset());
    const client = openRaw(server.url);
    client.socket.write(postBytes(explain).subarray(0, -100));
    await pause(30);
    client.socket.resetAndDestroy();
    await client.ended;
    await vi.waitFor(() => expect(log).toHaveLength(1));
    expect(log[0]).toContain('"code":"aborted"');
    expect(log[0]).toContain('"level":"INFO"');
    expect(upstream.connections).toBe(0);
    const next = openRaw(server.url);
    next.socket.write(postBytes(explain, ["connection: close"]));
    expect(await next.ended).toContain("Hello");
  });
});

test("300 clients that come and go leave no connection and no handle behind", async () => {
  await using upstream = await startUpstream(({ socket }) => {
    socket.write(eventStream + firstFrame);
  });
  await using server = await startRightseat({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
  const round = async (): Promise<{ files: number; sockets: number; timers: number }> => {
    await Promise.all(Array.from({ length: 150 }, (_, index) => comeAndGo(server.url, index)));
    await vi.waitFor(() => expect(upstream.open).toBe(0), 10_000);
    await vi.waitFor(() => expect(countHandles().sockets).toBeLessThanOrEqual(2), 10_000);
    return countHandles();
  };
  const first = await round();
  const second = await round();
  expect(upstream.requests.length).toBeGreaterThan(100);
  expect(second.files).toBeLessThanOrEqual(first.files + 10);
  expect(second.sockets).toBeLessThanOrEqual(first.sockets + 10);
  expect(second.timers).toBeLessThanOrEqual(first.timers + 10);
});

describe("a client that never reads", () => {
  const mostPulled = 16 * 1024 * 1024;

  test("stops the model, and lets go of it when it leaves", async () => {
    const { promise: asked, resolve } = Promise.withResolvers<Connection>();
    await using upstream = await startUpstream((connection) => {
      resolve(connection);
      connection.socket.write(eventStream);
      return connection.flood(frame(chunk({ content: "x".repeat(16_000) })));
    });
    await using server = await startRightseat({
      RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
      // Otherwise the length of the answer would end it first.
      maxAnswer: 1024 ** 3,
      // Silence of the model is not counted while it is we who do not read.
      RIGHTSEAT_IDLE_TIMEOUT_MS: "300",
    });
    const client = openRaw(server.url);
    client.socket.pause();
    client.socket.write(postBytes(explain));
    const { closed } = await asked;
    const pulled = await settled(() => upstream.sent);
    expect(pulled).toBeGreaterThan(0);
    expect(pulled).toBeLessThan(mostPulled);
    expect(upstream.open).toBe(1);
    client.socket.destroy();
    await closed;
  });
});

/** Leaves after the first text, after the request, or without a request. */
async function comeAndGo(url: string, index: number): Promise<void> {
  const client = openRaw(url);
  if (index % 5 !== 0) client.socket.write(postBytes(explain));
  if (index % 2 === 0 && index % 5 !== 0) await client.has("Hello");
  else await pause(index % 30);
  if (index % 3 === 0) client.socket.resetAndDestroy();
  else client.socket.destroy();
  await client.ended;
}

/** Of this process, in which server, clients and upstream run. */
function countHandles(): { files: number; sockets: number; timers: number } {
  const kinds = process.getActiveResourcesInfo();
  const count = (kind: string): number => kinds.filter((other) => other === kind).length;
  return {
    files: readdirSync("/proc/self/fd").length,
    sockets: count("TCPSocketWrap"),
    timers: count("Timeout"),
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Waits until a number has stayed the same for a second. */
async function settled(read: () => number): Promise<number> {
  let last = -1;
  let since = Date.now();
  while (last <= 0 || Date.now() - since < 1_000) {
    const now = read();
    if (now !== last) since = Date.now();
    last = now;
    await pause(50);
  }
  return last;
}
