// Lines that a model repeats itself in, or that somebody made it write.
import { stripVTControlCharacters } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createMarkdownPainter } from "../../../../src/cli/call/show/markdown-painter.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { Screen } from "../screen.ts";
import { cases } from "../../../helpers/cases.ts";

const size = 100_000;

function paint(markdown: string) {
  const terminal = createTerminal(new Screen(), new Screen());
  let calls = 0;
  const painter = createMarkdownPainter({
    ...terminal,
    outWidth: () => {
      calls += 1;
      return 60;
    },
    outStyle: (...given) => {
      calls += 1;
      return terminal.outStyle(...given);
    },
  });
  const shown = stripVTControlCharacters(painter.feed(markdown) + painter.finish());
  return { shown, calls };
}

const signs = "#>-*_+=~`|[]()!\\<&:.1aA \t\"'/中".split("");
const unit = fc.oneof(
  fc.constantFrom(...signs),
  fc.tuple(fc.constantFrom(...signs), fc.constantFrom(...signs)).map((pair) => pair.join("")),
);
const opening = fc.constantFrom("", "> ", "- ", "# ", "| a |\n| - |\n| ", "```ts\n", "```diff\n");

test("a line of 100,000 characters that repeat is shown in calls and text that grow no faster than it", () => {
  fc.assert(
    fc.property(opening, unit, (begin, part) => {
      const line = begin + part.repeat(size / part.length);
      const { shown, calls } = paint(`${line}word\n`);
      expect(calls).toBeLessThan(2 * size);
      expect(shown.length).toBeLessThan(12 * size);
      expect(shown).toContain("word");
    }),
    { numRuns: cases(20) },
  );
});

test("texts and cells with hundreds of marks stay as they were written", () => {
  for (const part of ["*", "_", "[", "`", "*a", "](", "**_"]) {
    const text = `x${part.repeat(500)}`;
    expect(paint(`${text}\n`).shown).toBe(`${text}\n`);
    const table = `| a | b |\n| - | - |\n| x | ${text} |\n`;
    expect(paint(table).shown).toBe(table);
  }
});

test.each([1, 5, 20, 21, 100, 5_000, 100_000])("a quote of %i levels keeps its text", (levels) => {
  for (const sign of [">", "> "]) {
    const { shown, calls } = paint(`${sign.repeat(levels)}text\n`);
    expect(shown.match(/│/g)).toHaveLength(
      Math.min(levels, 20) * shown.trimEnd().split("\n").length,
    );
    expect(shown).toContain("text");
    expect(shown.replace(/[^>]/g, "")).toHaveLength(Math.max(0, levels - 20));
    expect(calls).toBeLessThan(10);
  }
});

test("an indentation of any length is repeated on the lines that follow only as far as it can be seen", () => {
  const words = "word ".repeat(10_000);
  for (const lead of [" ".repeat(50_000), "\t".repeat(50_000)]) {
    const { shown } = paint(`- a\n${lead}- ${words}\n${lead}${words}\n`);
    expect(shown.match(/word/g)).toHaveLength(20_000);
    expect(shown.length).toBeLessThan(60 * 20_000);
  }
});
