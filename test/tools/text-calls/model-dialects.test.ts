import { describe, expect, test } from "vitest";
import { readAnswer } from "./read-answer.ts";

const read = { tool: "read_file", args: { target_file: "a.ts" } };
const readB = { tool: "read_file", args: { target_file: "b.ts" } };
const json = '{"name": "read_file", "arguments": {"target_file": "a.ts"}}';
const jsonB = json.replace("a.ts", "b.ts");
const space = "antml:";

/** All calls that the answer holds, however it is cut into pieces, and no text but this. */
function expectCalls(answer: string, calls: unknown[], text = ""): void {
  for (const size of [Infinity, 1, 2, 3, 7, 19]) {
    const found = readAnswer(answer, { size });
    expect(found.calls).toEqual(calls);
    expect(found.text.trim()).toBe(text);
    expect(found.faults).toEqual([]);
  }
}

describe("calls in tags", () => {
  test.each([
    ["two on one line", `<tool_call>${json}</tool_call><tool_call>${jsonB}</tool_call>`],
    [
      "a tag around all",
      `<tool_calls>\n<tool_call>\n${json}\n</tool_call>\n<tool_call>${jsonB}</tool_call>\n</tool_calls>\n`,
    ],
    ["a tag around a list", `<tool_calls>[\n${json},\n${jsonB}]</tool_calls>\n`],
    [
      "a tag around functions in a list",
      `<function_calls>[read_file(target_file="a.ts"), read_file("b.ts")]</function_calls>\n`,
    ],
    [
      "parameters with names",
      '<function_calls>\n<invoke name="read_file">\n<parameter name="target_file">a.ts</parameter>\n</invoke>\n<invoke name="read_file">\n<parameter name="target_file">b.ts</parameter>\n</invoke>\n</function_calls>\n',
    ],
    [
      "tags in a namespace",
      `<${space}function_calls>\n<${space}invoke name='read_file'>\n<${space}parameter name='target_file'>a.ts</${space}parameter>\n</${space}invoke>\n<${space}invoke name="read_file">\n<${space}parameter type="string" name="target_file">b.ts</${space}parameter>\n</${space}invoke>\n</${space}function_calls>\n`,
    ],
    [
      "functions without a tag around them",
      '<function=read_file>\n<parameter=target_file>\na.ts\n</parameter>\n</function>\n</tool_call>\n<function=read_file>{"target_file": "b.ts"}</function>\n',
    ],
    [
      "tags named like the tools",
      "<read_file>\n<target_file>a.ts</target_file>\n</read_file>\n\n<read_file>\n<target_file>b.ts</target_file>\n</read_file>\n",
    ],
    [
      "keys and values",
      "<tool_call>read_file\n<arg_key>target_file</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>\n<tool_call>read_file\n<arg_key>target_file</arg_key>\n<arg_value>b.ts</arg_value>\n</tool_call>\n",
    ],
    [
      "tags for the name and the arguments",
      '<tool_call>\n<name>read_file</name>\n<arguments>{"target_file":"a.ts"}</arguments>\n</tool_call>\n<tool_call name="read_file">\n{"target_file": "b.ts"}\n</tool_call>\n',
    ],
    [
      "a fence, YAML or a function inside",
      `<tool_call>\n\`\`\`json\n${json}\n\`\`\`\n</tool_call>\n<TOOL_CALL>\ntool: read_file\nparams:\n  target_file: b.ts\n</TOOL_CALL>\n`,
    ],
    [
      "code in a tag",
      "<tool_code>\nprint(readTool(target_file='a.ts'))\nread_file(\"b.ts\")\n</tool_code>",
    ],
  ])("%s are read", (_, answer) => {
    expectCalls(`Let me look.\n${answer}`, [read, readB], "Let me look.");
  });

  test("words on the line of a token that ends functions in a list stay text", () => {
    const list =
      '<|tool_call_start|>[read_file(target_file="a.ts"), read_file(target_file="b.ts")]';
    expectCalls(`${list}<|tool_call_end|>Done.\n`, [read, readB], "Done.");
  });

  test("a tab is part of the text in a block of YAML", () => {
    const yaml =
      "tool: edit_file\nparams:\n  target_file: a.go\n  code_edit: |-\n    \ta()\n    \t\tb()\n";
    const args = { target_file: "a.go", code_edit: "\ta()\n\t\tb()" };
    expectCalls(`\`\`\`yaml\n${yaml}\`\`\`\n`, [{ tool: "edit_file", args }]);
  });

  test("words on the line of the tag stay text", () => {
    expectCalls(`OK, 先读取：<tool_call>${json}</tool_call> Done.\n`, [read], "OK, 先读取： Done.");
  });

  test.each([
    "The `<tool_call>{}</tool_call>` tag holds a call.\n",
    "I use the <tool_call> tag for that.\n",
    "<read_file> is the tool for it.\n",
    "<finish>\nthe race\n</finish>\n",
    `> <tool_call>${json}</tool_call>\n`,
  ])("what only speaks of a tag is text: %j", (answer) => {
    expectCalls(answer, [], answer.trim());
  });

  test.each(["<tool_calls>[", "<function_calls>[x", "OK <tool_calls>[ ]\n"])(
    "what cannot be read is told, and nothing is read for ever: %j",
    (answer) => {
      expect(readAnswer(answer)).toMatchObject({ calls: [], text: answer });
      expect(readAnswer(answer).faults).toHaveLength(1);
    },
  );

  test("a text holds tags, also the one that ends it, and stands in CDATA or not", () => {
    const code = "<p>\n</code_edit>\n  <b>&lt;</b>\n</edit_file>\n</p>";
    const args = { target_file: "a.html", code_edit: code };
    const expected = [{ tool: "edit_file", args }];
    expectCalls(
      `<edit_file>\n<target_file>a.html</target_file>\n<code_edit>\n${code}\n</code_edit>\n</edit_file>\n`,
      expected,
    );
    expectCalls(
      `<invoke name="edit_file">\n<parameter name="target_file">a.html</parameter>\n<parameter name="code_edit"><![CDATA[${code}]]></parameter>\n</invoke>\n`,
      expected,
    );
  });

  test("a tag around calls may stay open where all of them are closed, and no other", () => {
    const call =
      '<function_calls>\n<invoke name="read_file">\n<parameter name="target_file">a.ts</parameter>\n</invoke>\n';
    expect(readAnswer(call).calls).toEqual([read]);
    const cut = call.slice(0, call.indexOf("</parameter>"));
    expect(readAnswer(cut)).toMatchObject({ calls: [], faults: [expect.anything()] });
    expect(readAnswer(cut, { isStopped: false })).toMatchObject({ calls: [], faults: [] });
  });

  test("after a call that cannot be read the next one is", () => {
    const broken =
      '<tool_call>\n{"name": "read_file", "arguments": {"target_file": }\n</tool_call>\n';
    expect(readAnswer(`${broken}<tool_call>\n${json}\n</tool_call>\n`)).toMatchObject({
      calls: [read],
      faults: [expect.anything()],
    });
  });
});

describe("calls as functions", () => {
  const one = "tool_code.readTool(target_file='a.ts')";
  test.each([
    ["the document's label", `AI工具调用: ${one}\n`],
    ["an English label", `**Tool call:** ${one}\n`],
    ["a label in a list", `1. Action: ${one}\n`],
    ["backticks", `\`${one}\`\n`],
    ["a module", "api.readTool(target_file='a.ts')\n"],
    ["a name for what comes back", `\`\`\`python\ncontent = ${one}\n\`\`\`\n`],
    ["a list", '[read_file(target_file="a.ts")]\n'],
  ])("%s around them make no difference", (_, answer) => {
    expectCalls(answer, [read]);
  });

  test.each([
    ["a semicolon", "readTool(target_file='a.ts'); readTool(target_file='b.ts')\n"],
    ["a list", '[read_file(target_file="a.ts"), read_file(target_file="b.ts")]\n'],
  ])("several on one line, with %s, are read", (_, answer) => {
    expectCalls(answer, [read, readB]);
  });

  test.each([
    "I call `readTool(target_file='a.ts')` now.\n",
    "Call me later.\n",
    "Action needed: none\n",
  ])("a sentence is none: %j", (answer) => {
    expectCalls(answer, [], answer.trim());
  });
});

describe("calls in YAML and JSON", () => {
  test.each([
    [
      "a YAML list",
      "```yaml\n- tool: read_file\n  params:\n    target_file: a.ts\n- tool: read_file\n  params:\n    target_file: b.ts\n```\n",
    ],
    [
      "several YAML documents",
      "```yaml\ntool: read_file\nparams:\n  target_file: a.ts\n---\ntool: read_file\nparams:\n  target_file: b.ts\n```\n",
    ],
    [
      "YAML without a fence",
      "tool: read_file\nparams:\n  target_file: a.ts\n\ntool: read_file\nparams:\n\n  target_file: b.ts\n",
    ],
    ["JSON objects on one line", `${json}; ${jsonB}\n`],
    ["other signs of that kind", `<|tool_call|>[${json}]\n<|action_start|><|plugin|>${jsonB}\n`],
    ["a model's own sign", `<|python_tag|>${json}\n[TOOL_CALLS] [${jsonB}]\n`],
    [
      "the tool as the key",
      '{"read_file": {"target_file": "a.ts"}}\n{"read_file": {"target_file": "b.ts"}}\n',
    ],
    [
      "several uses of tools",
      '{"tool_uses":[{"recipient_name":"functions.read_file","parameters":{"target_file":"a.ts"}},{"recipient_name":"functions.read_file","parameters":{"target_file":"b.ts"}}]}\n',
    ],
    [
      "an action and its input",
      'Action: read_file\nAction Input: {"target_file": "a.ts"}\n\n**Action:** `read_file`\n**Action Input:**\n{\n  "target_file": "b.ts"\n}\n',
    ],
  ])("%s is read", (_, answer) => {
    expectCalls(`I look:\n\n${answer}`, [read, readB], "I look:");
  });

  test("tabs may indent YAML", () => {
    expectCalls("```yaml\ntool: read_file\nparams:\n\ttarget_file: a.ts\n```\n", [read]);
  });
});

// Servers may keep the signs of a model to themselves.
describe("a call without its signs", () => {
  test.each([
    ["a number", "I look.", 'functions.read_file:0{"target_file": "a.ts"}', "functions."],
    [
      "a fence below",
      "我先看一下。",
      'functionread_file\n```json\n{"target_file": "a.ts"}\n```',
      "",
    ],
    ["a mark", "I look. ", 'read_file[ARGS]{"target_file": "a.ts"}', ""],
    ["its kind", "finalcommentary to=functions.", 'read_file json{"target_file": "a.ts"}', ""],
    ["a rule", "I look.>>>", 'read_file\n{"target_file": "a.ts"}', ""],
    ["its name in a list", "I look.", `[${json}]`, ""],
  ])("with %s it is read, also directly behind words", (_, words, bare, rest) => {
    const second = bare.replace("a.ts", "b.ts");
    expectCalls(`${words}${bare}\n`, [read], words.trim() + rest);
    if (!bare.startsWith("[")) expectCalls(`${bare}${second}\n`, [read, readB]);
  });

  test.each([
    'Then read_file{"target_file": "a.ts"} would show it.',
    'It calls `read_file{"target_file": "a.ts"}` first.',
    'For example, read_file{"target_file": "a.ts"}',
    'Then it is edit_file\n\n{"port": 8080}',
    "The next step is read_file",
    '- [ ] edit_file\n\n```json\n{"command": "search", "file": "a.ts"}\n```',
    'The list [{"name": "read_file"}] is what the server says.',
  ])("a sentence may speak of a call: %s", (sentence) => {
    expectCalls(`${sentence}\n`, [], sentence);
  });
});

describe("no calls", () => {
  const call = '{"tool":"read_file","params":{"target_file":"a.ts"}}\n';
  test.each([
    ["a comment", `<!--\n${call}-->\n`],
    ["what an example looks like", `A call looks like this:\n\`\`\`json\n${call}\`\`\`\n`],
    ["a format that is described", `调用格式如下：\n\`\`\`json\n${call}\`\`\`\n`],
    ["what a file contains", `The file \`prompt.md\` contains:\n\`\`\`\n${call}\`\`\`\n`],
    ["the text of a file that is quoted", `prompts/system.md 的内容：\n\`\`\`\n${call}\`\`\`\n`],
    ["an output", `\`\`\`tool_outputs\n${call}\`\`\`\n`],
    ["an observation", `Observation:\n${call}`],
    ["notes to itself", `<scratchpad>\n${call}</scratchpad>\n`],
    ["an analysis", `<analysis>\n${call}</analysis>\n`],
    ["thoughts in a namespace", `<${space}thinking>\n${call}</${space}thinking>\n`],
    [
      "an entry of the history",
      '```json\n{"tool":"read_file","params":{"target_file":"a.ts"},"result":{"success":true},"timestamp":"2026-01-01"}\n```\n',
    ],
    [
      "the schema of a tool",
      '```json\n{"name":"read_file","parameters":{"type":"object","properties":{"target_file":{"type":"string"}}}}\n```\n',
    ],
    [
      "a package of that name",
      '```json\n{"name":"edit","version":"1.0.0","description":"x"}\n```\n',
    ],
    ["a workflow of that name", "```yaml\nname: done\non: push\n```\n"],
  ])("%s: it stays text", (_, answer) => {
    expectCalls(answer, [], answer.trim());
  });

  test.each([
    ["on the fence", "", `\`\`\`json:config/call.json\n${call}\`\`\`\n`],
    ["above it", "**config/call.json**", `\n\`\`\`json\n${call}\`\`\`\n`],
  ])("the text of a file whose path stands %s is written to that file", (_, above, answer) => {
    const args = { target_file: "config/call.json", code_edit: call };
    expectCalls(above + answer, [{ tool: "edit_file", args }], above);
  });
});

describe("a tag with the text of a file", () => {
  const file = (content: string) => `<file-edit filePath="src/new.ts">\n${content}</file-edit>\n`;
  const edit = (code_edit: string) => [
    { tool: "edit_file", args: { target_file: "src/new.ts", code_edit } },
  ];

  test.each([
    ["the whole of it", "export const a = 1;\n\nexport const b = 2;\n"],
    ["code with marks", "// ... existing code ...\nfoo();\n// ... existing code ...\n"],
  ])("%s is read", (_, code) => {
    expectCalls(file(code), edit(code));
    expectCalls(file(`\`\`\`ts\n${code}\`\`\`\n`), edit(code));
    expectCalls(file(`<![CDATA[\n${code}]]>\n`), edit(code));
  });

  test.each([
    ["a list", "a.yml", "- name: one\n- name: two\n"],
    ["JSON", "a.json", '{\n  "a": 1\n}\n'],
    ["XML", "a.xml", '<?xml version="1.0"?>\n<files>\n<file>x</file>\n</files>\n'],
    ["Markdown", "a.md", "# T\n\n```sh\nls\n```\n"],
  ])("may hold %s", (_, path, code) => {
    const answer = file(code).replace("src/new.ts", path);
    expectCalls(answer, [{ tool: "edit_file", args: { target_file: path, code_edit: code } }]);
  });

  test("is refused where the tag stays open, and where words stand before a unit", () => {
    const open = file("export const a = 1;\n").replace("</file-edit>\n", "");
    expect(readAnswer(open)).toMatchObject({ calls: [], faults: [expect.anything()] });
    const words = file("Here it is:\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n");
    expect(readAnswer(words)).toMatchObject({ calls: [], faults: [expect.anything()] });
  });
});
