import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { AnswerReader } from "../../../src/model/chat/answer-reader.ts";
import type { ToolUse } from "../../../src/model/chat/answer-rules.ts";
import { readDeltas } from "../../../src/model/chat/chat-chunk.ts";
import type { ToolCall } from "../../../src/turn/chat-message.ts";
import type { RelayedEvent } from "../../../src/turn/turn-event.ts";
import { bytesOf, chunk, defaultApi, frame, usageChunk } from "../../helpers/upstream.ts";

const fallback = () => ({ id: "ours", model: "m", created: 1 });

interface Read {
  events: RelayedEvent[];
  calls: ToolCall[];
  text: string;
  /** The finish reason, or the error. */
  end: string;
  error: AppError | undefined;
}

interface Reading {
  as?: "frames" | "deltas";
  use?: ToolUse;
  limits?: typeof defaultApi.limits;
}

function read(
  pieces: readonly Uint8Array[],
  { as = "deltas", use = "read", limits = defaultApi.limits }: Reading = {},
): Read {
  const reader = new AnswerReader(as, limits, fallback, use);
  const events: RelayedEvent[] = [];
  for (const piece of pieces) if (!reader.rules.done) events.push(...reader.push(piece));
  events.push(...reader.finish());
  const calls = events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
  const said = events.map((event) => {
    if (event.type === "text-delta") return event.text;
    if (event.type !== "upstream-frames") return "";
    return readDeltas(event.bytes)
      .map(({ content }) => content ?? "")
      .join("");
  });
  const text = said.join("");
  try {
    return { events, calls, text, end: reader.end(), error: undefined };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { events, calls, text, end: thrown.code, error: thrown };
  }
}

const answerOf = (deltas: readonly object[], finish = "tool_calls"): string =>
  [...deltas.map((delta) => chunk(delta)), chunk({}, finish), usageChunk, "[DONE]"]
    .map(frame)
    .join("");

const readDeltasOf = (deltas: readonly object[], reading?: Reading, finish?: string): Read =>
  read([bytesOf(answerOf(deltas, finish))], reading);

/** Chooses among `count` things, again and again. */
type Choose = (count: number) => number;

/** Cuts a text into pieces, some of them empty. */
function split(text: string, choose: Choose): string[] {
  const places = Array.from({ length: choose(5) }, () => choose(text.length + 1));
  const sorted = [0, ...places.toSorted((a, b) => a - b), text.length];
  return sorted.slice(1).map((end, nth) => text.slice(sorted[nth], end));
}

/** Takes from several lists at once, each in its order. */
function interleave<Item>(lists: readonly (readonly Item[])[], choose: Choose): Item[] {
  const left = lists.map((list) => [...list]);
  const first = left.map((list) => list.shift());
  const items = first.filter((item) => item !== undefined);
  for (let open = left; (open = open.filter((list) => list.length > 0)).length > 0;) {
    const item = open[choose(open.length)]?.shift();
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** Several entries of `tool_calls` in some chunks. */
function group(entries: readonly object[], choose: Choose): object[] {
  const deltas: object[] = [];
  for (let at = 0; at < entries.length;) {
    const count = 1 + choose(3);
    deltas.push({ tool_calls: entries.slice(at, at + count) });
    at += count;
  }
  return deltas;
}

const fn = (name: string, given: unknown) => ({ function: { name, arguments: given } });
const more = (given: string) => ({ function: { arguments: given } });

interface Dialect {
  /** Deltas that make these calls. */
  print: (calls: readonly ToolCall[], choose: Choose) => object[];
  /** The server gives ids. */
  hasIds?: false;
  /** It can make one call only. */
  isSingle?: true;
}

/** How servers write calls. */
const dialects: Record<string, Dialect> = {
  "as OpenAI does": {
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ id, name, arguments: given }, index) => [
            { index, id, type: "function", ...fn(name, "") },
            ...split(given, choose).map((text) => ({ index, ...more(text) })),
          ]),
          choose,
        ),
        choose,
      ),
  },
  "with names in pieces": {
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ id, name, arguments: given }, index) => {
            const [head = "", ...rest] = split(name, choose);
            return [
              { index, id, ...fn(head, "") },
              ...rest.map((text) => ({ index, ...fn(text, "") })),
              ...split(given, choose).map((text) => ({ index, ...more(text) })),
            ];
          }),
          choose,
        ),
        choose,
      ),
  },
  "without ids": {
    hasIds: false,
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ name, arguments: given }, index) => [
            { index, id: choose(2) === 0 ? "" : null, ...fn(name, null) },
            ...split(given, choose).map((text) => ({ index, ...fn("", text) })),
          ]),
          choose,
        ),
        choose,
      ),
  },
  "without numbers, ids in the first piece": {
    print: (calls, choose) =>
      group(
        calls.flatMap(({ id, name, arguments: given }) => {
          const [head = "", ...rest] = split(name, choose);
          return [
            { id, ...fn(head, "") },
            ...rest.map((text) => fn(text, "")),
            ...split(given, choose).map(more),
          ];
        }),
        choose,
      ),
  },
  "without numbers, id and name in every piece": {
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ id, name, arguments: given }) =>
            split(given, choose).map((text) => ({ id, ...fn(name, text) })),
          ),
          choose,
        ),
        choose,
      ),
  },
  "with neither ids nor numbers": {
    hasIds: false,
    print: (calls, choose) =>
      group(
        calls.flatMap(({ name, arguments: given }) => {
          const [head = "", ...rest] = split(given, choose);
          return [fn(name, head), ...rest.map(more)];
        }),
        choose,
      ),
  },
  "all under the number 0, ids in the first piece": {
    print: (calls, choose) =>
      group(
        calls.flatMap(({ id, name, arguments: given }) => [
          { index: 0, id, ...fn(name, "") },
          ...split(given, choose).map((text) => ({ index: 0, ...more(text) })),
        ]),
        choose,
      ),
  },
  "all under the number 0, ids in every piece": {
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ id, name, arguments: given }) =>
            split(given, choose).map((text, nth) => ({
              index: 0,
              id,
              ...fn(nth === 0 ? name : "", text),
            })),
          ),
          choose,
        ),
        choose,
      ),
  },
  "numbered in texts": {
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ id, name, arguments: given }, nth) => [
            { index: String(nth), id, ...fn(name, "") },
            ...split(given, choose).map((text) => ({ index: String(nth), ...more(text) })),
          ]),
          choose,
        ),
        choose,
      ),
  },
  "whole, in as many chunks as it likes": {
    print: (calls, choose) =>
      group(
        calls.map(({ id, name, arguments: given }, index) => ({
          ...(choose(2) === 0 ? { index } : {}),
          id,
          ...fn(name, given),
        })),
        choose,
      ),
  },
  "whole, without ids, all under the number 0": {
    hasIds: false,
    print: (calls, choose) =>
      group(
        calls.map(({ name, arguments: given }) => ({ index: 0, ...fn(name, given) })),
        choose,
      ),
  },
  "with arguments as an object": {
    hasIds: false,
    print: (calls, choose) =>
      group(
        calls.map(({ name, arguments: given }) => fn(name, JSON.parse(given))),
        choose,
      ),
  },
  "under one id for all": {
    hasIds: false,
    print: (calls, choose) =>
      group(
        interleave(
          calls.map(({ name, arguments: given }, index) => [
            { index, id: "call", ...fn(name, "") },
            ...split(given, choose).map((text) => ({ index, ...more(text) })),
          ]),
          choose,
        ),
        choose,
      ),
  },
  "as function_call": {
    hasIds: false,
    isSingle: true,
    print: (calls, choose) =>
      calls.flatMap(({ name, arguments: given }) => {
        const [head = "", ...rest] = split(name, choose);
        return [
          ...[head, ...rest].map((text) => ({ function_call: { name: text } })),
          ...split(given, choose).map((text) => ({ function_call: { arguments: text } })),
        ];
      }),
  },
  "as function_call with the name in every piece": {
    hasIds: false,
    isSingle: true,
    print: (calls, choose) =>
      calls.flatMap(({ name, arguments: given }) =>
        split(given, choose)
          .filter((text) => text !== "")
          .map((text) => ({ function_call: { name, arguments: text } })),
      ),
  },
};

const someCalls = fc
  .array(
    fc.record({
      name: fc.stringMatching(/^[a-z_]{1,8}$/),
      arguments: fc
        .dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue({ maxDepth: 1 }))
        .map((value) => JSON.stringify(value)),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((calls) => calls.map((call, nth) => ({ id: `call_${nth}`, ...call })));

function cut(text: string, choose: Choose): Uint8Array[] {
  const bytes = bytesOf(text);
  const places = Array.from({ length: choose(20) }, () => choose(bytes.length + 1));
  const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, nth) => bytes.slice(sorted[nth], end));
}

describe("calls that a server writes", () => {
  test.each(Object.entries(dialects))("%s are the same however they are split", (_, dialect) => {
    const { print, hasIds = true, isSingle = false } = dialect;
    fc.assert(
      fc.property(
        someCalls,
        fc.array(fc.nat(), { minLength: 50, maxLength: 50 }),
        fc.constantFrom("tool_calls", "function_call", "stop", "eos"),
        fc.constantFrom<"frames" | "deltas">("frames", "deltas"),
        (all, numbers, finish, as) => {
          let at = 0;
          const choose: Choose = (count) => (numbers[at++ % numbers.length] ?? 0) % count;
          const calls = isSingle ? all.slice(0, 1) : all;
          const deltas = [{ content: "Let me see." }, ...print(calls, choose)];
          const answer = read(cut(answerOf(deltas, finish), choose), { as });
          expect([answer.text, answer.end]).toEqual(["Let me see.", "tool_calls"]);
          expect(answer.calls.map(({ name, arguments: given }) => [name, given])).toEqual(
            calls.map(({ name, arguments: given }) => [name, given]),
          );
          const ids = answer.calls.map(({ id }) => id);
          if (hasIds) expect(ids).toEqual(calls.map(({ id }) => id));
          expect(new Set(ids).size).toBe(calls.length);
          for (const id of ids) expect(id).toMatch(/^.{1,40}$/);
        },
      ),
    );
  });

  test("and names first, and numbers later, are one call", () => {
    const deltas = [fn("f", ""), { id: "a", ...more("{") }, { id: "a", ...more("}") }];
    expect(readDeltasOf([{ tool_calls: deltas }]).calls).toEqual([
      { id: "a", name: "f", arguments: "{}" },
    ]);
  });

  test("after their text come before the usage, and no frame holds any of them", () => {
    const call = { index: 0, id: "a", ...fn("f", "{}") };
    for (const as of ["frames", "deltas"] as const) {
      const { events } = readDeltasOf([{ content: "x", tool_calls: [call] }], { as });
      expect(events.map(({ type }) => type)).toEqual([
        as === "frames" ? "upstream-frames" : "text-delta",
        "tool-call",
        "usage",
      ]);
      const frames = events.flatMap((event) =>
        event.type === "upstream-frames" ? readDeltas(event.bytes) : [],
      );
      expect(frames.map((delta) => delta["tool_calls"])).toEqual(frames.map(() => undefined));
    }
  });

  test("in the chunk of the finish reason count, and those after it do not", () => {
    const call = (id: string) => ({ tool_calls: [{ id, ...fn("f", "") }] });
    const text = [chunk(call("a"), "stop"), chunk(call("b"), "stop")].map(frame).join("");
    const { calls, end } = read([bytesOf(text)]);
    expect([calls.map(({ id }) => id), end]).toEqual([["a"], "tool_calls"]);
  });
});

describe("an answer with calls", () => {
  const call = { index: 0, id: "a", ...fn("f", '{"a":') };

  test("that breaks off makes none of them", () => {
    const { calls, end } = read([bytesOf(frame(chunk({ tool_calls: [call] })))]);
    expect([calls, end]).toEqual([[], "upstream_truncated"]);
  });

  test("that names none of its tools is no answer, and pieces that say nothing are passed over", () => {
    expect(readDeltasOf([{ tool_calls: [{ index: 0, ...more("{}") }] }]).end).toBe(
      "upstream_invalid",
    );
    const odd = [0, null, {}, { id: 5, function: 7 }, { index: 1, id: "b" }, fn("", [])];
    const { calls, end } = readDeltasOf([{ tool_calls: odd }, { function_call: {} }]);
    expect([calls, end]).toEqual([[], "stop"]);
  });

  test("that calls more tools than allowed, or has longer arguments than an answer may be, is refused", () => {
    const limits = { ...defaultApi.limits, maxToolCalls: 3 };
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ index, ...fn("f", "{}") }));
    expect(readDeltasOf([{ tool_calls: many(3) }], { limits }).end).toBe("tool_calls");
    const refused = readDeltasOf([{ tool_calls: many(4) }], { limits });
    expect(refused.error?.message).toBe("The model called more than 3 tools in one answer.");
    expect([refused.end, refused.calls]).toEqual(["upstream_too_large", []]);
    expect(readDeltasOf([{ tool_calls: many(129) }]).end).toBe("upstream_too_large");

    const small = { maxEvent: 10_000, maxAnswer: 2_000 };
    const long = Array.from({ length: 30 }, () => ({
      tool_calls: [{ index: 0, ...more("x".repeat(100)) }],
    }));
    for (const use of ["read", "passed"] as const)
      expect(readDeltasOf(long, { limits: small, use }).end).toBe("upstream_too_large");
  });

  test("that nobody asked for ends with its first call, named, after the text before it", () => {
    for (const as of ["frames", "deltas"] as const) {
      const asked = { as, use: "refused" } as const;
      const listed = readDeltasOf([{ content: "a" }, { tool_calls: [call] }], asked);
      expect([listed.text, listed.end, listed.calls]).toEqual(["a", "upstream_tool_call", []]);
      expect(listed.error?.message).toBe('The model called tool "f", but was offered none.');
      const old = readDeltasOf([{ function_call: { arguments: "{" } }], asked);
      expect(old.error?.message).toBe("The model called a tool, but was offered none.");
    }
  });

  test("that the request's own tools asked for is passed on as it came, with its finish reason", () => {
    const deltas = [{ content: "a" }, { tool_calls: [call] }, { function_call: { name: "f" } }];
    for (const finish of ["tool_calls", "stop"]) {
      const { events, end } = readDeltasOf(deltas, { as: "frames", use: "passed" }, finish);
      const frames = events.flatMap((event) =>
        event.type === "upstream-frames" ? readDeltas(event.bytes) : [],
      );
      expect([frames, end]).toEqual([deltas, finish]);
    }
  });
});

test.each(["read", "passed"] as const)(
  "calls whose chunks have an empty finish reason are whole with the end marker (%s)",
  (use) => {
    const call = { index: 0, id: "c1", function: { name: "f", arguments: "{}" } };
    const text = frame(chunk({ tool_calls: [call] }, "")) + frame("[DONE]");
    for (const as of ["frames", "deltas"] as const) {
      const { end, calls } = read([bytesOf(text)], { as, use });
      expect(end).toBe("tool_calls");
      expect(calls.length).toBe(use === "read" ? 1 : 0);
    }
    expect(read([bytesOf(text.replace("[DONE]", '"x"'))], { use }).end).toBe("upstream_truncated");
  },
);
