import { showName } from "../../../../src/base/errors/names.ts";
import * as fc from "fast-check";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createPrinter } from "../../../../src/cli/call/show/print-answer.ts";
import {
  createEscaper,
  escapeControls,
  escapeLine,
} from "../../../../src/cli/call/show/escape-controls.ts";
import { createMarkdownPainter } from "../../../../src/cli/call/show/markdown-painter.ts";
import {
  type Terminal,
  createTerminal,
  printApprovalDiff,
  showWholeName,
} from "../../../../src/cli/call/terminal.ts";
import { Screen } from "../screen.ts";

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
    fc.constantFrom(
      "a",
      "\r",
      "\n",
      "\u001b",
      "\ud83d",
      "\ude00",
      "😀",
      "中",
      "1",
      "\u200d",
      "\ufe0f",
      "\u20e3",
      ..."⚠ 👩 💻 🏽 🇩 🇪 🏴".split(" "),
      "\u{e0067}",
    ),
    { maxLength: 24 },
  );
  fc.assert(
    fc.property(pieces, (list) => {
      const escaper = createEscaper();
      const written = [...list.map((piece) => escaper.feed(piece)), escaper.finish()];
      // Streams encode each piece alone, so half a character would be lost.
      const printed = written.map((piece) => piece.toWellFormed()).join("");
      expect(printed).toBe(escapeControls(list.join("")).toWellFormed());
    }),
    { numRuns: 1_000 },
  );
});

/** Unicode's own properties, each asked for by itself. */
const hides = [
  /\p{Cc}/u,
  /\p{Cf}/u,
  /\p{Cs}/u,
  /\p{Co}/u,
  /\p{Zl}/u,
  /\p{Zp}/u,
  /\p{Default_Ignorable_Code_Point}/u,
  /\p{Bidi_Control}/u,
  /\p{Variation_Selector}/u,
  /\p{Noncharacter_Code_Point}/u,
];
const isHiding = (sign: string): boolean =>
  sign !== "\t" && sign !== "\n" && hides.some((property) => property.test(sign));

/** Every place where the terminal shows what a model, a file or a tool has written. */
const terminal = createTerminal(new Screen(), new PassThrough(), { plain: true });
const shownBy: Record<string, (text: string) => string> = {
  escapeControls,
  escapeLine,
  "the diff that is approved": (text) => printApprovalDiff(`+${text}`, terminal),
  "a path that is asked for": showWholeName,
  "a step of a run": showName,
  "an answer as it is": (text) => shownAnswer(text, undefined),
  "a rendered answer": (text) => shownAnswer(text, createMarkdownPainter),
};

function shownAnswer(text: string, createPainter: Terminal["createPainter"]): string {
  const screen = new Screen();
  const coloured = createTerminal(screen, new PassThrough(), { plain: true, createPainter });
  const printer = createPrinter(coloured);
  for (const sign of text) printer.print("text", sign);
  printer.finish();
  return String(screen.read() ?? "");
}

describe.each(Object.entries(shownBy))("%s", (_, show) => {
  test("shows no character as it is that ends lines elsewhere, takes no room or has no form", () => {
    const kept: string[] = [];
    // Tags and selectors of variants are in the plane that is looked at in part; private signs fill whole planes.
    const ends = [0x3000, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xf8ff, 0xf900, 0x10000, 0x1d1ff];
    const all = Array.from({ length: 0xe1000 }, (__, code) => code).filter(
      (code) => code < 0x3200 || (code >= 0xe0000 && code < 0xe0200) || ends.includes(code),
    );
    for (const code of [...all, 0xfeff, 0xfff9, 0xfffe, 0xffa0, 0x1bca0, 0x1d173, 0x10ffff]) {
      const sign = String.fromCodePoint(code);
      if (isHiding(sign) && show(`a${sign}b`).includes(sign)) kept.push(code.toString(16));
    }
    expect(kept).toEqual([]);
  });
});

test("emoji and what is written in any language stay as they are in an answer", () => {
  const text = "⚠️ 1️⃣ 👩🏽‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️‍🔥 中文，。 ñ é עברית العربية हिन्दी ไทย 한국어 ﬁ €";
  expect(escapeControls(text)).toBe(text);
  expect(shownAnswer(`${text}\n`, undefined)).toBe(`${text}\n`);
});

test("a mark that joins emoji is shown where it joins none", () => {
  expect(escapeControls("a\u200db \u{1f600}\ufe0fx")).toBe("a\\u{200d}b 😀\\u{fe0f}x");
});
