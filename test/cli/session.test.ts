import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { runSession } from "../../src/cli/session.ts";

/** A server that answers all requests in one way, and its address. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => {
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a message of an answer that never ends is given up, and its connection, too", async () => {
  const left = Promise.withResolvers<void>();
  const url = await serve((response) => {
    response.setHeader("content-type", "text/event-stream");
    response.on("close", left.resolve);
    Readable.from(endlessMessage()).pipe(response);
  });
  const chat = runSession("chat", ["id", "What is this?"], { url });
  await expect(chat).rejects.toThrow("The server sent a message that is larger than allowed.");
  await left.promise;
});

test.each([200, 500])("so is an answer of status %s that never ends", async (status) => {
  const left = Promise.withResolvers<void>();
  const url = await serve((response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.on("close", left.resolve);
    Readable.from(endlessMessage()).pipe(response);
  });
  const history = runSession("history", ["id"], { url });
  await expect(history).rejects.toThrow("The server's answer is larger than allowed.");
  await left.promise;
});

test.each(["<html></html>", "", "7"])(
  "an answer that is no JSON object is told as such: %j",
  async (text) => {
    const url = await serve((response) => response.end(text));
    const history = runSession("history", ["id"], { url });
    await expect(history).rejects.toThrow("The server's answer is not a JSON object.");
  },
);

function* endlessMessage(): Generator<string, void, void> {
  yield "data: ";
  for (;;) yield "x".repeat(1_000_000);
}
