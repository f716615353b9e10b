// Events of a model's stream that have names of their own.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDeltas } from "../../../src/model/chat/chat-chunk.ts";
import { type As, cutBytes, readAnswer } from "../../helpers/read-answer.ts";
import { bytesOf, chunk, defaultApi, frame } from "../../helpers/upstream.ts";

type Seen = { text: string } | { event: string; data: unknown };

/** What is passed on, texts that follow each other as one; or the code of the error. */
function read(
  bytes: Uint8Array,
  as: As = "frames",
  places: readonly number[] = [],
  limits = defaultApi.limits,
): Seen[] | string {
  const answer = readAnswer(cutBytes(bytes, places), { as, limits });
  const seen: Seen[] = [];
  for (const event of answer.events) {
    if (event.type === "upstream-event") {
      expect(event.data).not.toMatch(/[\r\n]/);
      seen.push({ event: event.event, data: JSON.parse(event.data) });
      continue;
    }
    let text = event.type === "text-delta" ? event.text : "";
    if (event.type === "upstream-frames")
      text = readDeltas(event.bytes)
        .map(({ content }) => content ?? "")
        .join("");
    const last = seen.at(-1);
    if (last !== undefined && "text" in last) last.text += text;
    else if (text !== "") seen.push({ text });
  }
  return answer.error?.code ?? seen;
}

const text = (content: string): string => frame(chunk({ content }));
const end = frame(chunk({}, "stop")) + frame("[DONE]");
const named = (event: string, data: string): string =>
  `event: ${event}\n${data.replaceAll(/^/gm, "data: ")}\n\n`;

describe("an event with a name of its own", () => {
  const name = fc
    .stringMatching(/^[\w.-]{1,64}$/)
    .filter((one) => !/^(?:error|message)$/i.test(one));
  const json = fc
    .jsonValue()
    .filter((value) => !(value instanceof Object && ("choices" in value || "error" in value)));
  const part = fc.oneof(
    fc.record({ text: fc.stringMatching(/^[a-z"\\]{1,9}$/) }),
    fc.record({ event: name, data: json, indent: fc.constantFrom(0, 2) }),
  );

  test("is passed on in its place, however the stream is written and cut", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.constantFrom<As>("frames", "deltas"),
        fc.array(fc.nat(), { maxLength: 12 }),
        (parts, lineEnd, as, places) => {
          const stream = parts.map((one) =>
            "text" in one
              ? text(one.text)
              : named(one.event, JSON.stringify(one.data, null, one.indent)),
          );
          const bytes = bytesOf((stream.join("") + end).replaceAll("\n", lineEnd));
          const expected: Seen[] = [];
          for (const one of parts) {
            const last = expected.at(-1);
            if ("event" in one)
              expected.push({ event: one.event, data: JSON.parse(JSON.stringify(one.data)) });
            else if (last !== undefined && "text" in last) last.text += one.text;
            else expected.push({ text: one.text });
          }
          expect(read(bytes, as, places)).toEqual(expected);
        },
      ),
    );
  });

  test.each([
    ["whose name is no name", named("a b", "{}")],
    ["whose name is too long", named("a".repeat(65), "{}")],
    ["whose name could end a line", named("a\u2028b", "{}")],
    ["named as the default is", named("message", '{"a":1}')],
    ["named as errors are", named("Error", '{"a":1}')],
    ["whose data is a word", named("ping", "ok")],
    ["whose data is a broken text", named("ping", '"ok')],
    ["without data", "event: ping\n\n"],
    ["that holds a chunk", named("chunk", chunk({ content: "" }))],
  ])("%s is not passed on, and spoils nothing", (_, event) => {
    for (const as of ["frames", "deltas"] as const)
      expect(read(bytesOf(text("a") + event + text("b") + end), as)).toEqual([{ text: "ab" }]);
  });

  test("that holds a broken object, or an error, is an error as before", () => {
    expect(read(bytesOf(text("a") + named("chunk", '{"id":') + end))).toBe("upstream_invalid");
    expect(read(bytesOf(text("a") + named("progress", '{"error":"x"}') + end))).toBe(
      "upstream_error",
    );
  });

  test("counts as answer, so that a stream of them ends", () => {
    const event = named("progress", JSON.stringify("x".repeat(1_000)));
    const limits = { maxEvent: 2_000, maxAnswer: 10_000 };
    expect(read(bytesOf(event.repeat(9) + end), "frames", [], limits)).toHaveLength(9);
    expect(read(bytesOf(event.repeat(11) + end), "frames", [], limits)).toBe("upstream_too_large");
  });

  test("after the finish reason is not passed on", () => {
    const stream = text("a") + frame(chunk({}, "stop")) + named("late", "{}") + frame("[DONE]");
    expect(read(bytesOf(stream))).toEqual([{ text: "a" }]);
  });
});
