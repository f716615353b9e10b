import { type EventSourceMessage, createParser } from "eventsource-parser";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createFrameReader,
  encodeComment,
  encodeFrame,
} from "../../../src/base/wire/sse-frames.ts";

test("a frame is its event line, one data line and a blank line", () => {
  expect(encodeFrame('{"a":1}')).toBe('data: {"a":1}\n\n');
  expect(encodeFrame("{}", "copilot_action")).toBe("event: copilot_action\ndata: {}\n\n");
});

test("a comment frame is a byte on the wire and no event to a reader", () => {
  expect(encodeComment("keep-alive")).toBe(": keep-alive\n\n");
  const reader = createFrameReader(1_000);
  expect(reader.feed(encodeComment("keep-alive") + encodeFrame("x"))).toEqual([
    { event: undefined, data: "x" },
  ]);
});

/** Texts with many line ends and with what means something to a parser. */
const odd = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\n", "\r", "\r\n", ":", " ", "data: ", "event: x", "id: 1", "\0", "\uFEFF"),
    fc.string({ unit: "binary" }),
  ),
});

function parse(text: string): { events: EventSourceMessage[]; others: string[] } {
  const events: EventSourceMessage[] = [];
  const others: string[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (retry) => others.push(`retry ${retry}`),
    onError: (error) => others.push(error.message),
  });
  parser.feed(text);
  return { events, others };
}

test("whatever text goes into a frame comes out as one event, with LF as its line ends", () => {
  fc.assert(
    fc.property(odd, fc.option(odd, { nil: undefined }), (data, name) => {
      const { events, others } = parse(encodeFrame(data, name) + encodeFrame("next"));
      const event = name?.replaceAll(/[\r\n]/g, "");
      expect(others).toEqual([]);
      expect(events).toEqual([
        { id: undefined, event: event || undefined, data: data.replaceAll(/\r\n|\r/g, "\n") },
        { id: undefined, event: undefined, data: "next" },
      ]);
    }),
  );
});

test("whatever text goes into a comment, a parser sees no event", () => {
  fc.assert(
    fc.property(odd, (text) => {
      const { events, others } = parse(encodeComment(text) + encodeFrame("next"));
      expect(others).toEqual([]);
      expect(events).toEqual([{ id: undefined, event: undefined, data: "next" }]);
    }),
  );
});

test("text that would forge a field or a second frame stays text", () => {
  expect(encodeFrame("a\n\ndata: [DONE]\r\rb")).toBe(
    "data: a\ndata: \ndata: data: [DONE]\ndata: \ndata: b\n\n",
  );
  expect(encodeFrame("{}", "x\r\ndata: forged")).toBe("event: xdata: forged\ndata: {}\n\n");
});
