import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { runSession } from "../../src/cli/session.ts";

test("a message of an answer that never ends is given up, and its connection, too", async () => {
  const left = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/event-stream");
    response.on("close", left.resolve);
    Readable.from(endlessMessage()).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const chat = runSession("chat", ["id", "What is this?"], { url });
  await expect(chat).rejects.toThrow("The server sent a message that is larger than allowed.");
  await left.promise;
});

function* endlessMessage(): Generator<string, void, void> {
  yield "data: ";
  for (;;) yield "x".repeat(1_000_000);
}
