// What lies in the sockets while the event loop is held counts as sent in time.
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, readAnswer, startRightseat } from "../helpers/e2e-server.ts";
import { eventStream, startUpstream } from "../helpers/e2e-upstream.ts";
import { chunk, frame } from "../helpers/upstream.ts";

/** Long enough that a busy machine begins all answers in it. */
const idle = 2_000;
const count = 8;

function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test.each([
  { held: idle, limits: { RIGHTSEAT_IDLE_TIMEOUT_MS: String(idle) } },
  { held: idle * 2, limits: { RIGHTSEAT_IDLE_TIMEOUT_MS: String(idle) } },
  { held: idle * 2, limits: { platformTimeout: idle * 1.5 } },
])(
  "answers whose rest came while the event loop was held for $held ms are whole with $limits",
  async ({ held, limits }) => {
    const sockets: Socket[] = [];
    const upstream = await startUpstream(({ socket }) => {
      sockets.push(socket);
      socket.write(eventStream + frame(chunk({ role: "assistant", content: "Hello" })));
    });
    onTestFinished(() => upstream[Symbol.asyncDispose]());
    const server = await startRightseat({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url, ...limits });
    onTestFinished(() => server.close());
    let begun = 0;
    const answers = Array.from({ length: count }, async () => {
      let hasText = false;
      return ask(server.url, {
        onText(text) {
          if (hasText || !text.includes("Hello")) return;
          hasText = true;
          begun++;
          if (begun < count) return;
          for (const socket of sockets)
            socket.end(frame(chunk({ content: " you" })) + frame(chunk({}, "stop")));
          hold(held);
        },
      });
    });
    for (const { text } of await Promise.all(answers)) {
      const { said, reasons, error } = readAnswer(text);
      expect([said, reasons, error]).toEqual(["Hello you", ["stop"], undefined]);
    }
  },
);
