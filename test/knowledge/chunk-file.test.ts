import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chunkFile } from "../../src/knowledge/chunk-file.ts";
import type { KnowledgePassage } from "../../src/knowledge/retriever.ts";
import { readFixture } from "./fixtures.ts";

/** `3-9 Guide > Setup` */
function outline(passages: readonly KnowledgePassage[]): string[] {
  return passages.map(
    ({ startLine, endLine, heading }) => `${startLine}-${endLine} ${heading ?? "-"}`,
  );
}

const codeLine = fc.constantFrom(
  "",
  "  ",
  "\t",
  "import x",
  "function total(items) {",
  "  const sum = 0;",
  "  return sum;",
  "}",
  "class Cart:",
  "    def add(self):",
  "        pass",
  "/** 说明 */",
);
const markdownLine = fc.constantFrom(
  "",
  " ",
  "# One",
  "## Two ##",
  "### 三",
  "plain text",
  ..."一段中文。 === --- ``` ```ts ~~~~".split(" "),
  "  ```",
  "- item",
  "> ```",
  "| a | b |",
);
const file = fc.record({
  fileName: fc.constantFrom("a.md", "a.ts", "a.py", "a.txt", "LICENSE", "a.json"),
  lines: fc.array(
    fc.oneof(
      codeLine,
      markdownLine,
      fc.string().map((text) => text.replace(/[\r\n\uFEFF]/g, "")),
    ),
    { maxLength: 300 },
  ),
  end: fc.constantFrom("\n", "\r\n"),
});

test("every line that is not blank is in exactly one passage, in order, as it stands in the file", () => {
  fc.assert(
    fc.property(file, ({ fileName, lines, end }) => {
      const passages = chunkFile(fileName, lines.join(end));
      const covered = passages.flatMap(({ text, startLine, endLine }) => {
        const own = text.split("\n");
        expect(own.length).toBe(endLine - startLine + 1);
        return own.map((line, at) => [startLine + at, line] as const);
      });
      const solid = lines.map((line, at) => [at + 1, line] as const);
      const isSolid = ([, line]: readonly [number, string]): boolean => line.trim() !== "";
      expect(covered.filter(isSolid)).toEqual(solid.filter(isSolid));
      for (const { text } of passages) {
        expect(text.split("\n")[0]?.trim()).not.toBe("");
        expect(text.split("\n").at(-1)?.trim()).not.toBe("");
      }
    }),
    { numRuns: 300 },
  );
});

test("no passage begins or ends within a fence, however long", () => {
  const block = fc.oneof(
    fc.constantFrom("# A", "## B", "text", "", "一段文字"),
    fc
      .tuple(
        fc.constantFrom("```", "~~~", "`````"),
        fc.array(fc.constantFrom("code", "", "# no heading", "---"), { maxLength: 150 }),
      )
      .map(([mark, lines]) => [mark, ...lines, mark].join("\n")),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 30 }), (blocks) => {
      for (const { text } of chunkFile("a.md", blocks.join("\n\n"))) {
        for (const mark of ["```", "~~~", "`````"]) {
          expect(text.split("\n").filter((line) => line === mark).length % 2).toBe(0);
        }
      }
    }),
  );
});

test("passages stay within 60 lines and 400 tokens where they may be cut", () => {
  fc.assert(
    fc.property(file, ({ fileName, lines }) => {
      const noFences = lines.filter((line) => !/`{3}|~{3}|^---/.test(line));
      for (const { startLine, endLine, text } of chunkFile(fileName, noFences.join("\n"))) {
        expect(endLine - startLine).toBeLessThan(60);
        expect(text.length).toBeLessThan(400 * 4);
      }
    }),
  );
});

test("Markdown is cut at its headings, whose path is kept", () => {
  expect(outline(chunkFile("guide.md", readFixture("shop/guide.md")))).toEqual([
    "1-4 -",
    "6-8 Shop guide",
    "10-21 Shop guide > Installation",
    "23-29 Shop guide > Payments > Refunds",
    "31-34 Shop guide > Payments > Retries",
    "36-39 Shop guide > Search",
    "41-45 Shop guide > Deployment",
  ]);
});

test("a heading on a level above closes those below, and loses its links and marks", () => {
  const text = "# A\na\n### B `code`\nb\n## [C](http://c) ##\nc\n# D\nd";
  expect(outline(chunkFile("a.md", text))).toEqual([
    "1-2 A",
    "3-4 A > B code",
    "5-6 A > C",
    "7-8 D",
  ]);
});

test("a fence that nothing closes hides no headings", () => {
  expect(outline(chunkFile("a.md", "# A\n```\na\n# B\nb"))).toEqual(["1-3 A", "4-5 B"]);
});

test("a fence in a list, or in a quotation, is a fence", () => {
  const text = "# A\n\n- item\n\n  ```sh\n  # no heading\n  ```\n\n> ~~~\n> # none\n> ~~~\n";
  expect(outline(chunkFile("a.md", text))).toEqual(["1-11 A"]);
});

test("a heading cannot forge lines where it is printed", () => {
  const [passage] = chunkFile("a.md", `# A\u2028# B ${"x".repeat(1_000)}\ntext`);
  expect(passage?.heading).toMatch(/^A # B x{1,300}…$/);
});

test("code is cut above its declarations, comments and decorators included", () => {
  const body = (count: number): string =>
    Array.from({ length: count }, (_, at) => `    total += price_of(${at}, "long enough")`).join(
      "\n",
    );
  const text = [
    '"""Prices."""',
    "",
    "",
    "# Adds up.",
    "@cached",
    "def first(total):",
    body(20),
    "",
    "",
    "class Cart:",
    "    def second(self):",
    body(20),
    "",
    "    def third(self):",
    body(20),
  ].join("\n");
  expect(outline(chunkFile("a.py", text))).toEqual([
    "1-26 first",
    "29-50 Cart",
    "52-72 Cart > third",
  ]);
});

test("a passage in the middle of a long function says where it is", () => {
  const text = ["export function long(): void {", ...Array(100).fill("  step();"), "}"].join("\n");
  const found = outline(chunkFile("a.ts", text));
  expect(found.length).toBeGreaterThan(2);
  expect(found.every((line) => line.endsWith(" long"))).toBe(true);
});

test("code in several languages names what it declares", () => {
  const names = (fileName: string, text: string): string | undefined =>
    chunkFile(fileName, text)[0]?.heading;
  expect(names("a.go", readFixture("shop/catalogue.go"))).toBe("Tea, RebuildIndex");
  expect(names("a.py", readFixture("shop/refund.py"))).toBe("RefundTooLarge, Charge, refund_order");
  expect(names("a.sql", "CREATE TABLE IF NOT EXISTS shop.teas (\n  id int\n);")).toBe("shop.teas");
  expect(names("a.proto", "message Tea {\n}\nservice Shop {\n}")).toBe("Tea, Shop");
  expect(names("A.java", "public class A {\n  int add(int b) {\n  }\n}")).toBe("A");
  expect(names("a.rs", "pub fn run() {}\nstruct Cart {}")).toBe("run, Cart");
  expect(names("a.ts", "export const limit = () => 1;\nif (limit()) {\n}")).toBe("limit");
});

test("documents and code are told apart by their names", () => {
  const types = "a.md a.txt LICENSE a.ts a.sql Makefile b/Dockerfile a.MD"
    .split(" ")
    .map((fileName) => chunkFile(fileName, "text")[0]?.sourceType);
  expect(types).toEqual(["doc", "doc", "doc", "code", "code", "code", "code", "doc"]);
});

test("a file without text has no passages", () => {
  expect(chunkFile("a.md", "")).toEqual([]);
  expect(chunkFile("a.md", "\uFEFF\r\n \n\n")).toEqual([]);
});

test("a byte-order mark and CRLF are no part of a passage", () => {
  expect(chunkFile("a.md", "\uFEFF# A\r\n\r\ntext\r\n")).toEqual([
    {
      text: "# A\n\ntext",
      fileName: "a.md",
      sourceType: "doc",
      startLine: 1,
      endLine: 3,
      heading: "A",
    },
  ]);
});
