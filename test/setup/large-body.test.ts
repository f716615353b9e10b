import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/start-server.node.ts";

const limit = 100_000;

/** Sends all of a body, in pieces, before it looks at what came. */
async function send(url: string, count: number, size: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let came = "";
  socket.on("data", (data) => void (came += data.toString()));
  const ended = new Promise((resolve, reject) => {
    socket.once("error", reject).once("close", resolve);
  });
  ended.catch(() => undefined);
  const head = `POST / HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}content-length: ${count * size}\r\n\r\n`);
  for (let nth = 0; nth < count; nth += 1) {
    socket.write(" ".repeat(size));
    await pause(2);
  }
  await ended;
  return came;
}

test("whoever sends all of a body that is too large gets the refusal, and not a broken connection", async () => {
  const environment = { RIGHTSEAT_PORT: "0", RIGHTSEAT_MAX_BODY_BYTES: String(limit) };
  const server = await startServer({ environment });
  onTestFinished(() => server.close());
  const count = fc.integer({ min: 3, max: 20 });
  const size = fc.integer({ min: limit / 2, max: 4 * limit });
  await fc.assert(
    fc.asyncProperty(count, size, async (...body) => {
      const came = await send(server.url, ...body);
      expect(came).toMatch(/^HTTP\/1\.1 413 /);
      expect(came).toContain("x-should-retry: false");
      expect(came).toContain("body_too_large");
    }),
    { numRuns: 20 },
  );
}, 60_000);
