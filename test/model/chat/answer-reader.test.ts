import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { AnswerReader } from "../../../src/model/chat/answer-reader.ts";
import { readDeltas } from "../../../src/model/chat/chat-chunk.ts";
import type { RelayedEvent } from "../../../src/turn/turn-event.ts";
import { answerOf, bytesOf, chunk, defaultApi, frame, usageChunk } from "../../helpers/upstream.ts";

const fallback = () => ({ id: "ours", model: "m", created: 1 });

/** Reads a stream that comes in the given pieces: the events, or the error that it ends with. */
function read(
  pieces: readonly Uint8Array[],
  as: "frames" | "deltas" = "frames",
  limits = defaultApi.limits,
) {
  const reader = new AnswerReader(as, limits, fallback);
  const events: RelayedEvent[] = [];
  try {
    for (const piece of pieces) if (!reader.rules.done) events.push(...reader.push(piece));
    events.push(...reader.finish());
    return { events, reason: reader.end(), error: undefined };
  } catch (thrown) {
    return {
      events,
      reason: reader.rules.reason,
      error: thrown instanceof AppError ? thrown.code : thrown,
    };
  }
}

function textOf(events: readonly RelayedEvent[]): string {
  return events
    .map((event) => {
      if (event.type === "text-delta") return event.text;
      if (event.type !== "upstream-frames") return "";
      return readDeltas(event.bytes)
        .map(({ content }) => content ?? "")
        .join("");
    })
    .join("");
}

const framesOf = (events: readonly RelayedEvent[]): string =>
  events
    .map((event) => (event.type === "upstream-frames" ? new TextDecoder().decode(event.bytes) : ""))
    .join("");

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return sorted.slice(1).map((end, index) => bytes.slice(sorted[index], end));
}

describe("plain frames", () => {
  test("are passed on as the bytes that came, without the finish, the usage and the end marker", () => {
    const text = answerOf("Hello", " 世界", ' "quoted" \\ and\n😀');
    const { events, reason } = read([bytesOf(text)]);
    expect(framesOf(events)).toBe(text.slice(0, text.indexOf(frame(chunk({}, "stop")))));
    expect(reason).toBe("stop");
    expect(events.at(-1)).toEqual({
      type: "usage",
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
  });

  test("give the same text however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        fc.constantFrom<"frames" | "deltas">("frames", "deltas"),
        (texts, places, as) => {
          const bytes = bytesOf(answerOf(...texts));
          const { events, reason, error } = read(cut(bytes, places), as);
          expect(error).toBeUndefined();
          expect(reason).toBe("stop");
          expect(textOf(events)).toBe(bytesText(texts));
        },
      ),
    );
  });

  test("that repeat a known shape with broken JSON inside are found out", () => {
    const good = frame(chunk({ content: "x" }));
    for (const bad of ['a"b', "a\\xb", "a\nb", "a\\u12g4b", "\u0001"]) {
      const broken = good.replace('"x"', `"${bad}"`);
      expect([bad, read([bytesOf(good + good + broken + answerOf("y"))]).error]).toEqual([
        bad,
        "upstream_invalid",
      ]);
    }
  });
});

/** Lone surrogates do not survive UTF-8, so JSON escapes them; they come back as they were. */
const bytesText = (texts: readonly string[]): string => texts.join("");

describe("framings that are odd but legal", () => {
  const a = chunk({ content: "a" });
  const b = chunk({ content: "b" });
  const end = chunk({}, "stop");
  test.each<[string, string]>([
    ["CRLF line ends", [a, b, end, "[DONE]"].map((data) => `data: ${data}\r\n\r\n`).join("")],
    ["CR line ends", [a, b, end, "[DONE]"].map((data) => `data: ${data}\r\r`).join("")],
    ["no blank after the colon", [a, b, end, "[DONE]"].map((data) => `data:${data}\n\n`).join("")],
    ["a byte-order mark", `\uFEFF${[a, b, end, "[DONE]"].map(frame).join("")}`],
    [
      "comments between frames",
      `: hello\n\n${[a, b, end, "[DONE]"].map(frame).join(": ping\n\n")}`,
    ],
    [
      "comments inside frames",
      [a, b, end, "[DONE]"].map((data) => `: c\ndata: ${data}\n\n`).join(""),
    ],
    [
      "event names, ids and retries",
      [a, b, end, "[DONE]"]
        .map((data, id) => `event: message\nid: ${id}\nretry: 10\ndata: ${data}\n\n`)
        .join(""),
    ],
    ["unknown fields", [a, b, end, "[DONE]"].map((data) => `foo: bar\ndata: ${data}\n\n`).join("")],
    [
      "data in two lines",
      [a, b, end].map((data) => `data: ${data.replace(",", ",\ndata: ")}\n\n`).join("") +
        frame("[DONE]"),
    ],
    ["many blank lines", [a, b, end, "[DONE]"].map((data) => `\n\n\ndata: ${data}\n\n\n`).join("")],
    [
      "blanks around the JSON",
      [a, b, end, "[DONE]"].map((data) => `data:   ${data}  \n\n`).join(""),
    ],
    ["the marker [Done]", [a, b, end, "[Done]"].map(frame).join("")],
    ["the marker without a blank line", `${[a, b, end].map(frame).join("")}data: [DONE]\n`],
    ["the marker without a line end", `${[a, b, end].map(frame).join("")}data: [DONE]`],
    ["no marker at all", [a, b, end].map(frame).join("")],
    ["a last frame without a blank line", `${[a, b].map(frame).join("")}data: ${end}`],
    ["empty events", `${frame(a)}data:\n\n${[b, end, "[DONE]"].map(frame).join("")}`],
    [
      "empty choices first",
      [chunk({}).replace(/"choices":\[.*\]/, '"choices":[]'), a, b, end, "[DONE]"]
        .map(frame)
        .join(""),
    ],
    ["null deltas", [a.replace('{"content":"a"}', "null"), a, b, end].map(frame).join("")],
    [
      "other choices",
      [a, b.replace('"index":0', '"index":1').replace('"b"', '"zzz"'), b, end].map(frame).join(""),
    ],
    [
      "an empty finish reason",
      [a.replace('"finish_reason":null', '"finish_reason":""'), b, end].map(frame).join(""),
    ],
    ["text in the last chunk", [a, chunk({ content: "b" }, "stop")].map(frame).join("")],
    [
      "frames after the finish reason",
      [a, b, end, chunk({ content: "more" }), chunk({}, "length")].map(frame).join(""),
    ],
    [
      "missing ids and fractions in created",
      [a, b, end]
        .map((data) =>
          frame(data.replace('"id":"chatcmpl-up",', "").replace("1763600000", "1763600000.25")),
        )
        .join(""),
    ],
    ["changing ids", frame(a) + frame(b.replace("chatcmpl-up", "other")) + frame(end)],
    [
      "usage in every chunk",
      [a, b, end]
        .map((data) =>
          frame(
            `${data.slice(0, -1)},"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`,
          ),
        )
        .join(""),
    ],
  ])("%s: the whole text, one id, one finish", (_, text) => {
    for (const places of [[], [...Array(text.length).keys()], [7, 31, 90, 180]]) {
      const { events, reason, error } = read(cut(bytesOf(text), places));
      expect(error).toBeUndefined();
      expect([textOf(events), reason]).toEqual(["ab", "stop"]);
      const ids = [...framesOf(events).matchAll(/"id":"([^"]*)"/g)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(1);
      expect(framesOf(events)).not.toMatch(/"created":\d+\.|\r|event:|\[done\]/i);
    }
  });
});

describe("what is no success", () => {
  const a = frame(chunk({ content: "a" }));
  test.each<[string, string, string]>([
    ["an end before the finish reason", a, "upstream_truncated"],
    ["a marker before the finish reason", a + frame("[DONE]"), "upstream_truncated"],
    ["nothing at all", "", "upstream_truncated"],
    ["a frame cut in the middle", a + a.slice(0, 40), "upstream_invalid"],
    ["data that is no JSON", `${a}data: {"id":\n\n`, "upstream_invalid"],
    ["an error event by name", `${a}event: error\ndata: {"message":"x"}\n\n`, "upstream_error"],
    ["an error object", a + frame('{"error":{"message":"x"}}'), "upstream_error"],
    [
      "an error with choices",
      a + frame(chunk({}, "error", ',"error":{"message":"x"}')),
      "upstream_error",
    ],
    ["the finish reason error", a + frame(chunk({}, "error")), "upstream_error"],
    ["an object of type error", a + frame('{"object":"error","message":"x"}'), "upstream_error"],
  ])("%s is an error, and what came before it was passed on", (_, text, code) => {
    for (const as of ["frames", "deltas"] as const) {
      const { events, error } = read(cut(bytesOf(text), [a.length]), as);
      expect(error).toBe(code);
      expect(textOf(events)).toBe(text.startsWith(a) ? "a" : "");
    }
  });

  test("half a character and bytes that are no UTF-8 are an error", () => {
    const whole = bytesOf(a.replace('"a"', '"é"'));
    const at = whole.indexOf(0xc3);
    const half = new Uint8Array([...whole.slice(0, at + 1), ...whole.slice(at + 2)]);
    expect(read([half, bytesOf(answerOf("x"))]).error).toBe("upstream_invalid");
    expect(read([new Uint8Array([0xff, 0xfe, 10, 10])]).error).toBe("upstream_invalid");
  });
});

describe("chunks whose finish reason is an empty text have none", () => {
  const parts = fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 6 });
  const bodyOf = (texts: readonly string[]): string =>
    texts.map((content) => frame(chunk({ content }, ""))).join("");

  test("with an end marker after them the answer is whole, without one it is cut", () => {
    fc.assert(
      fc.property(
        parts,
        fc.constantFrom(
          "",
          "data: [DONE]\n\n",
          "data: [Done]\n",
          "data:[done]",
          "data: [DONE]\r\n\r\n",
        ),
        fc.constantFrom("", frame(usageChunk), ": ping\n\n"),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom<"frames" | "deltas">("frames", "deltas"),
        (texts, marker, between, places, as) => {
          const bytes = bytesOf(bodyOf(texts) + between + marker);
          const { events, reason, error } = read(cut(bytes, places), as);
          expect(textOf(events)).toBe(texts.join(""));
          expect([reason, error]).toEqual(
            marker === "" ? [undefined, "upstream_truncated"] : ["stop", undefined],
          );
          expect(framesOf(events)).not.toContain('"finish_reason":""');
        },
      ),
    );
  });

  test("what was held back as the beginning of a tag comes with the marker", () => {
    for (const as of ["frames", "deltas"] as const)
      expect(textOf(read([bytesOf(bodyOf(["<thi"]) + frame("[DONE]"))], as).events)).toBe("<thi");
  });
});

describe("limits", () => {
  const limits = { maxEvent: 10_000, maxAnswer: 20_000 };
  const piece = bytesOf("x".repeat(4_096));

  /** Feeds a first piece, then the same one again and again: how many it took, and the error. */
  function flood(first: Uint8Array, again: Uint8Array, most: number) {
    const reader = new AnswerReader("frames", limits, fallback);
    reader.push(first);
    let pulled = 0;
    while (!reader.rules.done && pulled < most) {
      reader.push(again);
      pulled++;
    }
    return { pulled, end: () => reader.end() };
  }

  test("an endless line ends at the event limit", () => {
    const { pulled, end } = flood(bytesOf("data: "), piece, 100);
    expect(end).toThrow("larger than allowed");
    expect(pulled).toBeLessThan(5);
  });

  test("an endless event of many lines ends at the event limit", () => {
    const line = bytesOf(`data: ${"x".repeat(1_000)}\r\n`);
    const { pulled, end } = flood(line, line, 100);
    expect(end).toThrow("larger than allowed");
    expect(pulled).toBeLessThan(15);
  });

  test.each(["", "\r", "\r\n", "data: x\r", ": c\r\n\r\n"])(
    "an endless line of an unknown field after %j ends at the event limit",
    (start) => {
      const { pulled, end } = flood(bytesOf(`${start}foo: `), piece, 100);
      expect(end).toThrow();
      expect(pulled).toBeLessThan(5);
    },
  );

  test("an endless answer ends at the answer limit", () => {
    const one = bytesOf(frame(chunk({ content: "y".repeat(500) })));
    const { pulled, end } = flood(one, one, 1_000);
    expect(end).toThrow("larger than allowed");
    expect(pulled).toBeLessThanOrEqual(41);
  });
});

describe("a fault", () => {
  const a = frame(chunk({ content: "a" }));

  test.each([
    ["data that is no JSON", bytesOf("data: {\n\n")],
    ["bytes that are no UTF-8", new Uint8Array([100, 97, 116, 97, 58, 32, 0xff, 10, 10])],
    ["an error event", bytesOf(frame('{"error":{"message":"x"}}'))],
  ])("%s leaves what stood before it in the same piece", (_, rest) => {
    const { events, error } = read([new Uint8Array([...bytesOf(a + a), ...rest])]);
    expect(textOf(events)).toBe("aa");
    expect(error).toMatch(/^upstream_/);
  });

  test("after the finish reason is none, whatever it is", () => {
    const end = bytesOf(a + frame(chunk({}, "stop")));
    for (const rest of [bytesOf("data: bye\n\n"), new Uint8Array([0xff, 10, 10])]) {
      const { events, reason, error } = read([new Uint8Array([...end, ...rest])]);
      expect([textOf(events), reason, error]).toEqual(["a", "stop", undefined]);
    }
  });
});

test("a byte-order mark of the model is not passed on", () => {
  const { events } = read([bytesOf(`\uFEFF${answerOf("a")}`)]);
  expect(framesOf(events).startsWith("data: ")).toBe(true);
});

test("reasoning and text come as deltas of their kinds where deltas are asked for", () => {
  const text = [
    chunk({ reasoning_content: "hm" }),
    chunk({ reasoning: "so" }),
    chunk({ content: "a" }),
    chunk({}, "length"),
    usageChunk,
  ]
    .map(frame)
    .join("");
  const { events, reason } = read([bytesOf(text)], "deltas");
  expect(events.slice(0, 3)).toEqual([
    { type: "reasoning-delta", text: "hm" },
    { type: "reasoning-delta", text: "so" },
    { type: "text-delta", text: "a" },
  ]);
  expect(reason).toBe("length");
});
