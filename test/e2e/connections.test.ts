// How long connections may take, and what every answer carries.
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, explain, openRaw, postBytes, startRightseat } from "../helpers/e2e-server.ts";
import { startUpstream } from "../helpers/e2e-upstream.ts";
import type { TestSettings } from "../helpers/test-settings.ts";

async function start(settings: TestSettings = {}) {
  const server = await startRightseat(settings);
  onTestFinished(() => server.close());
  return server;
}

describe("a connection", () => {
  test("whose body comes too slowly is cut off at the limit, and its place is free again", async () => {
    const server = await start({
      headersTimeout: 300,
      requestTimeout: 600,
      checkInterval: 100,
      RIGHTSEAT_MAX_STREAMS: "1",
    });
    const client = openRaw(server.url);
    client.socket.write(postBytes("", [`content-length: ${explain.length}`]));
    const timer = setInterval(() => client.socket.write(" "), 50);
    client.socket.once("close", () => clearInterval(timer));
    const received = await client.ended;
    expect(received === "" || received.startsWith("HTTP/1.1 408 ")).toBe(true);
    expect((await ask(server.url)).status).toBe(200);
  });

  test("on which nothing is asked any more is closed after its time", async () => {
    const server = await start({ RIGHTSEAT_KEEP_ALIVE_TIMEOUT_MS: "200" });
    const client = openRaw(server.url);
    client.socket.write(postBytes(explain));
    const received = await client.ended;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain("data: [DONE]");
  });

  test("whose body comes in chunks of one byte is answered like any other", async () => {
    const server = await start({ RIGHTSEAT_MAX_BODY_BYTES: "20000" });
    const client = openRaw(server.url);
    const byte = Buffer.from("1\r\na\r\n");
    client.socket.write(postBytes("", ["transfer-encoding: chunked"]));
    client.socket.write(Buffer.concat(Array.from({ length: 30_000 }, () => byte)));
    expect(await client.ended).toMatch(/^HTTP\/1\.1 413 /);
  });
});

test("an answer carries the headers that keep proxies from holding or changing it", async () => {
  const server = await start();
  const { headers } = await ask(server.url);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/./),
  });
});

test("a refusal is JSON that nobody may keep, with the id of the request", async () => {
  const server = await start();
  const { headers, text, status } = await ask(server.url, { body: "{" });
  expect(status).toBe(400);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const { error } = JSON.parse(text) as { error: { request_id: string } };
  expect(error.request_id).toBe(headers.get("x-request-id"));
});

test("a model's stream that comes byte by byte is passed on whole", async () => {
  const text = JSON.stringify({ content: "汉字 and more ".repeat(20) });
  const frame = `data: {"id":"a","created":1,"model":"m","choices":[{"index":0,"delta":${text}}]}\n\n`;
  const upstream = await startUpstream(async ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n");
    for (const byte of Buffer.from(
      frame + frame.replace('"delta"', '"finish_reason":"stop","delta"'),
    )) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    socket.end();
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  const server = await start({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
  const answer = await ask(server.url);
  expect(answer.text.split("汉字").length - 1).toBe(40);
  expect(answer.text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
});
