import { expect, test } from "vitest";
import type { CodeRange } from "../../src/code/code-analysis.ts";
import { find, parser, rangesOf } from "./read-fixture.ts";

/** Cuts a range as an editor would: columns in UTF-16 code units. */
function cut(text: string, { startLine, startColumn, endLine, endColumn }: CodeRange): string {
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/);
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).join("").length + column - 1;
  return text.slice(offset(startLine, startColumn), offset(endLine, endColumn));
}

test.each([
  ["\n", "typescript"],
  ["\r\n", "typescript"],
  ["\n", "python"],
  ["\r\n", "python"],
] as const)(
  "columns after Chinese text and emoji are UTF-16 (%j, %s)",
  async (lineBreak, language) => {
    const lines =
      language === "typescript"
        ? [
            'const 标题 = "😀😀合计"; /** 文档 😀 */',
            "/** 价格 😀。 */ export function 计算(价格: number) {",
            '  return "👍🏽" + 价格;',
            "}",
            "",
          ]
        : [
            "标题 = '😀😀合计'",
            "def 计算(价格):",
            "    '''价格 😀。'''",
            "    return '👍🏽' + 价格",
            "",
          ];
    const text = lines.join(lineBreak);
    const analysis = await parser.analyze(text, language);
    expect(analysis.problems).toEqual([]);
    const symbol = find(analysis, "计算");
    expect(cut(text, symbol.nameRange)).toBe("计算");
    expect(cut(text, symbol.docComment ?? symbol.range)).toContain("价格 😀。");
    const [first, ...others] = rangesOf(analysis, "strings").map((range) =>
      cut(text, range).slice(1, -1),
    );
    expect(first).toBe("😀😀合计");
    expect(others.some((string) => string === "👍🏽")).toBe(true);
    expect(cut(text, symbol.range)).toMatch(/(?:function|def) 计算[^]*价格;?(?:\r?\n\})?$/);
  },
);

test("a range ends before the line break that a grammar counts to the node", async () => {
  const rust = await parser.analyze("/// Doc.\r\nfn a() {}\r\n", "rust");
  expect(find(rust, "a").docComment).toEqual({
    startLine: 1,
    startColumn: 1,
    endLine: 1,
    endColumn: 9,
  });
});

test("a text without a line break at its end, and an empty one, are read", async () => {
  const { symbols } = await parser.analyze("def a(): pass", "python");
  expect(symbols[0]?.range).toEqual({ startLine: 1, startColumn: 1, endLine: 1, endColumn: 14 });
  expect(await parser.analyze("", "python")).toMatchObject({ language: "python", symbols: [] });
});
