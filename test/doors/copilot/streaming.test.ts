import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Action } from "../../../src/turn/action.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { createFrameReader } from "../../../src/base/wire/sse-frames.ts";
import { copilotRequest, post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";
import {
  answerOf,
  bytesOf,
  chunk,
  type FakeAnswer,
  fakeTransport,
  frame,
  modelOver,
} from "../../helpers/upstream.ts";

const explain = copilotRequest("explain");

function appOver(answer: FakeAnswer, settings: Record<string, string> = {}) {
  const transport = fakeTransport(answer);
  return { transport, ...createTestApp({ models: modelOver(transport), settings }) };
}

/** Every event of a stream, each as strict as our promises are. */
function readEvents(text: string): { event: string | undefined; data: unknown }[] {
  const frames = createFrameReader(1_000_000).feed(text);
  expect(text).not.toContain("\r");
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  return frames
    .slice(0, -1)
    .map(({ event, data }) => ({ event, data: JSON.parse(data) as unknown }));
}

test("frames of the model reach the client as they came, then the actions, then one finish with the usage", async () => {
  const upstream = answerOf("Hello", " 世界");
  const { app } = appOver({ body: [bytesOf(upstream)] });
  const text = await (await post(app, explain)).text();
  expect(text.startsWith(upstream.slice(0, upstream.indexOf(frame(chunk({}, "stop")))))).toBe(true);
  const events = readEvents(text);
  const actions = events
    .filter(({ event }) => event === "copilot_action")
    .map(({ data }) => Action.parse(data));
  expect(
    actions.map((action) => (action.action === "confirm" ? action.data.command : "tree")),
  ).toEqual(["fix", "unittest"]);
  expect(events.at(-1)?.data).toEqual({
    id: "chatcmpl-up",
    object: "chat.completion.chunk",
    created: 1_763_600_000,
    model: "up-1",
    choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
});

test("random cuts of the upstream never change what the client gets", async () => {
  const upstream = bytesOf(answerOf("Hello", " 世界", ' "x"\n', "😀"));
  const { app } = appOver({ body: [upstream] });
  const expected = await (await post(app, explain)).text();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: upstream.length }), { maxLength: 60 }),
      async (places) => {
        const ends = [...new Set(places), upstream.length].sort((a, b) => a - b);
        const body = ends.map((end, index) => upstream.slice(ends[index - 1] ?? 0, end));
        const cut = appOver({ body });
        expect(await (await post(cut.app, explain)).text()).toBe(expected);
      },
    ),
    { numRuns: 60 },
  );
});

describe("what a model writes", () => {
  test.each([
    "data: {}\n\nevent: copilot_action\ndata: {}\n\n",
    "\u001b[31m\u0000\u2028</script>",
    "\r\r\n\n[DONE]",
  ])("%j stays the text of one delta", async (said) => {
    const { app } = appOver({ body: [bytesOf(answerOf(said))] });
    const events = readEvents(await (await post(app, explain)).text());
    const deltas = events.flatMap(({ event, data }) =>
      event === undefined ? [data as { choices: { delta: { content?: string } }[] }] : [],
    );
    expect(deltas.map((data) => data.choices[0]?.delta.content ?? "").join("")).toBe(said);
  });
});

describe("after the first byte", () => {
  test("the marker is [Done] by setting", async () => {
    const { app } = appOver(
      { body: [bytesOf(answerOf("x"))] },
      { RIGHTSEAT_DONE_MARKER: "[Done]" },
    );
    expect((await (await post(app, explain)).text()).endsWith("data: [Done]\n\n")).toBe(true);
  });
});

describe("a silent model", () => {
  const silence = (firstByteHold: number) => {
    const timers = createManualTimers();
    const models = modelOver(fakeTransport({ body: ["hang"] }), { timers });
    const settings = { firstByteHold, RIGHTSEAT_HEARTBEAT_MS: "10000" };
    return { timers, response: post(createTestApp({ models, settings, timers }).app, explain) };
  };

  test("within the hold is a 504", async () => {
    const { timers, response } = silence(120_000);
    expect((await passUntil(response, timers)).status).toBe(504);
  });

  test("after the hold is a 200 with comments, then the error as a chunk", async () => {
    const { timers, response } = silence(1_000);
    const { status, text } = await passUntil(
      response.then(async (answer) => ({ status: answer.status, text: await answer.text() })),
      timers,
    );
    expect(status).toBe(200);
    expect(text.match(/^: keep-alive$/gm)?.length).toBeGreaterThanOrEqual(2);
    expect(text).toContain('"code":"upstream_timeout"');
  });
});

test("a hundred streams at once do not mix", async () => {
  const { app } = createTestApp({
    models: {
      name: "echo",
      contextWindow: 32_768,
      answerReserve: 1_024,
      async *stream({ messages }) {
        for (const word of messages
          .map(textOfMessage)
          .at(-1)
          ?.match(/marker-\d+/g) ?? []) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          yield { type: "text-delta", text: word };
        }
        return "stop";
      },
    },
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const contextVariables = [{ name: "userInputPrompt", value: `marker-${index}` }];
      return (await post(app, { agent: "rightseat", command: "chat", contextVariables })).text();
    }),
  );
  for (const [index, text] of answers.entries()) {
    expect(new Set(text.match(/marker-\d+/g))).toEqual(new Set([`marker-${index}`]));
  }
});

test("an answer of many small events lets the event loop turn in between", async () => {
  const pieces = Array.from({ length: 1_000 }, (_, nth) => `${nth} `);
  let turns = 0;
  const counter = setInterval(() => (turns += 1), 0);
  const { app } = createTestApp({ models: [pieces] });
  const response = await post(app, explain);
  expect(await response.text()).toContain("999 ");
  clearInterval(counter);
  expect(turns).toBeGreaterThanOrEqual(5);
});
