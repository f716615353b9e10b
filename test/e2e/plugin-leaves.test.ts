// Plugins that read nothing, fall silent or are gone: what a real server does about their tasks and places.
import { describe, expect, test } from "vitest";
import { headers, patient, start, startModel } from "../helpers/e2e-faults.ts";
import { openSocket, type SocketClient } from "../helpers/e2e-plugin.ts";
import type { TestServer } from "../helpers/e2e-server.ts";
import { type Answer, eventStream } from "../helpers/e2e-upstream.ts";
import { msgOf } from "../helpers/plugin-client.ts";
import { recommend } from "../helpers/plugin-ide.ts";
import { requests } from "../helpers/plugin-requests.ts";
import { frameOf, openRawPlugin, takeText } from "../helpers/raw-plugin.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";

const hello = frame(chunk({ role: "assistant", content: "Hello" }));
const chat = { ...requests.exec_chat, stream: true };

/** Begins an answer and says no more. */
const half: Answer = ({ socket }) => void socket.write(eventStream + hello);

describe("a connection", () => {
  test("that is half open is cut, and so is the call of its task", async () => {
    const upstream = await startModel(half);
    const server = await start({ pingInterval: 1_000 }, upstream);
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
