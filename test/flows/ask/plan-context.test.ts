// What prompts show of files of all sizes, asked through the door.
import { describe, expect, test, vi } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { parser } from "../../code/read-fixture.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

interface Asked {
  command?: string;
  content: string;
  path?: string;
  /** Selected lines. */
  lines?: readonly [first: number, last: number];
  cursorLine?: number;
  /** Further variables. */
  others?: readonly { name: string; value: unknown }[];
  settings?: Record<string, string>;
  window?: number;
  options?: unknown;
}

async function ask({ command = "fix", content, path = "src/a.ts", ...given }: Asked) {
  const code = { analyze: vi.fn(parser.analyze.bind(parser)) };
  const { app, model } = createTestApp({ code, settings: given.settings ?? {} });
  model.contextWindow = given.window ?? 128_000;
  const [first, last] = given.lines ?? [0, 0];
  const text = content
    .split("\n")
    .slice(Math.max(first - 1, 0), last)
    .join("\n");
  const range = { content: text, startLine: first, startColumn: 1, endLine: last };
  const offset =
    content
      .split("\n")
      .slice(0, (given.cursorLine ?? 1) - 1)
      .join("\n").length + 1;
  const editor = {
    filePath: path,
    content,
    ...(given.lines === undefined ? {} : { selectedRanges: [range] }),
    ...(given.cursorLine === undefined ? {} : { cursorOffset: offset }),
  };
  const active = { name: "activeEditor", value: editor, resolverOptions: given.options };
  const contextVariables = [active, ...(given.others ?? [])];
  const response = await post(app, { agent: "rightseat", command, contextVariables });
  await response.text();
  const receipt = JSON.parse(response.headers.get("x-rightseat-context") ?? "{}") as {
    cut?: string[];
  };
  const prompt = textOfMessage(model.requests[0]?.messages.at(-1) ?? { role: "user", content: "" });
  return { prompt, receipt, reads: code.analyze.mock.calls.length };
}

const filler = (from: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `export function filler${from + at}(): string {
  const first = "some words to fill the line, and some more";
  const second = "some words to fill the line, and some more";
  return first + second;
}
`,
  ).join("\n");
const big = `import { rate } from "./rate.ts";

interface Order {
  readonly pieces: number;
}

${filler(0, 250)}
export class Shop {
  #open = true;

${filler(250, 20)
  .replace(/^(?=.)/gm, "  ")
  .replaceAll("export function ", "")}
  total(order: Order): number {
    if (!this.#open) throw closed();
    return order.pieces * rate(order);
  }
}

${filler(270, 150)}
function closed(): Error {
  return new Error("The shop is closed.");
}
`;
const lineOf = (words: string): number => big.slice(0, big.indexOf(words)).split("\n").length;
const place = lineOf("return order.pieces");

describe("a file that takes no more than its share of the window", () => {
  const small = `import "./a.ts";\n\n${filler(0, 42)}`;

  test("is shown whole, with the numbers of its lines, and nothing is parsed for it", async () => {
    const { prompt, receipt, reads } = await ask({
      command: "explain",
      content: small,
      lines: [3, 4],
    });
    expect(prompt).toContain('    1 | import "./a.ts";');
    expect(prompt).toContain(">   3 | export function filler0()");
    expect(prompt).toContain(" 177 | export function filler29()");
    expect(prompt).not.toContain("omitted");
    expect(receipt).not.toHaveProperty("cut");
    expect(reads).toBe(0);
  });
});

describe("a longer file", () => {
  test.each(["explain", "fix", "optimize", "docstring", "unittest", "unittest-write"])(
    "comes to %s with imports, heads, definitions and an outline",
    async (command) => {
      const { prompt, receipt } = await ask({ command, content: big, lines: [place, place] });
      for (const words of [
        'import { rate } from "./rate.ts";',
        "interface Order {",
        "readonly pieces: number;",
        "export class Shop {",
        "total(order: Order): number {",
        "#open = true;",
        "function closed(): Error {",
        "export function filler3(): string {",
      ]) {
        const line = new RegExp(`^[> ] +${lineOf(words)} \\| *(.*)$`, "m").exec(prompt)?.[1];
        expect(line).toContain(words);
      }
      expect(prompt).toMatch(/^ +\| \/\/ \.\.\. \d+ lines omitted \.\.\.$/m);
      expect(receipt.cut).toEqual([
        expect.stringMatching(/^activeEditor: \d+ of \d+ lines, \d+ definitions? kept$/),
      ]);
    },
  );

  test("is read once for all that a flow asks of it", async () => {
    const grammars = vi.spyOn(parser, "analyze");
    await ask({ content: big, lines: [place, place] });
    const texts = new Set(grammars.mock.calls.map(([text]) => text));
    expect(texts).toEqual(new Set([big]));
    grammars.mockRestore();
  });

  test("shows the function at the cursor where nothing is selected", async () => {
    const { prompt } = await ask({ command: "chat", content: big, cursorLine: place });
    expect(prompt).toContain(`cursor on line ${place}`);
    expect(prompt).toContain("return order.pieces * rate(order);");
    expect(prompt).toContain("function closed(): Error {");
  });

  test("comes to a chat without a place in outline", async () => {
    const { prompt, receipt } = await ask({ command: "chat", content: big });
    expect(prompt).toContain('import { rate } from "./rate.ts";');
    expect(prompt).toContain("export class Shop {");
    expect(prompt).toContain("export function filler419(): string {");
    expect(prompt).not.toContain("return order.pieces");
    expect(receipt.cut?.[0]).toMatch(/, 0 definitions kept$/);
  });

  test("comes whole where a command means all of it", async () => {
    const { prompt, receipt } = await ask({ command: "explain", content: big });
    expect(prompt).toContain("return order.pieces");
    expect(prompt).not.toContain("omitted");
    expect(receipt).not.toHaveProperty("cut");
  });

  test("is narrowed further where the prompt does not fit, and the place stays", async () => {
    const { prompt, receipt } = await ask({ content: big, lines: [place, place], window: 7_000 });
    expect(prompt).toContain("return order.pieces");
    expect(receipt.cut?.[0]).toMatch(/^activeEditor: /);
    const all = await ask({ content: big, window: 12_000 });
    expect(all.receipt.cut?.[0]).toMatch(/^activeEditor: /);
  });

  test("without a grammar comes with what is around the place", async () => {
    const body = Array.from({ length: 2_000 }, (_, at) => `    step ${at} with some more words`);
    const content = `use base\n\nblock outer\n  block inner\n${body.join("\n")}\n`;
    const { prompt } = await ask({ content, path: "a.weird", lines: [1_000, 1_001] });
    expect(prompt).toContain("block outer");
    expect(prompt).toContain("  block inner");
    expect(prompt).toContain("   961 |     step 956");
    expect(prompt).not.toContain("step 100 with");
    expect(prompt).toContain("| // ... ");
  });
});

describe("what other files of the request define", () => {
  const content =
    'import { rate } from "./rate.ts";\n\nexport const double = (n: Order) => rate(n) * 2;\n';
  const lines = [3, 3] as const;

  test("comes with the prompt where no other variable prints it", async () => {
    const value = [
      {
        path: "src/rate.ts",
        content: "export function rate(order: Order): number {\n  return 1;\n}\n",
      },
      { path: "notes.md", content: "# rate\n" },
    ];
    const { prompt } = await ask({ content, lines, others: [{ name: "openFiles", value }] });
    expect(prompt).toContain(
      "# Definitions of what it uses\n\nsrc/rate.ts\n```typescript\nexport function rate(order: Order)",
    );
  });

  test("does not come twice where knowledge is printed as a whole", async () => {
    const references = [
      {
        chunk: "export function rate(): number {\n  return 1;\n}",
        metadata: { fileName: "rate.ts" },
      },
    ];
    const knowledge = { name: "knowledgeBase", value: [{ references }] };
    const explained = await ask({ command: "explain", content, lines, others: [knowledge] });
    expect(explained.prompt.split("export function rate()")).toHaveLength(2);
    const documented = await ask({ command: "docstring", content, lines, others: [knowledge] });
    expect(documented.prompt).toContain("export function rate()");
  });
});

test("options of the request rule the surroundings in templates of a definition, not in built-in prompts", async () => {
  const options = { contentBeforeSelectionLines: 1, contentAfterSelectionLines: 1 };
  const { prompt } = await ask({ content: filler(0, 20), lines: [50, 51], options });
  expect(prompt).toContain("filler19");
});

test("of a file of which only the selection came, with what is around it, all of that is shown", async () => {
  const { app, model } = createTestApp({ code: parser });
  const range = {
    content: "  return a;",
    startLine: 101,
    startColumn: 1,
    endLine: 101,
    contentBeforeSelection: "function b() {\n  let a = 1;\n",
    contentAfterSelection: "\n}\n",
  };
  const value = { filePath: "a.ts", selectedRanges: [range] };
  const contextVariables = [{ name: "activeEditor", value }];
  await (await post(app, { agent: "rightseat", command: "fix", contextVariables })).text();
  const prompt = textOfMessage(model.requests[0]?.messages.at(-1) ?? { role: "user", content: "" });
  expect(prompt)
    .toContain(`a.ts (typescript), lines 99-102; selected (marked with >): 101:1 to 101:end
\`\`\`typescript
   99 | function b() {
  100 |   let a = 1;
> 101 |   return a;
  102 | }
\`\`\``);
});
