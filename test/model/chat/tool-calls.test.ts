import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolCall } from "../../../src/turn/chat-message.ts";
import { type As, cutBytes, readAnswer } from "../../helpers/read-answer.ts";
import { bytesOf, chunk, frame, usageChunk } from "../../helpers/upstream.ts";

type Reading = Parameters<typeof readAnswer>[1];

const read = (pieces: readonly Uint8Array[], reading?: Reading) =>
  readAnswer(pieces, { as: "deltas", use: "read", ...reading });

const answerOf = (deltas: readonly object[], finish = "tool_calls"): string =>
  [...deltas.map((delta) => chunk(delta)), chunk({}, finish), usageChunk, "[DONE]"]
    .map(frame)
    .join("");

const readDeltasOf = (deltas: readonly object[], reading?: Reading, finish?: string) =>
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

type Print = (call: ToolCall, index: number, choose: Choose) => object[];

/** Entries of one call: the first with its name, and the rest; the name itself may come in pieces. */
const inParts = (
  first: object,
  rest: object,
  [name, given]: readonly [string, string],
  choose: Choose,
  names = [name],
): object[] => [
  { ...first, ...fn(names[0] ?? "", "") },
  ...names.slice(1).map((text) => ({ ...rest, ...fn(text, "") })),
  ...split(given, choose).map((text) => ({ ...rest, ...more(text) })),
];

interface Dialect {
  print: Print;
  /** Entries of several calls come in between each other. */
  isMixed?: true;
  /** The server gives ids. */
  hasIds?: false;
  /** Its one call comes in `function_call`. */
  isOld?: true;
}

/** How servers write calls. */
const dialects: Record<string, Dialect> = {
  "as OpenAI does": {
    isMixed: true,
    print: ({ id, name, arguments: given }, index, choose) =>
      inParts({ index, id, type: "function" }, { index }, [name, given], choose),
  },
  "with names in pieces": {
    isMixed: true,
    print: ({ id, name, arguments: given }, index, choose) =>
      inParts({ index, id }, { index }, [name, given], choose, split(name, choose)),
  },
  "without ids": {
    isMixed: true,
    hasIds: false,
    print: ({ name, arguments: given }, index, choose) => [
      { index, id: choose(2) === 0 ? "" : null, ...fn(name, null) },
      ...split(given, choose).map((text) => ({ index, ...fn("", text) })),
    ],
  },
  "without numbers, ids in the first piece": {
    print: ({ id, name, arguments: given }, _, choose) =>
      inParts({ id }, {}, [name, given], choose, split(name, choose)),
  },
  "without numbers, id and name in every piece": {
    isMixed: true,
    print: ({ id, name, arguments: given }, _, choose) =>
      split(given, choose).map((text) => ({ id, ...fn(name, text) })),
  },
  "with neither ids nor numbers": {
    hasIds: false,
    print({ name, arguments: given }, _, choose) {
      const [head = "", ...rest] = split(given, choose);
      return [fn(name, head), ...rest.map(more)];
    },
  },
  "all under the number 0, ids in the first piece": {
    print: ({ id, name, arguments: given }, _, choose) =>
      inParts({ index: 0, id }, { index: 0 }, [name, given], choose),
  },
  "all under the number 0, ids in every piece": {
    isMixed: true,
    print: ({ id, name, arguments: given }, _, choose) =>
      split(given, choose).map((text, nth) => ({
        index: 0,
        id,
        ...fn(nth === 0 ? name : "", text),
      })),
  },
  "numbered in texts": {
    isMixed: true,
    print: ({ id, name, arguments: given }, nth, choose) =>
      inParts({ index: String(nth), id }, { index: String(nth) }, [name, given], choose),
  },
  "whole, in as many chunks as it likes": {
    print: ({ id, name, arguments: given }, index, choose) => [
      { ...(choose(2) === 0 ? { index } : {}), id, ...fn(name, given) },
    ],
  },
  "whole, without ids, all under the number 0": {
    hasIds: false,
    print: ({ name, arguments: given }) => [{ index: 0, ...fn(name, given) }],
  },
  "with arguments as an object": {
    hasIds: false,
    print: ({ name, arguments: given }) => [fn(name, JSON.parse(given))],
  },
  "under one id for all": {
    isMixed: true,
    hasIds: false,
    print: ({ name, arguments: given }, index, choose) =>
      inParts({ index, id: "call" }, { index }, [name, given], choose),
  },
  "as function_call": {
    hasIds: false,
    isOld: true,
    print: ({ name, arguments: given }, _, choose) => [
      ...split(name, choose).map((text) => ({ name: text })),
      ...split(given, choose).map((text) => ({ arguments: text })),
    ],
  },
  "as function_call with the name in every piece": {
    hasIds: false,
    isOld: true,
    print: ({ name, arguments: given }, _, choose) =>
      split(given, choose)
        .filter((text) => text !== "")
        .map((text) => ({ name, arguments: text })),
  },
};

/** The deltas that make these calls. */
function printDeltas(
  { print, isMixed, isOld }: Dialect,
  calls: readonly ToolCall[],
  choose: Choose,
): object[] {
  const entries = calls.map((call, index) => print(call, index, choose));
  if (isOld) return entries.flat().map((part) => ({ function_call: part }));
  return group(isMixed ? interleave(entries, choose) : entries.flat(), choose);
}

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

describe("calls that a server writes", () => {
  test.each(Object.entries(dialects))("%s are the same however they are split", (_, dialect) => {
    const { hasIds = true, isOld = false } = dialect;
    fc.assert(
      fc.property(
        someCalls,
        fc.array(fc.nat(), { minLength: 50, maxLength: 50 }),
        fc.constantFrom("tool_calls", "function_call", "stop", "eos"),
        fc.constantFrom<As>("frames", "deltas"),
        (all, numbers, finish, as) => {
          let at = 0;
          const choose: Choose = (count) => (numbers[at++ % numbers.length] ?? 0) % count;
          const calls = isOld ? all.slice(0, 1) : all;
          const deltas = [{ content: "Let me see." }, ...printDeltas(dialect, calls, choose)];
          const places = Array.from({ length: choose(20) }, () => choose(10_000));
          const answer = read(cutBytes(bytesOf(answerOf(deltas, finish)), places), { as });
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
      const { events, said } = readDeltasOf([{ content: "x", tool_calls: [call] }], { as });
      expect(events.map(({ type }) => type)).toEqual([
        as === "frames" ? "upstream-frames" : "text-delta",
        "tool-call",
        "usage",
      ]);
      expect(said.some((delta) => "tool_calls" in delta)).toBe(false);
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
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ index, ...fn("f", "{}") }));
    expect(readDeltasOf([{ tool_calls: many(2_048) }]).end).toBe("tool_calls");
    const refused = readDeltasOf([{ tool_calls: many(2_049) }]);
    expect(refused.error?.message).toBe("The model called more than 2048 tools in one answer.");
    expect([refused.end, refused.calls]).toEqual(["upstream_too_large", []]);

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
      const { said, end } = readDeltasOf(deltas, { as: "frames", use: "passed" }, finish);
      expect([said, end]).toEqual([deltas, finish]);
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
