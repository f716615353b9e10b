import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { oneATurn } from "../../../src/base/wire/node-exchange.node.ts";

/** A server whose turns of the event loop are counted, and what each of them began. */
async function open(answer: RequestListener = (_, outgoing) => void outgoing.end("ok")) {
  const begun: { turn: number; port: number | undefined }[] = [];
  let [turn, isOver] = [0, false];
  const next = (): void => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  const server = createServer(
    oneATurn((incoming, outgoing) => {
      begun.push({ turn, port: incoming.socket.remotePort });
      answer(incoming, outgoing);
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    isOver = true;
    server.closeAllConnections();
    server.close();
  });
  const client = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  return { begun, client };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Most requests of one connection, and of all, that one turn began. */
function most(begun: readonly { turn: number; port: number | undefined }[]) {
  const counts = (keys: readonly string[]): number => {
    const found = new Map<string, number>();
    for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
    return Math.max(...found.values());
  };
  return {
    ofOne: counts(begun.map(({ turn, port }) => `${turn} ${port}`)),
    ofAll: counts(begun.map(({ turn }) => String(turn))),
  };
}

test("of one connection a turn of the event loop begins one request, and all are answered in their order", async () => {
  const { begun, client } = await open(
    (incoming, outgoing) => void outgoing.end(`<${incoming.url}>`),
  );
  const socket = await client();
  const paths = Array.from({ length: 2_000 }, (_, nth) => `/${nth}`);
  socket.write(paths.map(get).join(""));
  let heard = "";
  for await (const part of socket) {
    heard += String(part);
    if (heard.endsWith("</1999>\r\n0\r\n\r\n") || heard.endsWith("</1999>")) break;
  }
  expect([...heard.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual(paths);
  expect(most(begun)).toEqual({ ofOne: 1, ofAll: 1 });
});

test("no connection is kept from its turn by others, and a turn begins few", async () => {
  const { begun, client } = await open();
  const floods = await Promise.all(Array.from({ length: 40 }, client));
  for (const socket of floods) socket.resume().write(get("/").repeat(300));
  await expect.poll(() => begun.length).toBe(40 * 300);
  expect(most(begun)).toMatchObject({ ofOne: 1 });
  // The first of each may come in one turn: nobody had to wait for it.
  const later = begun.filter(({ turn }) => turn > (begun[0]?.turn ?? 0) + 50);
  expect(most(later).ofAll).toBeLessThanOrEqual(16 + 40);
});

test("bodies are read while others wait behind them", async () => {
  const bodies: string[] = [];
  const { client } = await open((incoming, outgoing) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (part: string) => (body += part));
    incoming.on("end", () => {
      bodies.push(body);
      outgoing.end("ok");
    });
  });
  const socket = (await client()).resume();
  const sent = Array.from({ length: 20 }, (_, nth) => String(nth).repeat(nth * 10_000));
  socket.write(sent.map(post).join(""));
  await expect.poll(() => bodies.length).toBe(20);
  expect(bodies).toEqual(sent);
});

test("a client that sends and reads nothing is not read on, and what it leaves behind is not begun", async () => {
  const { begun, client } = await open((_, outgoing) => void outgoing.end("x".repeat(10_000)));
  const socket = (await client()).pause();
  const piece = get("/").repeat(1_000);
  for (let written = 0; written < 500; written += 1) socket.write(piece);
  let before = -1;
  while (begun.length > before) {
    before = begun.length;
    await pause(200);
  }
  expect(socket.writableLength).toBeGreaterThan(5_000_000);
  socket.destroy();
  await pause(200);
  expect(begun.length - before).toBeLessThan(3_000);
});
