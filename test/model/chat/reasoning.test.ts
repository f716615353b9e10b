import { expect, test } from "vitest";
import { AnswerReader } from "../../../src/model/chat/answer-reader.ts";
import { readDeltas } from "../../../src/model/chat/chat-chunk.ts";
import type { RelayedEvent } from "../../../src/turn/turn-event.ts";
import { bytesOf, chunk, defaultApi, frame } from "../../helpers/upstream.ts";

type Delta = Record<string, unknown>;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** What is passed on of deltas, each in a frame of its own and all at once. */
function pass(deltas: readonly Delta[], as: "frames" | "deltas" = "frames") {
  const text = [...deltas.map((delta) => frame(chunk(delta))), frame(chunk({}, "stop"))].join("");
  const reader = new AnswerReader(as, defaultApi.limits, () => ({
    id: "o",
    model: "m",
    created: 1,
  }));
  const events: RelayedEvent[] = [...reader.push(bytesOf(text)), ...reader.finish()];
  reader.end();
  const passed = events
    .map((event) => (event.type === "upstream-frames" ? new TextDecoder().decode(event.bytes) : ""))
    .join("");
  const said = events.flatMap((event): Delta[] => {
    if (event.type === "upstream-frames") return readDeltas(event.bytes);
    if (event.type === "text-delta") return [{ content: event.text }];
    return event.type === "reasoning-delta" ? [{ reasoning_content: event.text }] : [];
  });
  const join = (name: string) => said.map((delta) => textOf(delta[name])).join("");
  return { passed, text: join("content"), reasoning: join("reasoning_content"), said };
}

const contents = (...texts: readonly string[]) => [
  { role: "assistant" },
  ...texts.map((content) => ({ content })),
];

test.each(["frames", "deltas"] as const)(
  "delta.reasoning is passed on as reasoning_content, as %s",
  (as) => {
    const { text, reasoning, said } = pass(
      [
        { role: "assistant", reasoning: "Let " },
        { content: null, reasoning: "me " },
        { content: "", reasoning: "see." },
        { content: "It " },
        { content: "is." },
      ],
      as,
    );
    expect(reasoning).toBe("Let me see.");
    expect(text).toBe("It is.");
    expect(said.every((delta) => !("reasoning" in delta) || !delta["reasoning"])).toBe(true);
  },
);

test("a server that says its reasoning under both names says it once", () => {
  const { reasoning, passed } = pass([
    { reasoning: "So.", reasoning_content: "So." },
    { content: "x" },
  ]);
  expect(reasoning).toBe("So.");
  expect(passed).not.toContain('"reasoning":');
});

test.each([
  ["in one piece", ["<think>Let me see.</think>", "It is."]],
  ["with the tags alone", ["<think>", "Let me", " see.", "</think>", "It", " is."]],
  ["with tags in pieces", ["<", "think", ">Let me see.<", "/thi", "nk>", "It is."]],
  ["after blank lines", ["\n", "\n<think>", "Let me see.", "</think>\n\nIt is."]],
  ["as <thinking>", ["<thinking>Let me see.</thinking>It is."]],
  ["as <reasoning>", ["<reasoning>Let me", " see.</reasoning>", "It is."]],
])("what stands in <think> at the beginning is reasoning %s", (_, texts) => {
  for (const as of ["frames", "deltas"] as const) {
    const { text, reasoning } = pass(contents(...texts), as);
    expect(text.trim()).toBe("It is.");
    expect(reasoning).toBe("Let me see.");
  }
});

test("what looks like the beginning of a tag arrives when it is none, at the end at the latest", () => {
  expect(pass(contents("<thi", "s> is.")).text).toBe("<this> is.");
  expect(pass(contents("<thi")).text).toBe("<thi");
  expect(pass(contents("<div>", "<think>")).text).toBe("<div><think>");
});

test("a delta with a tag keeps its other fields", () => {
  const { said } = pass([{ role: "assistant", content: "<think>a</think>b" }]);
  expect(said).toEqual([{ role: "assistant" }, { reasoning_content: "a" }, { content: "b" }]);
});
