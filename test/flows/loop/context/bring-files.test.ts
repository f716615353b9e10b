// The code that the first prompt of the agent brings along, for what a request names.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainCodeParser } from "../../../../src/code/plain/analyze-plain.ts";
import { estimateTokens } from "../../../../src/turn/tokens.ts";
import { mapRepository } from "../../../../src/flows/loop/context/map-repository.ts";
import { scriptedModel } from "../../../../src/testing.ts";
import { textOfMessage } from "../../../../src/turn/chat-message.ts";
import { ask, prompted } from "../../../helpers/copilot-client.ts";
import { createTestApp } from "../../../helpers/create-test-app.ts";
import { createTestCoding, toolCall } from "../../../helpers/loop-app.ts";
import { createTextWorkspace } from "../../../helpers/text-workspace.ts";
import { cases } from "../../../helpers/cases.ts";
import { code } from "../../../helpers/code-parser.ts";

/** What the prompt says between its map and the request. */
async function bring(
  request: string,
  files: Record<string, string>,
  parser = code,
  contextWindow = 128_000,
): Promise<string> {
  const model = scriptedModel([[toolCall("finish", { response: "Done." })]], { contextWindow });
  const coding = await createTestCoding(files);
  const { app } = createTestApp({ models: model, coding, code: parser });
  await ask(app, "code", [prompted(request)]);
  const prompt = model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "";
  const from = prompt.indexOf("\n# Code that the request names");
  return from === -1 ? "" : prompt.slice(from, prompt.indexOf("\n# Request\n"));
}

const many = (count: number, print: (nth: number) => string): string =>
  Array.from({ length: count }, (_, nth) => print(nth)).join("\n");
const total =
  "/** Sums up. */\nexport function total(items: number[]): number {\n  let sum = 0;\n  for (const item of items) sum =+ item;\n  return sum;\n}\n";
const others = (count: number): string =>
  many(
    count,
    (nth) => `export function other${nth}(x: number): number {\n  return x * ${nth};\n}\n`,
  );
const styles = many(
  60,
  (nth) => `.total-${nth} { color: red; }\n.total { --total: ${nth}; }\n/* total */`,
);
const noise = {
  "styles/total.css": styles,
  "styles/main.css": styles,
  "README.md": "# Total\n\nThe total.\n",
};

describe("a request that names a symbol only brings its definition's code", () => {
  const requests = [
    "fix total",
    "Fix `total`",
    "total is wrong",
    "Total is wrong.",
    "why does total() fail?",
    "修复 total",
    "请把 total 函数重命名为 sum",
    "total的结果不对",
  ];
  test.each(requests)("%s: of a large file just that, at whatever place", async (request) => {
    for (const parser of [code, plainCodeParser]) {
      const large = `${others(620)}\n${total}\n${others(20)}`;
      const text = await bring(request, { ...noise, "src/cart.ts": large }, parser);
      expect(text).toContain(total);
      expect(text).toMatch(/`src\/cart\.ts` \(defines `total`, lines \d+ to \d+ of \d+\)/);
      expect(text).toContain("Not shown whole: `src/cart.ts`");
      expect(text).not.toContain("x * 300");
      expect(text).not.toContain("--total");
    }
  });

  const languages: [path: string, text: string][] = [
    ["shop/cart.py", "class Cart:\n    def total(self):\n        return sum(self.items)\n"],
    ["cart.go", "package cart\n\nfunc (c *Cart) total() int {\n\treturn c.sum\n}\n"],
    ["src/cart.rs", "impl Cart {\n    pub fn total(&self) -> u32 {\n        self.sum\n    }\n}\n"],
    ["Cart.java", "class Cart {\n  int total() {\n    return sum;\n  }\n}\n"],
    ["cart.js", "export const total = (items) => {\n  return items.length;\n};\n"],
    ["cart.rb", "class Cart\n  def total\n    @sum\n  end\nend\n"],
    ["cart.c", "int total(struct cart *c)\n{\n  return c->sum;\n}\n"],
  ];
  test.each(languages)("in %s, whole where the file is small", async (path, definition) => {
    const text = await bring("fix total", { ...noise, [path]: definition });
    expect(text).toContain(definition);
    expect(text).not.toContain("Not shown whole");
  });

  test("and one that names a method of a type brings that of no other", async () => {
    const large = `${others(620)}\nexport class Cart {\n  total() {\n    return "cart";\n  }\n}\nexport class Order {\n  total() {\n    return "order";\n  }\n}\n`;
    const text = await bring("Why does `Cart.total` fail?", { "src/shop.ts": large });
    expect(text).toContain('return "cart"');
    expect(text).not.toContain('return "order"');
  });

  test("a field is meant where nothing else has the name", async () => {
    const field = "export class Cart {\n  readonly total = 4_711;\n}\n";
    const large = (text: string): string => `${others(620)}\n${text}`;
    expect(await bring("fix total", { "src/cart.ts": large(field) })).toContain("4_711");
    const both = { "src/cart.ts": large(field), "src/total.ts": large(total) };
    const text = await bring("fix total", both);
    expect(text).toContain("sum =+ item");
    expect(text).not.toContain("4_711");
  });

  test("a verb at the beginning of a request is no symbol, another common word is one if nothing else is", async () => {
    const files = {
      "src/math.ts": `export function add(a: number, b: number): number {\n  return a - b;\n}\n`,
      "src/cart.ts": total,
    };
    expect(await bring("fix add", files)).toContain("return a - b;");
    expect(await bring("请将 add 函数重命名为 sum", files)).toContain("return a - b;");
    expect(await bring("Add a limit to total", files)).not.toContain("return a - b;");
    expect(await bring("Add a button", files)).toBe("");
  });

  test("words of a long request are no names", async () => {
    const text = `The total is what people look at first when they open the page, and ${"it is long ".repeat(5)}`;
    expect(await bring(text, { "src/cart.ts": `${others(620)}\n${total}` })).toBe("");
  });

  test("of a definition that is too long the beginning comes, and it says where it ends", async () => {
    const body = many(5_000, (nth) => `  step(${nth});`);
    const text = await bring("fix total", {
      "src/a.ts": `export function total() {\n${body}\n}\n`,
    });
    expect(text).toContain("step(100);");
    expect(text).toMatch(/lines 1 to \d+ of 5002; it goes on to line 5002/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(12_000);
  });
});

describe("the map prefers definitions of what is named to words in other files", () => {
  test.each(["fix total", "fix `total`", "修复 total"])("%s", async (request) => {
    const files = new Map(Object.entries({ ...noise, "zz/cart.ts": `${others(30)}\n${total}` }));
    const { signal } = new AbortController();
    const use = { code, signal, maxTokens: 40 };
    const { files: shown } = await mapRepository(createTextWorkspace(files), request, use);
    expect(shown[0]).toEqual({ path: "zz/cart.ts", why: { kind: "defines", what: "total" } });
  });

  test("also among a thousand files of which most have the word", async () => {
    const files = new Map([
      ...Array.from(
        { length: 600 },
        (_, nth) => [`a/${nth}.css`, ".total { color: red; }\n"] as const,
      ),
      ...Array.from(
        { length: 600 },
        (_, nth) => [`b/use${nth}.ts`, `// total\nuse(${nth});\n`] as const,
      ),
      ["zz/cart.ts", total] as const,
    ]);
    for (const request of ["fix total", "fix `total`"]) {
      const workspace = createTextWorkspace(files);
      const { signal } = new AbortController();
      const use = { code, signal };
      const { files: shown } = await mapRepository(workspace, request, use);
      expect(shown[0]?.path).toBe("zz/cart.ts");
    }
  });
});

test("whatever a request names, what comes of it is bounded, and what does not come whole is said", async () => {
  const lines = [
    "const x = 1;",
    "// 合计",
    "export function total() {",
    "}",
    "\t",
    "a b c d e f g",
  ];
  const sizes = [1, 50, 1_000, 4_000, 9_000];
  const text = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(4));
  const repository = fc.array(text, { minLength: 1, maxLength: 9 });
  const print = ([one, other, size]: [number, number, number]): string =>
    `${many(sizes[size] ?? 1, (nth) => lines[nth % 7 === 0 ? one : other] ?? "")}\n`;
  await fc.assert(
    fc.asyncProperty(repository, fc.constantFrom(40_000, 128_000), async (texts, window) => {
      const files = Object.fromEntries(texts.map((each, nth) => [`src/f${nth}.ts`, print(each)]));
      const request = `Fix total in ${Object.keys(files).join(", ")}`;
      const shown = await bring(request, files, plainCodeParser, window);
      const tokens = Array.from({ length: Math.ceil(shown.length / 30_000) }, (_, nth) =>
        estimateTokens(shown.slice(nth * 30_000, (nth + 1) * 30_000)),
      ).reduce((sum, each) => sum + each, 0);
      expect(tokens).toBeLessThanOrEqual(Math.min(12_000, window / 4 + 400));
      const [, rest = ""] = shown.split("Not shown whole: ");
      for (const [path, whole] of Object.entries(files))
        if (!shown.includes(`\`${path}\` (named in the request)`) || !shown.includes(whole))
          expect(rest).toContain(`\`${path}\``);
    }),
    { numRuns: cases(5) },
  );
});
