import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerReader } from "../../../src/model/chat/answer-reader.ts";
import { countBytes } from "../../helpers/count-bytes.ts";
import { type As, cutBytes, fallbackHead, readAnswer } from "../../helpers/read-answer.ts";
import { answerOf, bytesOf, chunk, defaultApi, frame, usageChunk } from "../../helpers/upstream.ts";

describe("plain frames", () => {
  test("are passed on as the bytes that came, without the finish, the usage and the end marker", () => {
    const text = answerOf("Hello", " 世界", ' "quoted" \\ and\n😀');
    const { events, frames, end } = readAnswer([bytesOf(text)]);
    expect(frames).toBe(text.slice(0, text.indexOf(frame(chunk({}, "stop")))));
    expect(end).toBe("stop");
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
        fc.constantFrom<As>("frames", "deltas"),
        (texts, places, as) => {
          const bytes = bytesOf(answerOf(...texts));
          const { text, end } = readAnswer(cutBytes(bytes, places), { as });
          expect([text, end]).toEqual([texts.join(""), "stop"]);
        },
      ),
    );
  });

  test("that repeat a known shape with broken JSON inside are found out", () => {
    const good = frame(chunk({ content: "x" }));
    for (const bad of ['a"b', "a\\xb", "a\nb", "a\\u12g4b", "\u0001"]) {
      const broken = good.replace('"x"', `"${bad}"`);
      const { end } = readAnswer([bytesOf(good + good + broken + answerOf("y"))]);
      expect([bad, end]).toEqual([bad, "upstream_invalid"]);
    }
  });
});

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
      const answer = readAnswer(cutBytes(bytesOf(text), places));
      expect([answer.text, answer.end]).toEqual(["ab", "stop"]);
      const ids = [...answer.frames.matchAll(/"id":"([^"]*)"/g)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(1);
      expect(answer.frames).not.toMatch(/"created":\d+\.|\r|event:|\[done\]/i);
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
      const answer = readAnswer(cutBytes(bytesOf(text), [a.length]), { as });
      expect([answer.text, answer.end]).toEqual([text.startsWith(a) ? "a" : "", code]);
    }
  });

  test("half a character and bytes that are no UTF-8 are an error", () => {
    const whole = bytesOf(a.replace('"a"', '"é"'));
    const at = whole.indexOf(0xc3);
    const half = new Uint8Array([...whole.slice(0, at + 1), ...whole.slice(at + 2)]);
    expect(readAnswer([half, bytesOf(answerOf("x"))]).end).toBe("upstream_invalid");
    expect(readAnswer([new Uint8Array([0xff, 0xfe, 10, 10])]).end).toBe("upstream_invalid");
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
        fc.constantFrom<As>("frames", "deltas"),
        (texts, marker, between, places, as) => {
          const bytes = bytesOf(bodyOf(texts) + between + marker);
          const { text, end, frames } = readAnswer(cutBytes(bytes, places), { as });
          expect([text, end]).toEqual([
            texts.join(""),
            marker === "" ? "upstream_truncated" : "stop",
          ]);
          expect(frames).not.toContain('"finish_reason":""');
        },
      ),
    );
  });

  test("what was held back as the beginning of a tag comes with the marker", () => {
    for (const as of ["frames", "deltas"] as const)
      expect(readAnswer([bytesOf(bodyOf(["<thi"]) + frame("[DONE]"))], { as }).text).toBe("<thi");
  });
});

describe("limits", () => {
  const limits = { maxEvent: 10_000, maxAnswer: 20_000 };
  const piece = bytesOf("x".repeat(4_096));

  /** Feeds a first piece, then the same one again and again: how many it took, and the error. */
  function flood(first: Uint8Array, again: Uint8Array, most: number) {
    const reader = new AnswerReader("frames", limits, fallbackHead);
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
    const { text, end } = readAnswer([new Uint8Array([...bytesOf(a + a), ...rest])]);
    expect([text, end]).toEqual(["aa", expect.stringMatching(/^upstream_/)]);
  });

  test("after the finish reason is none, whatever it is", () => {
    const end = bytesOf(a + frame(chunk({}, "stop")));
    for (const rest of [bytesOf("data: bye\n\n"), new Uint8Array([0xff, 10, 10])]) {
      const answer = readAnswer([new Uint8Array([...end, ...rest])]);
      expect([answer.text, answer.end]).toEqual(["a", "stop"]);
    }
  });
});

test("a byte-order mark of the model is not passed on", () => {
  const { frames } = readAnswer([bytesOf(`\uFEFF${answerOf("a")}`)]);
  expect(frames.startsWith("data: ")).toBe(true);
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
  const { events, end } = readAnswer([bytesOf(text)], { as: "deltas" });
  expect(events.slice(0, 3)).toEqual([
    { type: "reasoning-delta", text: "hm" },
    { type: "reasoning-delta", text: "so" },
    { type: "text-delta", text: "a" },
  ]);
  expect(end).toBe("length");
});

const large = "x".repeat(200_000);

/** How often each byte of a stream is touched that comes in pieces of this size. */
function touches(text: string, size: number): number {
  const bytes = bytesOf(text);
  const reader = new AnswerReader("frames", defaultApi.limits, fallbackHead);
  const count = countBytes(() => {
    for (let at = 0; at < bytes.length && !reader.rules.done; at += size)
      reader.push(bytes.subarray(at, at + size));
    reader.finish();
  });
  expect(reader.end()).toBe("stop");
  return count / bytes.length;
}

test.each([1, 2, 3, 100, 70_000])(
  "a large event in pieces of %i bytes is looked at and copied a few times, not once for each piece",
  (size) => {
    // One search for the end of the frame, one for CR, up to three copies, one decoding.
    expect(touches(answerOf("a", large, "b"), size)).toBeLessThan(7);
  },
);

test.each([1, 3, 100])(
  "so is one with CRLF line ends, in many lines or behind comments, in pieces of %i bytes",
  (size) => {
    const event = frame(chunk({ content: large }));
    expect(touches(`${event}${answerOf("b")}`.replaceAll("\n", "\r\n"), size)).toBeLessThan(7);
    const lines = event.replaceAll(",", ",\ndata: ");
    expect(touches(`: ${large}\n\n${lines}${answerOf("b")}`, size)).toBeLessThan(7);
  },
);

test("an answer that comes in one piece is searched and decoded once, and not copied", () => {
  const text = answerOf("a", large, "b");
  // To the end of the line, for CR, and the decoding.
  expect(touches(text, text.length)).toBeLessThan(3.1);
});

/** What is passed on of deltas that come each in a frame of its own and all at once. */
function pass(deltas: readonly object[], as: As = "frames") {
  const text = [...deltas.map((delta) => frame(chunk(delta))), frame(chunk({}, "stop"))].join("");
  return readAnswer([bytesOf(text)], { as });
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
  const { reasoning, frames } = pass([
    { reasoning: "So.", reasoning_content: "So." },
    { content: "x" },
  ]);
  expect(reasoning).toBe("So.");
  expect(frames).not.toContain('"reasoning":');
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
