import { expect, test } from "vitest";
import { AnswerReader } from "../../../src/model/chat/answer-reader.ts";
import { countBytes } from "../../helpers/count-bytes.ts";
import { answerOf, bytesOf, chunk, defaultApi, frame } from "../../helpers/upstream.ts";

const fallback = () => ({ id: "ours", model: "m", created: 1 });
const large = "x".repeat(200_000);

/** How often each byte of a stream is touched that comes in pieces of this size. */
function touches(text: string, size: number): number {
  const bytes = bytesOf(text);
  const reader = new AnswerReader("frames", defaultApi.limits, fallback);
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
