import { cliTexts } from "../../../../src/cli/texts.ts";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMarkdownPainter } from "../../../../src/cli/call/show/markdown-painter.ts";
import { printAnswer } from "../../../../src/cli/call/show/print-answer.ts";
import { createTerminal, type Terminal } from "../../../../src/cli/call/terminal.ts";
import { Screen } from "../screen.ts";

function screenOf(columns: number): Terminal {
  return { ...createTerminal(new Screen(), new Screen()), outWidth: () => columns };
}

/** The text as it is seen, with its colours. */
function paint(markdown: string, columns = 60): string {
  const painter = createMarkdownPainter(screenOf(columns));
  return painter.feed(markdown) + painter.finish();
}

/** The text as it is read, line by line. */
function read(markdown: string, columns?: number): string[] {
  return stripVTControlCharacters(paint(markdown, columns)).split("\n").slice(0, -1);
}

describe("of Markdown", () => {
  test("headings, emphasis and code lose their marks and get a style", () => {
    expect(paint("## A `b` ##\n")).toBe("\u001b[1mA \u001b[36mb\u001b[39m\u001b[22m\n");
    expect(read("# A `b`\n\n*x* **y** `z` [t](http://u)\n")).toEqual([
      "A b",
      "",
      "x y z t (http://u)",
    ]);
  });

  test("nested lists keep their depth, and lines that wrap hang below their first word", () => {
    const lines = ["- one two three four", "  - five six seven", "    1. eight", "- [x] done"];
    expect(read(`${lines.join("\n")}\n`, 22)).toEqual([
      "• one two three four",
      "  • five six seven",
      "    1. eight",
      "☑ done",
    ]);
    expect(read("- one two three four five\n", 22)).toEqual(["• one two three four", "  five"]);
  });

  test("a table gets borders, and its cells wrap where the terminal is narrow", () => {
    expect(read("| a | b |\n| --- | ---: |\n| 中文 | 1 |\n\nend\n")).toEqual([
      "┌──────┬────┐",
      "│ a    │  b │",
      "├──────┼────┤",
      "│ 中文 │  1 │",
      "└──────┴────┘",
      "",
      "end",
    ]);
    const wide = `| a | b |\n| - | - |\n| ${"word ".repeat(20)} | x |\n`;
    expect(read(wide, 40).every((line) => line.length <= 40)).toBe(true);
    expect(read(wide, 40).join(" ").match(/word/g)).toHaveLength(20);
  });

  test("a line that only begins like a fence is text, and shown at once", () => {
    const painter = createMarkdownPainter(screenOf(60));
    expect(stripVTControlCharacters(painter.feed("```x``` is code\nnext\n"))).toBe(
      "x is code\nnext\n",
    );
  });

  test("a line with a bar is no table by itself", () => {
    expect(read("a | b\nc | d\n")).toEqual(["a | b", "c | d"]);
  });

  test("quotes and rules are drawn, and text that only looks like marks stays", () => {
    expect(read("> said\n\n***\n1 * 2 * 3, a_b_c, Array<T> & <div>\n", 30)).toEqual([
      "│ said",
      "",
      "─".repeat(30),
      "1 * 2 * 3, a_b_c, Array<T> &",
      "<div>",
    ]);
  });

  test("code keeps every character and every space, and is coloured by its language", () => {
    const code = ['const a = "x"; // y', "\treturn  1 | 2;", "", "# no heading"];
    expect(read(`\`\`\`ts\n${code.join("\n")}\n\`\`\`\n`).slice(1, -1)).toEqual(code);
    expect(paint("```ts\nconst a = 1; // b\n```\n")).toContain("\u001b[35mconst\u001b[39m");
    expect(paint("```py\nx = 1 # b\n```\n")).toContain("\u001b[2m# b\u001b[22m");
    expect(paint("```ts\n/* a\nconst */ const\n```\n")).toContain(
      "\u001b[2mconst */\u001b[22m \u001b[35mconst\u001b[39m",
    );
    expect(paint("```\nconst a\n```\n")).toContain("\nconst a\n");
  });

  test("a diff has the colours of a diff, and fences inside of a longer fence stay", () => {
    expect(paint("```diff\n-a\n+b\n```\n")).toContain("\u001b[31m-a\u001b[39m\n\u001b[32m+b");
    expect(read("````md\n```\nx\n```\n````\n").slice(1, -1)).toEqual(["```", "x", "```"]);
    const quoting = "~~~ diff\n ```\n-x\n~~~~\n-y\n";
    expect(read(quoting).slice(1)).toEqual([" ```", "-x", "─".repeat(40), "-y"]);
    expect(paint("1. So:\n   ```diff\n   -x\n   +y\n   ```\n")).toContain(
      "\n   \u001b[31m-x\u001b[39m\n   \u001b[32m+y\u001b[39m\n   \u001b[2m─",
    );
  });

  test("Chinese wraps between characters, and punctuation never begins a line", () => {
    expect(read("一二三四五，六七八九十\n", 10)).toEqual(["一二三四", "五，六七八", "九十"]);
    expect(read("- 一二三四五六七八九十十一\n", 22)).toEqual(["• 一二三四五六七八九十", "  十一"]);
  });
});

test("sequences of the model are taken out, other control characters are shown", () => {
  expect(paint("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u0008\u202e\n")).toBe(
    "red x\\x08\\u202e\n",
  );
  expect(paint("```ts\n\u001b[2Jx\n```\n")).toContain("\nx\n");
});

test("what is shown does not depend on how the text is cut", () => {
  const text =
    "# T\n\n- a **b**\n  - `c`\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```ts\nlet a; /* b\nc */\n```\n> 中文 \u001b[1m!\n\r\nend";
  const whole = paint(text);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const painter = createMarkdownPainter(screenOf(60));
      const ends = [...cuts.toSorted((left, right) => left - right), text.length];
      const shown = ends.map((end, nth) => painter.feed(text.slice(ends[nth - 1] ?? 0, end)));
      expect(shown.join("") + painter.finish()).toBe(whole);
    }),
  );
});

test("any text is shown, whatever it holds", () => {
  const signs = fc.constantFrom("*", "_", "`", "[", "]", "<", "|", "-", "#", "\n", " ", "a", "中");
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (parts) => {
      expect(() => paint(`${parts.join("")}\n`, 20)).not.toThrow();
    }),
  );
});

test("an answer is rendered where a painter is given, and reasoning between its lines changes nothing", async () => {
  const [out, err] = [new Screen(), new Screen()];
  const parts = async function* () {
    yield { type: "text-delta", text: "## One\n- a" } as const;
    yield { type: "reasoning-delta", text: "hm" } as const;
    yield { type: "text-delta", text: "- b" } as const;
  };
  const terminal = createTerminal(out, err, { createPainter: createMarkdownPainter });
  await printAnswer(parts(), terminal, cliTexts("en"));
  expect(stripVTControlCharacters(out.text)).toBe("One\n• a\n• b\n");
  expect(err.text).toContain("hm");
});

test("streams that are no screens show no colours, each by itself", () => {
  const [screen, file] = [new Screen(), new PassThrough()];
  const terminal = createTerminal(file, screen);
  terminal.out(terminal.outStyle("bold", "x"));
  terminal.err(terminal.errStyle("bold", "y"));
  expect([String(file.read()), screen.text]).toEqual(["x", "\u001b[1my\u001b[22m"]);
  const plain = createTerminal(screen, screen, { plain: true });
  expect(plain.outStyle("bold", "x") + plain.errStyle("red", "y")).toBe("xy");
});
