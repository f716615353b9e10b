// How long connections may take, and what every answer carries.
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, explain, openRaw, postBytes, startRightseat } from "../helpers/e2e-server.ts";
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
