import { expect, test } from "vitest";
import { encodeComment, encodeFrame, encodeText } from "../../src/wire/sse-frame.ts";
import { createFrameReader } from "../../src/wire/frame-reader.ts";

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

test("text goes out in UTF-8", () => {
  expect([...encodeText("é中😀")]).toEqual([0xc3, 0xa9, 0xe4, 0xb8, 0xad, 0xf0, 0x9f, 0x98, 0x80]);
});
