import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FenceRemover } from "../../../src/doors/plugin/without-fences.ts";

function withoutFences(markdown: string): string {
  const lines = new FenceRemover();
  return (lines.push(markdown) + lines.end()).trimEnd();
}

test.each([
  ["a block", "See:\n```py\na = 1\n\nb\n```\nDone.", "See:\n\n    a = 1\n\n    b\n\nDone."],
  ["a block at the start", "```\na\n```", "    a"],
  ["a block that is not closed", "x\n~~~\na\nb", "x\n\n    a\n    b"],
  ["a block in a list", "- one:\n  ```js\n  a()\n  ```\n- two", "- one:\n\n      a()\n\n- two"],
  ["a block in a quotation", "> ```\n> a\n> ```", ">\n\n    > a"],
  ["a fence in a block", "````md\n```\na\n```\n````", "    `\n    a\n    `"],
  ["code in a line", "Use ```a``` and `b`.", "Use `a` and `b`."],
  ["text without any", "Use `b`.\n\n- c\n", "Use `b`.\n\n- c"],
])("%s is text without a fence", (_, markdown, text) => {
  expect(withoutFences(markdown)).toBe(text);
});

test("a text that comes in pieces gives the same, and what went out is sure", () => {
  const piece = fc.constantFrom(
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\r\n",
    " ",
    "    ",
    "> ",
    "- ",
    "1",
    ". ",
    "ab",
    "**c**",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const givesParts of [false, true]) {
        const lines = new FenceRemover(givesParts);
        const text = pieces.map((one) => lines.push(one)).join("") + lines.end();
        expect(text.trimEnd()).toBe(withoutFences(pieces.join("")));
      }
    }),
    { numRuns: 3_000 },
  );
});

test("of a line of words what has come is given at once", () => {
  const lines = new FenceRemover(true);
  const given = ["It", " is `a", "` and ``", "b``.", "\n- **C", "**\n`", "d` e", "\n```"];
  expect(given.map((text) => lines.push(text))).toEqual([
    "It",
    " is `a",
    "` and ",
    "``b``.",
    "\n- **C",
    "**\n",
    "`d` e",
    "\n",
  ]);
});

test("no text keeps a fence, whatever it is made of", () => {
  const piece = fc.constantFrom(
    "`",
    "``",
    "```",
    "````",
    "~~~",
    "\n",
    "\r\n",
    " ",
    "    ",
    "> ",
    "- ",
    "a",
    "py",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(withoutFences(pieces.join(""))).not.toMatch(/`{3}|~{3}/);
    }),
    { numRuns: 2_000 },
  );
});
