import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createEscaper,
  escapeControls,
  escapeLine,
} from "../../../../src/cli/call/show/escape-controls.ts";

test("sequences that colour, move the cursor or set the title come out as text", () => {
  expect(escapeControls("\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \b\u007f")).toBe(
    String.raw`\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J \x08\x7f`,
  );
});

test("tabs, line ends, Chinese and emoji stay, and CRLF becomes LF", () => {
  expect(escapeControls("a\tb\r\n中文 😀\n")).toBe("a\tb\n中文 😀\n");
  expect(escapeControls("good\rbad")).toBe(String.raw`good\x0dbad`);
});

test("marks that turn the direction of text around are shown", () => {
  expect(escapeControls("a\u202eb\u2066c")).toBe(String.raw`a\u202eb\u2066c`);
});

test("what stays on one line has no line ends", () => {
  expect(escapeLine(" a\r\n  b\u001b ")).toBe(String.raw`a b\x1b`);
});

test("a text cut anywhere is escaped as the whole text is", () => {
  const pieces = fc.array(
    fc.constantFrom("a", "\r", "\n", "\u001b", "\ud83d", "\ude00", "😀", "中"),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (list) => {
      const escaper = createEscaper();
      const written = [...list.map((piece) => escaper.feed(piece)), escaper.finish()];
      // Streams encode each piece alone, so half a character would be lost.
      const printed = written.map((piece) => piece.toWellFormed()).join("");
      expect(printed).toBe(escapeControls(list.join("")).toWellFormed());
    }),
    { numRuns: 200 },
  );
});
