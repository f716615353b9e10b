// Clients that leave a worker in the runtime itself, and how it ends their sockets.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventStream, type Upstream, startUpstream } from "../helpers/e2e-upstream.ts";
import { type Workerd, startWorkerd } from "../helpers/e2e-workerd.ts";
import { frameOf, openRawPlugin } from "../helpers/raw-plugin.ts";
import { chunk, frame } from "../helpers/upstream.ts";

let upstream: Upstream;
let begins = false;
let server: Workerd;

beforeAll(async () => {
  // A model that never ends its answer, or never begins it.
  upstream = await startUpstream(({ socket }) => {
    if (begins) socket.write(eventStream + frame(chunk({ role: "assistant", content: "Hello" })));
  });
  server = await startWorkerd({
    RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
    RIGHTSEAT_HEARTBEAT_MS: "300",
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const messages = [{ role: "user", content: "Hello" }];
const contextVariables = [{ name: "userInputPrompt", value: "Hello" }];

describe("a client that leaves is noticed while it waits for", () => {
  test.each<[string, string, object, boolean]>([
    ["a whole answer", "/v1/chat/completions", { messages }, false],
    ["the rest of a whole answer", "/v1/chat/completions", { messages }, true],
    ["a stream", "/v1/chat/completions", { messages, stream: true }, false],
    ["the rest of a stream", "/v1/chat/completions", { messages, stream: true }, true],
    ["a copilot's stream", "/", { command: "chat", contextVariables }, false],
    ["the rest of a copilot's stream", "/", { command: "chat", contextVariables }, true],
  ])("%s", async (_, path, body, isBegun) => {
    begins = isBegun;
    const before = upstream.requests.length;
    const asking = request(new URL(path, server.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    asking.on("response", (response) => response.resume().on("error", () => undefined));
    asking.on("error", () => undefined);
    asking.end(JSON.stringify({ model: "rightseat/chat", agent: "rightseat", ...body }));
    await expect.poll(() => upstream.requests.length).toBe(before + 1);
    asking.destroy();
    await expect.poll(() => upstream.open).toBe(0);
  });
});

const closeWith = (code: number): Buffer =>
  frameOf(Buffer.of(code >> 8, code & 0xff), { opcode: 8 });

test.each([1000, 1001, 3000, 4999])(
  "a socket that is closed with %i is answered with it",
  async (code) => {
    const plugin = await openRawPlugin(server.url, {});
    plugin.socket.write(closeWith(code));
    expect(await plugin.closeCode()).toBe(code);
    plugin.socket.destroy();
  },
);
