import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases as generated } from "../../helpers/cases.ts";
import { parseCases } from "../../../src/flows/unittest/unittest.ts";
import { scriptedModel } from "../../../src/testing.ts";
import { ask, editor } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const two = [
  { description: "adds 1 and 2 to 3", category: "happy path" },
  { description: "throws for text", category: "edge case" },
];

function read(answer: string) {
  const parsed = parseCases(answer);
  return "cases" in parsed ? parsed.cases : parsed.problem;
}

const json = JSON.stringify;
const listed = (key: string) => json({ [key]: two });

test.each([
  ["the object that was asked for", listed("test_cases")],
  ["a bare list", json(two)],
  ["a list named cases", listed("cases")],
  ["a list named testCases", listed("testCases")],
  ["a list named tests", listed("tests")],
  ["a list inside of an answer", json({ answer: { test_cases: two } })],
  [
    "a code block",
    `Here you are:\n\n\`\`\`json\n${listed("test_cases")}\n\`\`\`\nTell me which.\n`,
  ],
  ["a code block without a language", `\`\`\`\n${json(two)}\n\`\`\``],
  ["text around it", `I see 2 cases {and more}: ${listed("test_cases")} That is all.`],
  ["JSON lines", two.map((item) => json(item)).join("\n")],
  [
    "JSON lines in a code block",
    `\`\`\`jsonl\n${two.map((item) => json(item)).join("\n")}\n\`\`\``,
  ],
  ["lists by category", json({ "happy path": [two[0]?.description], "edge case": [two[1]] })],
  [
    "lists by category with other names",
    json({ happy_paths: [{ test: two[0]?.description }], edgeCases: [], edge_cases: [two[1]] }),
  ],
  [
    "other names of the fields",
    json(two.map(({ description: title, category: type }) => ({ title, type }))),
  ],
  [
    "other spellings of the categories",
    listed("test_cases")
      .replace("happy path", "Happy Path Cases")
      .replace("edge case", "Error handling"),
  ],
  [
    "Chinese names",
    json({
      测试用例: two.map(({ description, category }) => ({
        描述: description,
        类别: category === "happy path" ? "正常流程" : "异常情况",
      })),
    }),
  ],
  ["a trailing comma", `{"test_cases":${json(two).replace("]", ",]")},}`],
  ["single quotes", listed("test_cases").replaceAll('"', "'")],
  [
    "unquoted names",
    `{test_cases: [${two.map((one) => `{description: "${one.description}", category: "${one.category}"}`).join()}]}`,
  ],
  ["comments", `{ // both\n"test_cases": ${json(two)} /* end */ }`],
  ["typographic quotes", listed("test_cases").replaceAll(/"([^"]*)"/g, "“$1”")],
  ["text behind it", `${listed("test_cases")}\nSee [1] and {2}.`],
  ["missing commas", `[${two.map((item) => json(item)).join("\n")}]`],
])("test cases are read from %s", (_, answer) => {
  expect(read(answer)).toEqual(two);
});

test.each([
  [
    "a table",
    "| No. | Description | Category |\n|--|:--|--:|\n| 1 | adds 1 and 2 to 3 | Happy path |\n| 2 | throws for text | Edge case |\n",
  ],
  [
    "a table with other heads",
    "Test cases:\n\n|Type|Test case|\n|-|-|\n|Positive|adds 1 and 2 to 3|\n|Negative|throws for text|\n",
  ],
  [
    "tables below headings",
    "### Happy path\n\n| # | Scenario |\n|-|-|\n| 1 | adds 1 and 2 to 3 |\n\n### Edge cases\n\n| # | Scenario |\n|-|-|\n| 1 | throws for text |\n",
  ],
  [
    "a Chinese table",
    "| 序号 | 用例 | 类型 |\n|--|--|--|\n| 1 | adds 1 and 2 to 3 | 正常场景 |\n| 2 | throws for text | 异常场景 |\n",
  ],
  [
    "YAML",
    'test_cases:\n  - description: adds 1 and 2 to 3\n    category: happy path\n  - description: "throws for text"\n    category: edge case\n',
  ],
])("test cases are read from a list with %s", (_, answer) => {
  expect(read(answer)).toEqual(two);
});

test.each([
  '- join(["a", "b"]) gives "a b"\n- add([{"name": "nail"}]) stores it\n',
  '[happy path] join(["a"]) gives "a"\n',
])("code in a list is no JSON: %j", (answer) => {
  const cases = read(`Test cases:\n${answer}`);
  expect(json(cases)).not.toContain('"nail"');
  expect(json(cases)).not.toContain('"description":"a"');
});

test("a category of the model's own stays", () => {
  expect(read(json([{ description: "is fast", category: "performance" }]))).toEqual([
    { description: "is fast", category: "performance" },
  ]);
  expect(read(json({ performance: ["is fast"] }))).toEqual([
    { description: "is fast", category: "performance" },
  ]);
});

test("what goes in and what comes out belong to a case that is only named", () => {
  const name = { name: "sum", input: [1, 2], expected: 3, category: "happy path" };
  const one = [{ description: "sum ([1,2] → 3)", category: "happy path" }];
  expect(read(json([name]))).toEqual(one);
  const table = "| Test case | Input | Expected |\n|-|-|-|\n| sum | [1,2] | 3 |\n";
  expect(read(table)).toEqual(one);
  expect(read("Test cases:\n- **sum**\n  - Input: [1,2]\n  - Expected: 3\n")).toEqual(one);
});

describe("an answer is no list of test cases if it", () => {
  test.each([
    [
      "says that there is no code",
      "There is no code to test.\n\n- Select a function.\n- Open a file.\n",
    ],
    ["says so in Chinese", "没有可测试的代码：\n\n- 请选择一个函数\n- 或打开一个文件\n"],
    ["lists something else", "The function is slow because of:\n\n- the loop\n- the copy\n"],
    ["is a sentence", "I would look at empty input first."],
    [
      "was cut inside of an object",
      '{"test_cases":[{"description":"adds","category":"happy path"},{"descr',
    ],
    ["was cut inside of a string", '{"test_cases":[{"description":"adds","category":"happy pa'],
    ["is JSON of something else", '{"name":1,"ok":true}'],
    ["lists numbers", '{"test_cases":[1,2,3]}'],
    ["is empty", ""],
  ])("%s", (_, answer) => {
    expect(read(answer)).toBeTypeOf("string");
  });
});

const verbs = ["adds", "drops", "keeps", "sorts", "joins", "counts", "merges", "splits"];
const things = ["an item", "two prices", "no value", "a long text", "a name", "the last one"];
const someCases = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...verbs), fc.constantFrom(...things)), {
    minLength: 2,
    maxLength: 9,
    selector: (words) => words.join(" "),
  })
  .map((all) =>
    all.map((words, nth) => ({
      description: words.join(" "),
      category: nth % 3 === 2 ? "edge case" : "happy path",
    })),
  );
type Cases = typeof two;
const linesOf = (cases: Cases, print: (one: Cases[0], nth: number) => string) =>
  cases.map((one, nth) => `${print(one, nth)}\n`).join("");
const ofCategory = (cases: Cases, wanted: string) =>
  cases.filter(({ category }) => category === wanted);
const pascal = (text: string) =>
  text.replaceAll(/(?:^| )([a-z])/g, (_, sign: string) => sign.toUpperCase());
const snake = (text: string) => text.replaceAll(" ", "_");
/** Tests under a comment, or in a group, of their category; what is in them are data. */
const grouped = (
  cases: Cases,
  open: (name: string) => string,
  print: (text: string) => string,
  close = "",
) =>
  ["happy path", "edge case"]
    .map(
      (name) =>
        `${open(name)}\n${linesOf(ofCategory(cases, name), (one) => print(one.description))}${close}`,
    )
    .join("\n");
const data = '    [\n      { "name": "a nail", "price": 3 },\n    ]';
const skeletons: Record<string, (cases: Cases) => string> = {
  js: (cases) =>
    `describe("add", () => {\n${grouped(
      cases,
      (name) => `  describe("${name}s", () => {`,
      (text) => `    it("${text}", () => {\n${data};\n    });`,
      "  });\n",
    )}});\n`,
  python: (cases) =>
    `class TestAdd:\n${grouped(
      cases,
      (name) => `    # --- ${name} ---`,
      (text) => `    def test_${snake(text)}(self):\n        # TODO\n        ...\n`,
    )}`,
  go: (cases) =>
    grouped(
      cases,
      (name) => `// ${name}s:`,
      (text) => `func Test${pascal(text)}(t *testing.T) {\n\tt.Skip("later")\n}\n`,
    ),
  rust: (cases) =>
    `#[cfg(test)]\nmod tests {\n    fn helper() {}\n${grouped(
      cases,
      (name) => `    // ${name}`,
      (text) => `    #[test]\n    fn ${snake(text)}() {\n        todo!()\n    }`,
    )}}\n`,
  java: (cases) =>
    `class AddTest {\n    @BeforeEach\n    void setUp() {}\n${grouped(
      cases,
      (name) => `    // region ${name}`,
      (text) =>
        `    @Test\n    void ${pascal(text).replace(/^./, (sign) => sign.toLowerCase())}() {}`,
    )}}\n`,
  kotlin: (cases) =>
    grouped(
      cases,
      (name) => `/* ${name} */`,
      (text) => `@Test\nfun \`${text}\`() = TODO()`,
    ),
  csharp: (cases) =>
    grouped(
      cases,
      (name) => `// ${name}`,
      (text) => `[Fact(DisplayName = "${text}")]\npublic async Task Runs() { }`,
    ),
  ruby: (cases) =>
    grouped(
      cases,
      (name) => `RSpec.describe Cart do\n  context '${name}' do`,
      (text) => `    it '${text}' do\n    end`,
      "  end\nend\n",
    ),
};
/** What a list of cases may be written as; those of several lists come by their categories. */
const dresses: Record<string, (cases: Cases) => string> = {
  object: (cases) => json({ test_cases: cases }),
  block: (cases) => `\`\`\`json\n${json({ test_cases: cases }, null, 2)}\n\`\`\`\n`,
  "JSON lines": (cases) => linesOf(cases, (one) => json(one)),
  "numbered list": (cases) =>
    `Test cases:\n\n${linesOf(cases, ({ category, description }, nth) => `${nth + 1}. **${category}**: ${description}`)}`,
  table: (cases) =>
    `Test cases:\n\n| # | Case | Type |\n|-|-|-|\n${linesOf(cases, ({ category, description }, nth) => `| ${nth + 1} | ${description} | ${category} |`)}`,
  "headed cases": (cases) =>
    `# Test cases\n\n${linesOf(cases, ({ category, description }, nth) => `### Case ${nth + 1}: ${description}\n\n- Category: ${category}\n- Why: it is worth it\n`)}`,
  "titled headings": (cases) =>
    linesOf(
      cases,
      ({ category, description }, nth) =>
        `### ${nth + 1}. ${category}: ${description}\n\nThis is what it should do.\n`,
    ),
  "numbered Chinese headings": (cases) =>
    Object.entries({ "happy path": "一、正常路径", "edge case": "二、边界情况" })
      .map(
        ([name, title]) =>
          `**${title}**\n\n${linesOf(ofCategory(cases, name), (one, nth) => `${nth + 1}. ${one.description}`)}\n`,
      )
      .join(""),
  ...Object.fromEntries(
    Object.entries(skeletons).map(([name, print]) => [
      `skeleton of ${name}`,
      (cases: Cases) => `\`\`\`${name}\n${print(cases)}\`\`\`\n`,
    ]),
  ),
  "skeleton alone": (cases) => skeletons["python"]?.(cases) ?? "",
  headings: (cases) =>
    ["happy path", "edge case"]
      .map(
        (name) =>
          `## ${name}s\n\n${linesOf(ofCategory(cases, name), (one) => `- ${one.description}`)}\n`,
      )
      .join(""),
  CSV: (cases) =>
    `Test cases:\n\n\`\`\`csv\ncategory,description\n${linesOf(cases, (one) => `${one.category},"${one.description}"`)}\`\`\`\n`,
  XML: (cases) =>
    `<test_cases>\n${linesOf(cases, (one) => `<test_case>\n<category>${one.category}</category>\n<description>${one.description}</description>\n</test_case>`)}</test_cases>\n`,
  elements: (cases) =>
    `<cases>\n${linesOf(cases, (one) => `  <case category="${one.category}">${one.description}</case>`)}</cases>\n`,
  Gherkin: (cases) =>
    `\`\`\`gherkin\nFeature: a cart\n\n${linesOf(cases, (one) => `  @${one.category.replace(" ", "-")}\n  Scenario: ${one.description}\n`)}\`\`\`\n`,
  "list of Python": (cases) =>
    `\`\`\`python\ntest_cases = ${json(cases).replaceAll('"', "'")}\n\`\`\`\n`,
  "call of a tool": (cases) =>
    `<tool_call>\n${json({ name: "list_cases", arguments: { test_cases: cases } })}\n</tool_call>\n`,
  "categories behind": (cases) =>
    `Test cases:\n\n${linesOf(cases, (one, nth) => `${nth + 1}. ${one.description} — *${one.category}*`)}`,
  "quoted list with numbers of cases": (cases) =>
    `> Test cases:\n>\n${linesOf(cases, (one, nth) => `> - TC-0${nth + 1}: ${one.description} (${one.category})`)}`,
  "lines without marks": (cases) => {
    const groups = ["happy path", "edge case"].map((name) => ofCategory(cases, name));
    // One line alone may be a sentence.
    const mark = groups.some(({ length }) => length === 1) ? "- " : "";
    return groups
      .filter(({ length }) => length > 0)
      .map((some) => `${some[0]?.category}s\n${linesOf(some, (one) => mark + one.description)}\n`)
      .join("\n");
  },
  "several blocks": (cases) =>
    ["happy path", "edge case"]
      .map((name) => `${name}:\n\n\`\`\`json\n${json(ofCategory(cases, name))}\n\`\`\`\n`)
      .join("\n"),
};
/** How items are marked: by signs, or by counters of any kind. */
const counters = [
  "1.",
  "1)",
  "(1)",
  "[1]",
  "1、",
  "（1）",
  "1:",
  "1 -",
  "#1",
  "1.1",
  "1\\.",
  "a)",
  "A.",
  "(a)",
];
const labelled = ["Case 1:", "Test case 1 –", "- TC-1:", "- **T1**:", "用例1：", "[HP-1]"];
const signs = [
  "-",
  "*",
  "+",
  "•",
  "–",
  "—",
  "‣",
  "▪",
  "○",
  "→",
  "✓",
  "✅",
  "->",
  "- [ ]",
  "* -",
  "\\item",
];
const marks = [...counters, ...labelled, ...signs, "①", "一、", "（一）", "用例一："];
const count = (mark: string, nth: number): string =>
  mark
    .replace(/1(?!\.1)/, String(nth + 1))
    .replace("①", String.fromCodePoint(0x2460 + nth))
    .replace("一", "一二三四五六七八九"[nth] ?? "")
    .replace(/\ba(?=\))/, "abcdefghi"[nth] ?? "")
    .replace(/\bA(?=\.)/, "ABCDEFGHI"[nth] ?? "");
/** How headings are. */
const heads: ((title: string, nth: number) => string)[] = [
  (title) => `## ${title}`,
  (title, nth) => `### ${nth === 0 ? "🟢" : "🔴"} ${title}`,
  (title, nth) => `## ${nth + 1}. ${title} ##`,
  (title, nth) => `${"AB"[nth]}. ${title}`,
  (title, nth) => `${"一二"[nth]}、${title}`,
  (title) => `**${title}:**`,
  (title) => `***${title}***`,
  (title) => `${title}:`,
  (title) => title,
  (title) => `== ${title} ==`,
  (title) => `【${title}】`,
  (title) => `[${title}]`,
  (title) => `${title}\n${"-".repeat(title.length + 1)}`,
  (title) => `### ${title} (2)`,
  (title) => `<h3>${title}</h3>`,
  (title) => `✅ ${title}`,
];

test("a list is known by what its lines share, whatever that is, and a heading by what is below it", () => {
  const titles = fc.constantFrom(
    ["Happy path", "Edge cases"],
    ["正常路径", "边界情况"],
    ["Normal cases", "Error handling"],
  );
  const parts = fc.record({
    cases: someCases.filter((cases) => cases.length > 3),
    mark: fc.constantFrom(...marks),
    head: fc.constantFrom(...heads),
    titles,
    indent: fc.constantFrom("", "  ", "\t"),
  });
  fc.assert(
    fc.property(parts, ({ cases, mark, head, titles: words, indent }) => {
      const groups = ["happy path", "edge case"].map((name) => ofCategory(cases, name));
      const answer = groups.map(
        (some, nth) =>
          `${head(words[nth] ?? "", nth)}\n\n${linesOf(some, (one) => `${indent}${count(mark, cases.indexOf(one))} ${one.description}`)}`,
      );
      expect(read(`The test cases:\n\n${answer.join("\n")}`)).toEqual(groups.flat());
    }),
    { numRuns: generated(125) },
  );
});

/** How a category is beside its case. */
const besides: ((category: string, text: string) => string)[] = [
  (category, text) => `**${category}**: ${text}`,
  (category, text) => `${category} - ${text}`,
  (category, text) => `${category} — ${text}`,
  (category, text) => `${category} -> ${text}`,
  (category, text) => `[${category}] ${text}`,
  (category, text) => `(${category}) ${text}`,
  (category, text) => `【${category}】${text}`,
  (category, text) => `${text} (${category})`,
  (category, text) => `${text} *(${category})*`,
  (category, text) => `${text} [${category}]`,
  (category, text) => `${text}（${category}）`,
  (category, text) => `${text} – ${category}`,
  (category, text) => `${text} | ${category}`,
  (category, text) => `${text} #${category.replace(" ", "-")}`,
  (category, text) => `Test case: ${text}\n   Category: ${category}`,
];

test("a category is read before or behind its case, divided from it by any signs", () => {
  const name = fc.constantFrom(
    { "happy path": "happy path", "edge case": "edge case" },
    { "happy path": "正常情况", "edge case": "边界情况" },
    { "happy path": "Positive", "edge case": "Error" },
  );
  const parts = fc.record({
    cases: someCases,
    mark: fc.constantFrom(...marks),
    beside: fc.constantFrom(...besides),
    name,
  });
  fc.assert(
    fc.property(parts, ({ cases, mark, beside, name: names }) => {
      const line = ({ category, description }: Cases[0], nth: number) =>
        `${count(mark, nth)} ${beside(names[category as "edge case"], description)}`;
      expect(read(`Test cases:\n\n${linesOf(cases, line)}`)).toEqual(cases);
    }),
    { numRuns: generated(125) },
  );
});

const asides = fc.constantFrom(
  "## Setup\n\n- create a cart\n- mock the clock\n",
  "**Questions**\n\n1. may a price be null\n2. what about the order\n",
  "Notes:\n\n* uses the usual framework\n* see [1] and {2}\n",
  "## Bugs in the code\n\n- the sum is never reset\n",
  "Some assumptions:\n- prices are numbers\n",
  "## 备注\n\n- 使用现有框架\n",
  "### Open questions\n\n- Should it throw?\n",
);

test("whatever form a list has, its cases are read, and nothing of what is around it", () => {
  const sorted = (cases: Cases) =>
    [...cases].sort((a, b) => (a.description < b.description ? -1 : 1));
  const dress = fc.constantFrom(...Object.keys(dresses));
  const parts = fc.record({
    cases: someCases,
    dress,
    before: fc.option(asides),
    after: fc.option(asides),
  });
  fc.assert(
    fc.property(parts, ({ cases, dress: name, before, after }) => {
      const answer = [before ?? "", dresses[name]?.(cases) ?? "", after ?? ""].join("\n");
      expect(sorted(read(answer) as Cases)).toEqual(sorted(cases));
    }),
    { numRuns: generated(100) },
  );
});

test("in CSV a quote opens a value only at its beginning, and only if one closes it", () => {
  const named = (description: string) => ({ description, category: "edge case" });
  const written = fc.constantFrom(
    ['a 5" pipe fits', 'a 5" pipe fits'],
    ['"a, b and c"', "a, b and c"],
    ['"the name ""x"" is kept"', 'the name "x" is kept'],
    ['"is never closed', '"is never closed'],
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(written, { minLength: 2 }),
      fc.constantFrom(",", "\t"),
      (all, sign) => {
        const rows = all.map(([value]) => `edge case${sign}${value}${sign}why\n`).join("");
        const csv = `Test cases:\n\n\`\`\`csv\n${["category", "description", "why"].join(sign)}\n${rows}\`\`\`\n`;
        const cases = read(csv);
        expect(cases).toEqual(all.map(([, text = ""]) => expect.objectContaining(named(text))));
      },
    ),
  );
});

test("what the code does is no case, nor is a draft before the final list", () => {
  const list = "### Happy path\n- adds 1 and 2 to 3\n\n### Edge cases\n- throws for text\n";
  const told = "The function does the following:\n- it returns early\n- it keeps a cache\n";
  const draft = "First ideas:\n- test dates\n- test maps\n\nThe final list:\n";
  for (const before of [told, draft]) expect(read(`${before}\n${list}`)).toEqual(two);
});

test("a list that repeats another with other signs and more cases takes its place", () => {
  const again = fc.tuple(someCases, fc.constantFrom("block", "numbered list", "table"));
  fc.assert(
    fc.property(again, ([cases, name]) => {
      const added = [...cases, { description: "is new", category: "edge case" }];
      const final = added.map((one) => ({ ...one, description: `${one.description}!` }));
      const [draft = "", list = ""] = [cases, final].map((some) => dresses[name]?.(some) ?? "");
      expect(read(`${draft}\nThe whole list again:\n\n${list}`)).toEqual(final);
    }),
  );
});

test("an item right behind cases on a line each is one more, and below each of them it tells more of that", () => {
  const line = ({ description, category }: (typeof two)[number]): string =>
    `${category}: ${description}\n`;
  for (const lead of ["", "These are the cases:\n\n"]) {
    const lines = lead + two.map(line).join("");
    const more = [{ description: "is never late" }, { description: "keeps its order" }];
    const items = more.map(({ description }) => `- ${description}\n`);
    const known = [...two, ...more].map(({ description }) => ({ description }));
    expect(read(lines + items.join(""))).toMatchObject(known);
    const told = read(lead + two.map((one) => `${line(one)}- it ends\n`).join(""));
    expect(told).toHaveLength(two.length);
  }
});

test.each(["(", " ", "#", "`", "*", "[", "{", "一、", "1.", 'it("', "def a", "\\", "<"])(
  "a long answer of %j alone is read in time",
  (sign) => {
    const started = performance.now();
    read(sign.repeat(1_000_000 / sign.length));
    read(`\`\`\`js\n${`${sign}\n`.repeat(200_000)}`);
    read(`\`\`\`js\n${`${sign.repeat(200)}\n`.repeat(5_000 / sign.length)}`);
    expect(performance.now() - started).toBeLessThan(2_000);
  },
);

test("test cases in a table need no second question", async () => {
  const answer = "| Category | Case |\n|-|-|\n| edge case | nothing to add |\n";
  const model = scriptedModel([[answer]]);
  const { app } = createTestApp({ models: model });
  const reply = await ask(app, "unittest", [editor("function a() {\n}\n", [1, 2])]);
  expect(reply.text).toContain("1. edge case: nothing to add\n");
  expect(model.requests).toHaveLength(1);
});

test("signs in code are text, and around words they are none", () => {
  fc.assert(
    fc.property(fc.constantFrom("***", "**", "a__b", "x ** 2"), (code) => {
      const answer = `### Happy path\n- **replaces** the value by \`${code}\`\n### Edge cases\n- keeps \`${code}\`\n`;
      expect(read(answer)).toEqual([
        { description: `replaces the value by \`${code}\``, category: "happy path" },
        { description: `keeps \`${code}\``, category: "edge case" },
      ]);
    }),
    { numRuns: generated(8) },
  );
});
