// Tests that follow the project, asked through the door.
import { namesBoundBy } from "../../../src/code/symbols.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { parser } from "../../code/read-fixture.ts";
import { post } from "../../helpers/copilot-request.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

interface File {
  filepath: string;
  content: string;
}

const source =
  'import { rate } from "./rate.ts";\n\nexport function total(n: number): number {\n\treturn rate(n);\n}\n';
const added =
  'import { expect, test } from "vitest";\nimport { total } from "../src/cart.ts";\n\ntest("nothing costs nothing", () => {\n  expect(total(0)).toBe(0);\n});\n';

async function write(path: string, packageFiles: readonly File[], answer = added) {
  const block = `\`x\`\n\n\`\`\`ts\n${answer}\`\`\`\n`;
  const { app, model } = createTestApp({ code: parser, models: [[block]] });
  const contextVariables = [
    { name: "activeEditor", value: { filePath: path, content: source } },
    { name: "packageFiles", value: packageFiles },
  ];
  const body = { agent: "rightseat", command: "unittest-write", contextVariables };
  const response = await (await post(app, body)).text();
  const prompt = textOfMessage(model.requests[0]?.messages.at(-1) ?? { role: "user", content: "" });
  const testPath = /# Path of the test file\n\n(.*)/.exec(prompt)?.[1];
  return { prompt, response, testPath };
}

const other = (filepath: string, content = 'import { a } from "../src/a.ts";\n'): File => ({
  filepath,
  content,
});

test.each([
  ["src/cart.ts", "test/order.test.ts", "test/cart.test.ts"],
  ["src/shop/cart.ts", "test/user/order.spec.ts", "test/shop/cart.spec.ts"],
  [
    "packages/a/src/shop/cart.ts",
    "packages/a/test/user/order.spec.ts",
    "packages/a/test/shop/cart.spec.ts",
  ],
  ["src/shop/cart.tsx", "src/user/__tests__/order.test.tsx", "src/shop/__tests__/cart.test.tsx"],
  ["src/shop/cart.ts", "src/user/order.spec.ts", "src/shop/cart.spec.ts"],
  ["shop/cart.py", "tests/test_order.py", "tests/test_cart.py"],
  ["shop/cart.py", "shop/order_test.py", "shop/cart_test.py"],
  ["lib/cart.rb", "spec/order_spec.rb", "spec/cart_spec.rb"],
  ["src/Cart.php", "tests/OrderTest.php", "tests/CartTest.php"],
  ["src/cart.ts", "tests/test_order.py", "src/cart.test.ts"],
])("the test of %s goes where %s says: %s", async (path, example, expected) => {
  expect((await write(path, [other(example)])).testPath).toBe(expected);
});

test("imports and indentation are those of the project's tests, else of the code", async () => {
  const example = other(
    "test/order.test.ts",
    'import { a } from "../src/a.js";\ntest("a", () => {\n    a();\n});\n',
  );
  const { prompt } = await write("src/cart.ts", [example]);
  expect(prompt).toContain("- Indentation: 4 spaces a level");
  expect(prompt).toContain('- An import looks like this: `import { a } from "../src/a.js";`');
  const alone = await write("src/cart.ts", []);
  expect(alone.prompt).toContain("- Indentation: tabs");
  expect(alone.prompt).toContain('`import { rate } from "./rate.ts";`');
});

const existing =
  'import { expect, test } from "vitest";\nimport { total } from "../src/cart.ts";\n\ntest("one costs one", () => {\n  expect(total(1)).toBe(1);\n});\n';

test("a test file that exists is shown, added to, and the answer says so", async () => {
  const { prompt, response, testPath } = await write("src/cart.ts", [
    other("test/cart.test.ts", existing),
  ]);
  expect(testPath).toBe("test/cart.test.ts");
  expect(prompt).toContain(`# Test file that exists already\n\ntest/cart.test.ts\n\`\`\``);
  expect(response).toContain("`test/cart.test.ts` exists already");
  const edit = JSON.stringify(existing + added.slice(added.indexOf("\ntest(")));
  expect(response).toContain(`"replace":${edit}`);
  expect(response).toContain('"status":"unchecked"');
  expect(response).not.toContain('"status":"new-file"');
});

test("where the answer holds the whole file again, nothing of it comes twice", async () => {
  const again = existing + added.slice(added.indexOf("\ntest("));
  const { response } = await write("src/cart.ts", [other("test/cart.test.ts", existing)], again);
  expect(response).toContain(`"replace":${JSON.stringify(again)}`);
});

test("of a test file of which only a passage is known nothing is replaced", async () => {
  const block = `\`x\`\n\n\`\`\`ts\n${added}\`\`\`\n`;
  const { app } = createTestApp({ code: parser, models: [[block]] });
  const references = [{ chunk: existing, metadata: { fileName: "test/cart.test.ts" } }];
  const contextVariables = [
    { name: "activeEditor", value: { filePath: "src/cart.ts", content: source } },
    { name: "knowledgeBase", value: [{ references }] },
  ];
  const body = { agent: "rightseat", command: "unittest-write", contextVariables };
  const response = await (await post(app, body)).text();
  expect(response).toContain("`test/cart.test.ts` exists already");
  expect(response).not.toContain('"edits"');
  expect(response).not.toContain('"status":');
});

test("of test files with one name the code's own is added to, wherever it is in the list", async () => {
  const files = [other("src/users/index.test.ts"), other("src/orders/index.test.ts", existing)];
  const { prompt, testPath } = await write("src/orders/index.ts", files);
  expect(testPath).toBe("src/orders/index.test.ts");
  expect(prompt).toContain("# Test file that exists already\n\nsrc/orders/index.test.ts\n");
});

test("the test file of another folder is an example to follow", async () => {
  const { prompt, testPath } = await write("src/orders/index.ts", [
    other("src/users/index.test.ts", existing),
  ]);
  expect(testPath).toBe("src/orders/index.test.ts");
  expect(prompt).not.toContain("# Test file that exists already");
});

test("a test file is found behind any number of other files", async () => {
  const sources = Array.from({ length: 40 }, (_, nth) => other(`src/a${nth}.ts`));
  const tests = Array.from({ length: 40 }, (_, nth) => other(`test/a${nth}.test.ts`));
  const { prompt } = await write("src/cart.ts", [
    ...sources,
    ...tests,
    other("test/cart.test.ts", existing),
  ]);
  expect(prompt).toContain("# Test file that exists already\n\ntest/cart.test.ts\n");
});

test("files with backslashes in their paths are found", async () => {
  const { prompt } = await write("src\\cart.ts", [other("test\\cart.test.ts", existing)]);
  expect(prompt).toContain("# Test file that exists already\n\ntest\\cart.test.ts\n");
});

test.each([
  ["src\\cart.ts", "test\\order.test.ts", "test\\cart.test.ts"],
  ["src\\shop\\cart.ts", "test\\user\\order.test.ts", "test\\shop\\cart.test.ts"],
  ["src\\cart.ts", "test/order.test.ts", "test/cart.test.ts"],
  ["src\\cart.ts", "order.test.ts", "src\\cart.test.ts"],
  ["src/orders/index.ts", "test/cart.test.ts", "test/orders/index.test.ts"],
  ["src/index.ts", "test/cart.test.ts", "test/index.test.ts"],
])("the test of %s placed like %s is %s", async (path, example, expected) => {
  const { testPath } = await write(path, [{ filepath: example, content: "test();\n" }]);
  expect(testPath).toBe(expected);
});

const names = ["it", "test", "expect", "vi", "total", "rate"];
const importOf = (some: readonly string[]): string =>
  [
    ["vitest", some.filter((name) => names.indexOf(name) < 4)] as const,
    ["../src/cart.ts", some.filter((name) => names.indexOf(name) >= 4)] as const,
  ]
    .filter(([, from]) => from.length > 0)
    .map(([file, from]) => `import { ${from.join(", ")} } from "${file}";\n`)
    .join("");
const testOf = (title: string, indent = ""): string =>
  `${indent}test("${title}", () => {\n${indent}  expect(total("${title}")).toBe(1);\n${indent}});\n`;

test("what both files import is imported once, whether the answer holds the new tests or all of them", async () => {
  const some = fc.subarray(names);
  const titles = fc.constantFrom(["a"], ["a", "b"]);
  await fc.assert(
    fc.asyncProperty(some, some, titles, fc.boolean(), async (had, needed, old, isWhole) => {
      const body = old.map((title) => `\n${testOf(title)}`).join("");
      const file = importOf(had) + body;
      const all = importOf(isWhole ? [...new Set([...had, ...needed])] : needed);
      const answer = `${all}${isWhole ? body : ""}\n${testOf("new")}`;
      const { response } = await write("src/cart.ts", [other("test/cart.test.ts", file)], answer);
      const replace = /"replace":("(?:[^"\\]|\\.)*")/.exec(response)?.[1] ?? '""';
      const analysis = await parser.analyze(
        z.string().parse(JSON.parse(replace)),
        "typescript",
        "a.ts",
        { signal: new AbortController().signal },
      );
      const imported = analysis.imports.flatMap((one) => namesBoundBy(one, analysis));
      expect(imported.toSorted()).toEqual([...new Set([...had, ...needed])].toSorted());
      expect(analysis.problems).toEqual([]);
      const titlesOf = Array.from(replace.matchAll(/test\(\\"(\w+)/g), ([, title]) => title);
      expect(titlesOf).toEqual([...old, "new"]);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test.each([["en"], ["zh"]])(
  "the offline model's tests are added to those that exist (%s)",
  async (language) => {
    const { app } = createTestApp({ code: parser, models: offlineModel(parser) });
    const contextVariables = [
      { name: "activeEditor", value: { filePath: "src/cart.ts", content: source } },
      { name: "packageFiles", value: [other("test/cart.test.ts", existing)] },
    ];
    const body = { agent: "rightseat", command: "unittest-write", language, contextVariables };
    const response = await (await post(app, body)).text();
    expect(response).toContain(`"replace":${JSON.stringify(existing).slice(0, -1)}`);
    expect(response).toContain('"status":"unchecked"');
  },
);

test.each([
  ["other quotes", existing.replaceAll('"', "'") + testOf("new")],
  ["a name twice", `function total() {}\n${testOf("new")}`],
])("with %s in the answer nothing is edited, and the answer says so", async (_, answer) => {
  const { response } = await write("src/cart.ts", [other("test/cart.test.ts", existing)], answer);
  expect(response).toContain("it is not clear how these tests fit in");
  expect(response).not.toContain('"edits"');
});
