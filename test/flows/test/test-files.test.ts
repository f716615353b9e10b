import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTests } from "../../../src/flows/test/test-file.ts";
import { code } from "../../helpers/code-parser.ts";

const source = "export function add(a, b) {\n  return a + b;\n}\n";
const tested = { path: "src/add.ts", text: source, testPath: "src/add.test.ts" };
const body = 'test("a", () => {});\n';
const { signal } = new AbortController();
const options = { code, language: "typescript", path: tested.path, signal };
const readTestFile = (answer: string, of = tested) => readTests(answer, of, options);
const block = (text: string, info = "ts") => `\`\`\`${info}\n${text}\`\`\`\n`;
const sh = block("npm test\n", "sh");

test.each([
  ["on a line of its own", `\`lib/add.test.ts\`\n\n${block(body)}`],
  ["in bold", `**lib/add.test.ts**\n\n${block(body)}`],
  ["in a heading", `## \`lib/add.test.ts\`\n${block(body)}`],
  ["after a word", `File: lib/add.test.ts\n\n${block(body)}`],
  ["after a Chinese word", `**测试文件：** \`lib/add.test.ts\`\n\n${block(body)}`],
  ["in a list", `1. \`lib/add.test.ts\`:\n\n${block(body)}`],
  ["in the fence", block(body, "ts lib/add.test.ts")],
  ["in the fence after a colon", block(body, "typescript:lib/add.test.ts")],
  ["in the fence as a title", block(body, 'ts title="lib/add.test.ts"')],
  ["in a sentence before the code", `Create lib/add.test.ts with this:\n\n${block(body)}`],
  ["in a sentence after the code", `${block(body)}\nSave it as \`lib/add.test.ts\`.\n`],
  ["in a Chinese sentence", `将以下代码保存到 \`lib/add.test.ts\`：\n\n${block(body)}`],
  ["in a command", `${block(body)}\nRun \`npx vitest lib/add.test.ts\`, please.\n\n${sh}`],
  [
    "beside other blocks",
    `${sh}\n\`lib/add.test.ts\`\n\n${block(body)}\n${block("3 passed\n", "text")}`,
  ],
  ["with a backslash or a dot before it", `\`./lib/add.test.ts\`\n\n${block(body)}`],
])("the path of a test file is found %s", async (_, answer) => {
  expect((await readTestFile(answer, tested))?.text).toBe(body);
  expect((await readTestFile(answer, tested))?.name.replace("./", "")).toBe("lib/add.test.ts");
});

test.each([
  ["// lib/add.test.ts", true],
  ["/* lib/add.test.ts */", true],
  ["// File: lib/add.test.ts", false],
  ["// filepath: lib/add.test.ts", false],
  ["// 文件：lib/add.test.ts", false],
])("the comment %j gives the path; as a head of the file it stays: %j", async (comment, stays) => {
  const text = stays ? `${comment}\n\n${body}` : body;
  const file = { name: "lib/add.test.ts", text };
  expect(await readTestFile(block(`${comment}\n\n${body}`), tested)).toEqual(file);
});

test.each([
  ["a Python comment", "# tests/test_add.py\nassert True\n", "python"],
  ["a shebang that is none", "#!/usr/bin/env python\nassert True\n", "python"],
])("%s is read as it is meant", async (_, text, info) => {
  const python = { path: "src/add.py", text: "", testPath: "tests/test_sum.py" };
  const file = text.startsWith("#!")
    ? { name: "tests/test_sum.py", text }
    : { name: "tests/test_add.py", text };
  expect(await readTestFile(block(text, info), python)).toEqual(file);
});

test.each([
  ["without any", block(body)],
  ["with the name alone", `\`add.test.ts\`\n\n${block(body)}`],
  ["with the name alone in a comment", block(`// add.test.ts\n${body}`)],
  ["where the code names only what it tests", block(`// src/add.ts\n${body}`)],
  [
    "where sentences name other files",
    `It uses \`src/money.ts\` and \`vitest.config.ts\`.\n\n${block(body)}`,
  ],
  [
    "where the code under test comes first",
    `The code:\n\n${block(source)}\nThe tests:\n\n${block(body)}`,
  ],
])("the path of a test file is that of the convention %s", async (_, answer) => {
  expect((await readTestFile(answer, tested))?.name).toBe("src/add.test.ts");
});

test.each([
  ["two files", `\`a.test.ts\`\n${block(body)}\n\`b.test.ts\`\n${block("b();\n")}`],
  [
    "two files named in the code",
    `${block(`// a.test.ts\n${body}`)}${block("// b.test.ts\nb();\n")}`,
  ],
  ["nothing but a command", sh],
  ["nothing but a diff", block("+a\n-b\n", "diff")],
  ["nothing but the code under test", block(source)],
  ["a block that does not end, in half a test", '```ts\ntest("a", () => {\n'],
  ["no block", "I cannot test this.\n"],
  ["an empty block", "```ts\n\n```\n"],
  ["JSON of something else", JSON.stringify({ tests: body, passed: 2 })],
])("an answer with %s holds no file", async (_, answer) => {
  expect(await readTestFile(answer, tested)).toBeUndefined();
});

test("a block that comes twice counts once", async () => {
  expect((await readTestFile(block(body) + block(body), tested))?.text).toBe(body);
});

test("a path that leads out is none", async () => {
  expect((await readTestFile(`**../../add.test.ts**\n\n${block(body)}`, tested))?.name).toBe(
    "src/add.test.ts",
  );
});

describe("tests in two blocks", () => {
  const join = (language: string, path: string, ...texts: readonly string[]) =>
    readTests(
      texts.map((text) => block(text, language)).join("\n"),
      { path: "", text: "", testPath: path },
      { code, language, path, signal: new AbortController().signal },
    );

  test("are one file", async () => {
    const [one, two] = [
      'import { a } from "./a";\n\ntest("a", () => a());\n',
      'test("b", () => a(1));\n',
    ];
    expect(await join("typescript", "a.test.ts", one, two)).toEqual({
      name: "a.test.ts",
      text: `${one}\n${two}`,
    });
  });

  test("have their imports once", async () => {
    const found = await join(
      "python",
      "test_a.py",
      "from a import b\n\n\ndef test_b():\n    b()\n",
      "from a import b\n\n\ndef test_c():\n    b(1)\n",
    );
    expect(found?.text).toBe(
      "from a import b\n\n\ndef test_b():\n    b()\n\n\ndef test_c():\n    b(1)\n",
    );
  });

  test.each([
    [
      "declare a name twice",
      "python",
      "test_a.py",
      ["def test_a():\n    assert a(1)\n", "def test_a():\n    b = 1\n    assert a(b)\n"],
    ],
    [
      "import after code where that is not allowed",
      "go",
      "a_test.go",
      [
        "package a\n\nfunc TestA() {}\n",
        'package a\n\nimport "os"\n\nfunc TestB() { os.Exit(0) }\n',
      ],
    ],
    ["have a syntax error", "typescript", "a.test.ts", ["test(\n", 'test("b", () => {});\n']],
    ["are of a language without a grammar", "cobol", "a.cob", ["a.\n", "b.\n"]],
  ] as const)("are no file if they %s", async (_, language, path, texts) => {
    expect(await join(language, path, ...texts)).toBeUndefined();
  });
});

const unknown = { path: "", text: "", testPath: "" };
const written = (path: string) =>
  `\`${path}\`\n\n\`\`\`ts\ntest("a", () => {});\n\`\`\`\n\nDone.\n`;

test("the path and the one block of an answer are the file and its text", async () => {
  expect(await readTests(written("src/a.test.ts"), unknown, options)).toEqual({
    name: "src/a.test.ts",
    text: 'test("a", () => {});\n',
  });
});

test("a block with longer rules may hold shorter ones, and CRLF is a line end", async () => {
  const text = "`a.md`\r\n\r\n````md\r\n```\r\nx\r\n```\r\n````\r\n";
  expect((await readTests(text, unknown, options))?.text).toBe("```\nx\n```\n");
});

test.each([
  ["no path", '```ts\ntest("a");\n```\n'],
  ["a block that does not end", '`a.test.ts`\n\n```ts\ntest("a";\n'],
  ["an empty block", "`a.test.ts`\n\n```ts\n\n```\n"],
  ["a path behind the block", '```ts\ntest("a");\n```\n\n`a.test.ts`\n'],
  ["a sentence for a path", 'See `a.test.ts` for it.\n\n```ts\ntest("a");\n```\n'],
  ["a command for a path", written("npm test")],
])("an answer with %s holds no file where nothing is known of the code", async (_, text) => {
  expect(await readTests(text, unknown, options)).toBeUndefined();
});

test("a test file may come as JSON, alone, in a block or among words", () => {
  const pathKeys = fc.constantFrom("path", "file", "file_path", "filePath");
  const textKeys = fc.constantFrom("content", "code");
  const dress = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => block(`${text}\n`, "json"),
    (text) => block(`${text}\n`, ""),
    (text) => `Here it is:\n\n${text}\n\nRun it.`,
    (text) => `[${text}]`,
    (text) => `{"files": [${text}]}`,
  );
  return fc.assert(
    fc.asyncProperty(
      pathKeys,
      textKeys,
      dress,
      fc.constantFrom(undefined, 2),
      async (path, text, put, indent) => {
        const value = { [path]: "lib/add.test.ts", [text]: `${body}${body}` };
        const file = await readTestFile(put(JSON.stringify(value, null, indent)));
        expect(file).toEqual({ name: "lib/add.test.ts", text: `${body}${body}` });
      },
    ),
  );
});

test("a test file may come in any dress that says all of it", () => {
  const name = "lib/add.test.ts";
  const tests = `import { add } from "./add";\n\n${body}\ntest("b", () => {});\n\ntest("d", () => {});\n`;
  const half = tests.slice(0, -12);
  const signed = tests.replaceAll(/^(?=.|\n)/gm, "+").replace(/\+$/, "");
  const dress = fc.constantFrom(
    tests,
    `<answer>\n${block(tests)}</answer>\n`,
    `<code>\n${tests}</code>\n`,
    `\`\`\`ts\n${tests}`,
    `<write_to_file>\n<path>${name}</path>\n<content>\n${tests}</content>\n</write_to_file>\n`,
    `*** Begin Patch\n*** Add File: ${name}\n${signed}*** End Patch\n`,
    block(`--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,7 @@\n${signed}`, "diff"),
    `${name}\n${block(`<<<<<<< SEARCH\n=======\n${tests}>>>>>>> REPLACE\n`)}`,
    `<think>\n${block(half)}</think>\n\n${block(tests)}`,
    `A draft:\n\n${block(tests.replace('"b"', '"c"'))}\nThe final version:\n\n${block(tests)}`,
    `<details>\n<summary>${name}</summary>\n\n${block(tests)}\n</details>\n`,
  );
  const beside = fc.constantFrom(
    "",
    block("2 passed\n", ""),
    `\`.editorconfig\`\n${block("root = true\n", "ini")}`,
    `Run it:\n\n${sh}`,
  );
  return fc.assert(
    fc.asyncProperty(dress, beside, async (answer, after) => {
      const isBare = !/```|\*\*\*|write_to/.test(answer) || answer.startsWith("```ts");
      const file = await readTestFile(isBare ? answer : `${answer}\n${after}`);
      expect([file?.name.endsWith("add.test.ts"), file?.text]).toEqual([true, tests]);
    }),
  );
});
