import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerReader } from "../../../src/model/chat/answer-reader.ts";
import { type As, endOf, fallbackHead, readAnswer } from "../../helpers/read-answer.ts";
import { bytesOf, chunk, defaultApi, frame, usageChunk } from "../../helpers/upstream.ts";

/** Reads whole events. */
const read = (events: readonly string[], as?: As) =>
  readAnswer(events.map(bytesOf), as === undefined ? {} : { as });

const full = {
  id: "chatcmpl-up",
  object: "chat.completion.chunk",
  created: 1_763_600_000,
  model: "up-1",
  system_fingerprint: "fp",
  service_tier: "auto",
  usage: null,
  error: null,
  choices: [
    {
      index: 0,
      logprobs: null,
      finish_reason: null,
      delta: {
        role: "assistant",
        content: "b",
        refusal: null,
        reasoning_content: null,
        reasoning: null,
        tool_calls: null,
        function_call: null,
      },
    },
  ],
};

/** Where an odd value may be: on top, in the choice, in the delta. */
const places = [
  ..."id object created model system_fingerprint service_tier usage x-new".split(" "),
  ...["index", "logprobs", "stop_reason"].map((name) => `choice.${name}`),
  ...["role", "refusal", "reasoning_content", "reasoning", "tool_calls", "function_call"].map(
    (name) => `delta.${name}`,
  ),
];

function withValue(place: string, value: unknown): object {
  const [name = "", inner] = place.split(".").toReversed();
  const [choice] = full.choices;
  if (inner === undefined) return { ...full, [name]: value };
  if (inner === "choice") return { ...full, choices: [{ ...choice, [name]: value }] };
  return { ...full, choices: [{ ...choice, delta: { ...choice?.delta, [name]: value } }] };
}

/** Whether a value calls a function. */
function isFunction(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, arguments: given } = value as Record<string, unknown>;
  return [name, given].some((item) => typeof item === "string" || typeof item === "object");
}

const toFrame = (value: object): string => frame(JSON.stringify(value));
const a = frame(chunk({ content: "a" }));
const c = frame(chunk({ content: "c" }));
const finish = frame(chunk({}, "stop"));

/** What those who read our frames rely on. */
function expectStrict(frames: string): void {
  for (const line of frames.split("\n\n").filter((text) => text !== "")) {
    const sent = JSON.parse(line.replace(/^data: /, "")) as Record<string, unknown>;
    expect([typeof sent["id"], typeof sent["model"]]).toEqual(["string", "string"]);
    expect(Number.isInteger(sent["created"])).toBe(true);
    // The client of OpenAI throws at any error that is true, be it an empty object.
    expect(sent["error"] ?? null).toBeNull();
    expect(sent).toMatchObject({ choices: [{ index: 0, finish_reason: null }] });
  }
}

describe("an odd value of a field that the answer does not need", () => {
  const values = fc.oneof(
    fc.constantFrom<unknown>(null, 0, "", "0", "1763600000", false, true, {}, [], -1, 1e300),
    fc.jsonValue({ maxDepth: 2 }),
  );

  test("changes neither the text nor the end, and what goes out stays strict", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        values,
        fc.constantFrom<As>("frames", "deltas"),
        fc.nat(2),
        (place, value, as, nth) => {
          // An object of this name is an error, and a number is another choice.
          fc.pre(!(place === "object" && value === "error"));
          fc.pre(!(place === "choice.index" && typeof value === "number"));
          // A call that nobody asked for is refused; see the tests of tool calls.
          fc.pre(!(place === "delta.function_call" && isFunction(value)));
          const others = [a, c];
          const odd = toFrame(withValue(place, value));
          const events = [...others.slice(0, nth), odd, ...others.slice(nth), finish];
          const { text, end, frames } = read(events, as);
          expect([text.split("").sort().join(""), end]).toEqual(["abc", "stop"]);
          expectStrict(frames);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each([
    "null",
    "5",
    '"text"',
    "[1]",
    "{}",
    '{"choices":{}}',
    '{"choices":"x","usage":5}',
    '{"choices":[null,5]}',
    '{"choices":[{"delta":5}]}',
    '{"choices":[{"delta":{"content":7}}]}',
    '{"choices":[{"finish_reason":7}]}',
    '{"error":null}',
    '{"error":""}',
    '{"error":{}}',
    '{"error":false}',
    '{"error":0}',
    '{"error":{"message":"","code":null}}',
  ])("be it a whole event, %s, is passed over", (data) => {
    for (const as of ["frames", "deltas"] as const) {
      const { text, end, frames } = read([a, frame(data), c, finish], as);
      expect([text, end]).toEqual(["ac", "stop"]);
      expectStrict(frames);
    }
  });

  test("is found in the choice of index 0 if there is one", () => {
    const choices = [
      { index: "0", delta: { content: "z" } },
      { index: 1, delta: { content: "z" } },
      { index: 0, delta: { content: "b" } },
    ];
    expect(read([a, toFrame({ ...full, choices }), finish]).text).toBe("ab");
  });

  test("of the first event gives the answer a head of ours for what is missing", () => {
    const first = toFrame({ ...full, id: 5, created: "1763600000" });
    const { frames, text } = read([first, a, finish]);
    expect(text).toBe("ba");
    for (const line of frames.trim().split("\n\n")) {
      expect(JSON.parse(line.slice(6))).toMatchObject({ id: "ours", model: "up-1", created: 1 });
    }
  });

  test("a name that is too long to come with each chunk is not taken", () => {
    const { frames } = read([toFrame({ ...full, id: "i".repeat(100_000) }), a, finish]);
    expect(frames.length).toBeLessThan(1_000);
  });
});

describe("a real error ends the answer", () => {
  test.each([
    frame('{"error":"overloaded"}'),
    frame('{"error":true}'),
    frame('{"error":500}'),
    frame('{"error":{"code":500}}'),
    frame('{"error":["x"]}'),
    frame('{"error":{"message":{"text":"x"}}}'),
    "event: error\ndata: null\n\n",
    "event: error\ndata: overloaded\n\n",
  ])("%j", (event) => {
    const { text, end } = read([a, event, c, finish]);
    expect([text, end]).toEqual(["a", "upstream_error"]);
  });
});

describe("a flood ends the answer", () => {
  const flood = (event: string): string => {
    const limits = { maxEvent: 10_000, maxAnswer: 20_000 };
    const reader = new AnswerReader("frames", limits, fallbackHead);
    const piece = bytesOf(event.repeat(100));
    for (let count = 0; count < 1_000 && !reader.rules.done; count++) reader.push(piece);
    expect(reader.rules.done).toBe(true);
    return endOf(reader).end;
  };

  test.each([frame("null"), frame("{}"), frame('{"choices":[]}'), frame(usageChunk)])(
    "of events that say nothing: %j",
    (event) => {
      expect(flood(event)).toBe("upstream_too_large");
    },
  );

  test("JSON that is no object is not taken for a sign of life", () => {
    const reader = new AnswerReader("frames", defaultApi.limits, fallbackHead);
    reader.push(bytesOf(frame("null") + frame("[1]") + ": ping\n\n"));
    expect(reader.rules.dataEvents).toBe(0);
  });
});
