import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Frame,
  type FrameReader,
  FrameTooLarge,
  createFrameReader,
  encodeFrame,
} from "../../../src/base/wire/sse-frames.ts";

const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, ""));
const frame = fc.record({
  event: fc.option(
    line.filter((name) => name !== ""),
    { nil: undefined },
  ),
  data: fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n")),
  /** What may stand between two events and means nothing. */
  noise: fc.constantFrom("", ": a comment", "id: 7", "retry: 100", "unknown: field"),
});
const lineEnd = fc.constantFrom("\n", "\r", "\r\n");
const cuts = fc.array(fc.nat(), { maxLength: 20 });

function print(frames: readonly (Frame & { noise: string })[], end: string): string {
  return frames
    .map(({ event, data, noise }) =>
      [
        ...(noise === "" ? [] : [noise]),
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...data.split("\n").map((text) => `data: ${text}`),
        "",
        "",
      ].join(end),
    )
    .join("");
}

/** Cuts a text at random places, within surrogate pairs and CRLF as well. */
function cut(text: string, places: readonly number[]): string[] {
  const borders = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
  return [0, ...borders].map((from, index) => text.slice(from, borders[index] ?? text.length));
}

function readAll(reader: FrameReader, pieces: readonly string[]): Frame[] {
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.finish()];
}

const plain = ({ event, data }: Frame): Frame => ({ event, data });

test("frames printed with any line end and cut anywhere come back the same", () => {
  fc.assert(
    fc.property(fc.array(frame), lineEnd, fc.boolean(), cuts, (frames, end, hasMark, places) => {
      const text = `${hasMark ? "\uFEFF" : ""}${print(frames, end)}`;
      const reader = createFrameReader(100_000);
      expect(readAll(reader, cut(text, places))).toEqual(frames.map(plain));
    }),
  );
});

test("frames of our own encoder cut anywhere come back the same", () => {
  const own = fc.record({ event: frame.map(({ event }) => event), data: line });
  fc.assert(
    fc.property(fc.array(own), cuts, (frames, places) => {
      const text = frames.map(({ event, data }) => encodeFrame(data, event)).join("");
      expect(readAll(createFrameReader(100_000), cut(text, places))).toEqual(frames);
    }),
  );
});

test("a last event without its blank line, or without any line end, is held until finish", () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1 }), lineEnd, fc.boolean(), (frames, end, isBare) => {
      const text = print(frames, end).slice(0, -end.length * (isBare ? 2 : 1));
      const reader = createFrameReader(100_000);
      expect(reader.feed(text)).toEqual(frames.slice(0, -1).map(plain));
      expect(reader.finish()).toEqual(frames.slice(-1).map(plain));
    }),
  );
});

test("a frame arrives with the piece that completes it", () => {
  const reader = createFrameReader(100);
  expect(reader.feed("data: a\n")).toEqual([]);
  expect(reader.feed("\ndata: b")).toEqual([{ event: undefined, data: "a" }]);
  expect(reader.feed("\n\n")).toEqual([{ event: undefined, data: "b" }]);
  expect(reader.finish()).toEqual([]);
});

test("an event that grows past the limit throws, on one line as on many", () => {
  const onOne = createFrameReader(100);
  onOne.feed(`data: ${"x".repeat(80)}`);
  expect(() => onOne.feed("x".repeat(80))).toThrow(FrameTooLarge);
  const onMany = createFrameReader(100);
  expect(() => onMany.feed(`data: ${"x".repeat(20)}\n`.repeat(10))).toThrow(FrameTooLarge);
});

test("an event over the limit is refused also when it comes in one piece", () => {
  const whole = (size: number): Frame[] =>
    createFrameReader(100).feed(`data: ${"x".repeat(size)}\n\n`);
  expect(whole(100)).toHaveLength(1);
  expect(() => whole(101)).toThrow(FrameTooLarge);
});

test("many events that are small each are not too large together", () => {
  const reader = createFrameReader(100);
  const text = `data: ${"x".repeat(60)}\n\n`.repeat(50);
  expect(readAll(reader, cut(text, [130, 777, 1_500]))).toHaveLength(50);
});
