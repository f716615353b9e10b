// Whole answers where a runtime notices only by writing that a client has left; on Node and in workerd.
import { expect, test } from "vitest";
import { sendSpaces } from "../../../src/doors/http/answer-turn.ts";
import { createTimers } from "../../../src/base/wire/patient-timer.ts";
import { createWebExchange } from "../../../src/base/wire/exchange.ts";

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

function open(heartbeat: number) {
  const exchange = createWebExchange(new Request("http://localhost/"));
  const answer = Promise.withResolvers<Response>();
  const state = { hasLeft: false };
  exchange.onClose(() => (state.hasLeft = true));
  const host = { timers: createTimers(), stream: { heartbeat, firstByteHold: 1_000 } };
  return { answer, state, response: sendSpaces(exchange, "id-1", answer.promise, host) };
}

test("an answer that comes before the first silence is over is itself, status and all", async () => {
  const { answer, response } = open(5_000);
  answer.resolve(Response.json({ error: "no" }, { status: 502 }));
  expect((await response).status).toBe(502);
});

test("one that comes later is JSON after spaces, under the id of the request", async () => {
  const { answer, response } = open(20);
  const { headers, status, body } = await response;
  let text = "";
  for await (const bytes of body ?? []) {
    text += new TextDecoder().decode(bytes);
    if (text === "  ") answer.resolve(Response.json({ text: "Hello." }));
  }
  expect(text).toMatch(/^ {2,}\{/);
  expect(JSON.parse(text)).toEqual({ text: "Hello." });
  expect([status, headers.get("x-request-id")]).toEqual([200, "id-1"]);
  expect(headers.get("content-type")).toBe("application/json");
});

test("a client that leaves meanwhile is noticed, and nothing is written after that", async () => {
  const { answer, response, state } = open(20);
  await (await response).body?.cancel();
  expect(state.hasLeft).toBe(true);
  answer.resolve(Response.json({ error: "aborted" }, { status: 499 }));
  await pause(50);
});
