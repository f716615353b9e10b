import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnswer, printUnits } from "../../../src/edit.ts";
import { readAnswer } from "./read-answer.ts";

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const units = printUnits([{ search: "return 42;\n", replace: 'return "42";\n' }]);

test("the document's own answer: words to the person, and a tag with a unit", () => {
  const answer = `<chat>好的，我将为您把 \`add\` 函数重命名为 \`sum\`。</chat>\n<file-edit filePath="src/utils.ts">\n${units}</file-edit>\n`;
  expect(readAnswer(answer, { size: 7 })).toEqual({
    text: "好的，我将为您把 `add` 函数重命名为 `sum`。\n",
    calls: [{ tool: "edit_file", args: { target_file: "src/utils.ts", code_edit: units } }],
    faults: [],
  });
});

test("the document's calls: a file is read, and a diff is applied", () => {
  const answer = `我先读取文件。\ntool_code.readTool(filePath='main.ts')\ntool_code.editTool(filePath='main.ts', diffContent='''${units}''')\n`;
  expect(readAnswer(answer, { size: 5 })).toMatchObject({
    text: "我先读取文件。\n",
    calls: [
      { tool: "read_file", args: { filePath: "main.ts" } },
      { tool: "edit_file", args: { filePath: "main.ts", diffContent: units } },
    ],
  });
});

test.each(["'", '"', "`"])(
  "a diff in %s that holds such quotes is an edit all the same",
  (quote) => {
    const line = fc.constantFrom(
      `const a = ${quote}x${quote};`,
      `print(${quote}x${quote})`,
      `f(${quote}a${quote}, ${quote}b${quote}, c=${quote}d${quote})`,
      `  ${quote}key${quote}: [${quote}v${quote}],`,
      "x",
      "",
      ")",
    );
    const side = fc.array(line, { minLength: 1, maxLength: 4 });
    const close = fc.constantFrom(
      `${quote})`,
      `${quote},\n)`,
      `${quote}, reason=${quote}why${quote})`,
    );
    fc.assert(
      fc.property(side, side, close, fc.integer({ min: 1, max: 40 }), (old, now, end, size) => {
        fc.pre(old.join("").includes(quote));
        const diff = printUnits([{ search: joinLines(old), replace: joinLines(now) }]);
        const call = `editTool(filePath=${quote}main.ts${quote}, diffContent=${quote}\n${diff}${end}\n`;
        const { calls, faults } = readAnswer(`${call}\nreadTool(filePath='b.ts')\n`, { size });
        const args = { filePath: "main.ts", diffContent: `\n${diff}` };
        expect(calls).toMatchObject([{ tool: "edit_file", args }, { tool: "read_file" }]);
        expect(faults).toEqual([]);
        const [file] = parseAnswer(call).files;
        expect(file).toMatchObject({
          filePath: "main.ts",
          units: [{ search: joinLines(old), replace: joinLines(now) }],
        });
      }),
    );
  },
);

test.each([
  ["units after a path", `\`src/a.ts\`\n${units}`, "src/a.ts"],
  ["units in a fence", `\`\`\`ts:src/a.ts\n${units}\`\`\`\n`, "src/a.ts"],
  [
    "a unified diff",
    '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-return 42;\n+return "42";\n',
    "src/a.ts",
  ],
  [
    "a patch",
    '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-return 42;\n+return "42";\n*** End Patch\n',
    "src/a.ts",
  ],
  [
    "JSON of an edit",
    '{"path": "src/a.ts", "search": "return 42;", "replace": "return \\"42\\";"}\n',
    "src/a.ts",
  ],
])("%s is an edit of the file", (_, answer, path) => {
  const { calls, faults } = readAnswer(`Here it is.\n\n${answer}\nDone.\n`, { size: 9 });
  expect(faults).toEqual([]);
  expect(calls).toEqual([{ tool: "edit_file", args: { target_file: path, code_edit: units } }]);
});

test.each([
  ["diff", "--- a/old.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"],
  ["patch", "*** Begin Patch\n*** Delete File: old.py\n*** End Patch\n"],
])("a %s that deletes a file is a call that does", (_, answer) => {
  expect(readAnswer(answer)).toEqual({
    text: "",
    calls: [{ tool: "delete_file", args: { target_file: "old.py" } }],
    faults: [],
  });
});

test("a code block under a path is the text of that file", () => {
  const answer =
    "I create it.\n\n**src/new.ts**\n\n```ts\nexport const a = 1;\n```\n\nThen run it:\n\n```sh\nnode src/new.ts\n```\n";
  expect(readAnswer(answer)).toMatchObject({
    calls: [
      {
        tool: "edit_file",
        args: { target_file: "src/new.ts", code_edit: "export const a = 1;\n" },
      },
    ],
  });
});

test("a code block that a sentence speaks of is a quotation", () => {
  const answer = "In `src/a.ts` the function is wrong, as this shows:\n\n```ts\nreturn 42;\n```\n";
  expect(readAnswer(answer)).toEqual({ text: answer, calls: [], faults: [] });
});

test("calls and edits come in the order of the text", () => {
  const tag = `<file-edit filePath="b.ts">\n${units}</file-edit>\n`;
  const answer = `read_file(target_file="a.ts")\n${tag}\n\`\`\`json\n{"tool":"list_dir","params":{}}\n\`\`\`\n${tag.replace("b.ts", "c.ts")}`;
  expect(readAnswer(answer).calls.map(({ tool }) => tool)).toEqual([
    "read_file",
    "edit_file",
    "list_dir",
    "edit_file",
  ]);
});

test("code with fences in a YAML call is cut at the fence that ends the call", () => {
  const answer =
    "```yaml\ntool: edit_file\nreason: docs: add usage\nparams:\n  target_file: README.md\n  code_edit: |\n    # Use\n\n    ```sh\n    npm i\n    ```\n\n    done\n```\nI wait.\n";
  expect(readAnswer(answer, { size: 3 })).toEqual({
    text: "I wait.\n",
    calls: [
      {
        tool: "edit_file",
        args: {
          target_file: "README.md",
          code_edit: "# Use\n\n```sh\nnpm i\n```\n\ndone\n",
          reason: "docs: add usage",
        },
      },
    ],
    faults: [],
  });
});

test("code without indentation in a YAML call is told to the model, and written nowhere", () => {
  const answer =
    "```yaml\ntool: edit_file\nparams:\n  target_file: README.md\n  code_edit: |\n# Use\n```sh\nnpm i\n```\ndone\n```\n";
  expect(readAnswer(answer)).toMatchObject({ calls: [], faults: [expect.anything()] });
});

test.each([
  ["a tag", '<tool_call>\n{"name": "read_file", "arguments": {"target_file": }\n</tool_call>\n'],
  ["a fence", "```yaml\ntool: read_file\nparams:\n  target_file: a\n   bad: [\n- x\n```\n"],
  [
    "a list of fields on lines",
    "tool: edit_file\nparams:\n  target_file: a\n  edits:\n    - old_string: b\n      new_string: c\n    - old_string: d\n      new_string: e\n",
  ],
  ["lines behind a model's own sign", "<|tool_call|>tool: read_file\ntarget_file a.ts\n"],
  ["a block of tool code", "```tool_code\nread_fil(target_file='a.ts')\n```\n"],
  ["an edit without a file", units],
  ["a tag without an end", `<file-edit filePath="a.ts">\n------- SEARCH\na\n`],
])("%s that cannot be read is a fault that the model is told of", (_, answer) => {
  const { calls, faults } = readAnswer(answer);
  expect(calls).toEqual([]);
  expect(faults).toHaveLength(1);
});

test.each([
  ["a tag", `<file-edit filePath="a.ts">\n${units.slice(0, -12)}`],
  ["JSON", '{"tool": "edit_file", "params": {"target_file": "a.ts", "code_edit": "x'],
  ["a function", `editTool(filePath='a.ts', diffContent='''${units}`],
  ["YAML", "```yaml\ntool: edit_file\nparams:\n  target_file: a.ts\n  code_edit: |\n    x\n"],
  ["a patch", "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n"],
])("%s that was cut off with the answer is neither call nor fault", (_, answer) => {
  expect(readAnswer(answer, { isStopped: false })).toMatchObject({ calls: [], faults: [] });
});

test("a malformed empty SEARCH does not become one that replaces a whole file", () => {
  const answer =
    '<file-edit filePath="a.ts">\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n</file-edit>\n';
  expect(readAnswer(answer).calls).toEqual([
    {
      tool: "edit_file",
      args: {
        target_file: "a.ts",
        code_edit: "<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n",
      },
    },
  ]);
});

test("an example that the text announces is no call", () => {
  const answer =
    'You call a tool as in this example:\n```json\n{"tool":"read_file","params":{"target_file":"a"}}\n```\n';
  expect(readAnswer(answer)).toEqual({ text: answer, calls: [], faults: [] });
});

test("an edit in such an example is none, and one in a file of that name is", () => {
  const tag = `<file-edit filePath="a.ts">\n${units}</file-edit>\n`;
  const shown = `I write edits like this, for example:\n\`\`\`\n${tag}\`\`\`\n`;
  expect(readAnswer(shown)).toEqual({ text: shown, calls: [], faults: [] });
  const meant = `I change src/example.ts:\n\`\`\`\n${tag}\`\`\`\n`;
  expect(readAnswer(meant).calls).toHaveLength(1);
});

test("what turns out to be reasoning held no calls", () => {
  const answer = `read_file(target_file="a.ts")\nI see.\n</think>\nlist_dir()\n`;
  expect(readAnswer(answer, { size: 4 })).toEqual({
    text: "",
    calls: [{ tool: "list_dir", args: {} }],
    faults: [],
  });
});

test("several ways to choose from are no calls, and the model is told to choose", () => {
  const option = (title: string) => `### ${title}\n\n\`a.ts\`\n${units}\n`;
  const { calls, faults } = readAnswer(option("Option A") + option("Option B"));
  expect(calls).toEqual([]);
  expect(faults).toEqual([expect.stringContaining("Choose one")]);
});

// Each takes a second or two; with the square of the length it would take hours.
test.each([
  "```yaml\ntool: a\n",
  "```json\n{\n```\n",
  "```yaml\ntool: [\n```\n",
  "[{\n",
  "readTool(filePath='\n",
  "<tool_call>\n{\n",
  'tool: "\n',
])("a long answer of %j is read to its end, and holds no call", (part) => {
  const answer = part.repeat(10_000);
  expect(readAnswer(answer, { size: 4_096 }).calls).toEqual([]);
});

test("a long call whose texts hold line ends as they are is read", () => {
  const code = `const a = "x";\\n\t// ${"中".repeat(70)}\n`.repeat(400);
  const raw = code.replaceAll('"', '\\"').replaceAll("\\n", "\\\\n");
  const answer = `<tool_call>\n{"name": "edit_file", "arguments": {"target_file": "a.ts", "code_edit": "${raw}"}}\n</tool_call>\n`;
  expect(answer.length).toBeGreaterThan(20_000);
  expect(readAnswer(answer)).toEqual({
    text: "",
    calls: [{ tool: "edit_file", args: { target_file: "a.ts", code_edit: code } }],
    faults: [],
  });
});

test("a fenced call in a list is read", () => {
  const answer =
    "1. Look:\n\n   ```yaml\n   tool: read_file\n   params:\n     target_file: a.ts\n   ```\n2. Wait.\n";
  expect(readAnswer(answer)).toEqual({
    text: "1. Look:\n\n2. Wait.\n",
    calls: [{ tool: "read_file", args: { target_file: "a.ts" } }],
    faults: [],
  });
});

test.each([
  ["an object", { target_file: "a.json", code_edit: '{"path": "b.json", "query": "c"}\n' }],
  ["a patch", { input: "*** Begin Patch\n*** Add File: a\n+{}\n*** End Patch" }],
])("%s in a field beside the name is the text of that field", (_, args) => {
  const answer = `<tool_call>${JSON.stringify({ name: "apply_patch", ...args })}</tool_call>\n`;
  expect(readAnswer(answer).calls).toEqual([{ tool: "edit_file", args }]);
});

test("quotes in a text may be as they are, whatever the tool does", () => {
  const answer = 'grep_search(query="say "hello" twice")\n';
  expect(readAnswer(answer).calls).toEqual([
    { tool: "grep_search", args: { query: 'say "hello" twice' } },
  ]);
});

test("the attribute that names the tool is no field of it", () => {
  const answer = '<invoke name="file_search">\n<parameter name="query">a</parameter>\n</invoke>\n';
  expect(readAnswer(answer).calls).toEqual([{ tool: "file_search", args: { query: "a" } }]);
});

test("the sign that closes a tag is no part of a value without quotes", () => {
  const [call] = readAnswer("<read_file target_file=src/a.ts/>\n").calls;
  expect(call).toEqual({ tool: "read_file", args: { target_file: "src/a.ts" } });
});

test("lines that begin as those of another call are no end of the call before", () => {
  const one = '>>>read_file\n{"target_file": "a"}\n';
  expect(readAnswer(one.repeat(3)).calls).toHaveLength(3);
});
