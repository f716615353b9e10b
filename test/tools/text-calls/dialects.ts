// The dialects in which models write calls, printed; and what is put into them.
import * as fc from "fast-check";

export interface PrintedCall {
  tool: string;
  params: Record<string, string>;
}

const path = fc
  .array(fc.constantFrom("src", "我的 文件", "a b", "x-1", "lib_2", "文档"), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((parts) =>
    fc.constantFrom("ts", "py", "md", "json").map((end) => `${parts.join("/")}.${end}`),
  );

const codeLine = fc.constantFrom(
  "const a = 'it''s';",
  'print("x: y")',
  "```ts",
  "```",
  "    deep: |",
  "\ttab",
  "",
  "# comment: 中文",
  "tool: edit_file",
  '{"name": "read_file", "arguments": {}}',
  "</tool_call>",
  "<tool_call>",
  "readTool(filePath='x')",
  "a \\n b \\\\ c \\d",
  "`${x}` $& $1",
  "- item",
  "'''",
  '"""',
  "key: value # no comment",
);

/** Lines of code, with line ends of either kind. */
const code = fc
  .tuple(fc.array(codeLine, { minLength: 1, maxLength: 8 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.map((line) => line + end).join(""));

/** A call whose texts may be anything. */
export const call: fc.Arbitrary<PrintedCall> = fc.oneof(
  path.map((target_file) => ({ tool: "read_file", params: { target_file } })),
  fc
    .tuple(path, code)
    .map(([target_file, code_edit]) => ({ tool: "edit_file", params: { target_file, code_edit } })),
  code.map((query) => ({ tool: "grep_search", params: { query } })),
);

export const prose = fc
  .array(
    fc.constantFrom(
      "I will look at the file first.",
      "好的，我先读取文件：",
      "The function `readTool(filePath='x')` reads it.",
      "1. one (two)",
      "- [x] done",
      "| a | b |",
      "It says: {not json}",
      "> quoted {",
      "**Note:** a < b",
      "",
      "done (for now)",
      "list(items) gives all.",
      "```ts\nconst a = { tool: 1 };\n```",
      '```json\n{"port": 8080}\n```',
      "```yaml\nname: ci\non: push\n```",
      "    read_file(target_file='x')",
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => `${lines.join("\n")}\n`);

export type Dialect = (call: PrintedCall) => string | undefined;

export const dialects: Readonly<Record<string, Dialect>> = {
  tag: ({ tool, params }) =>
    `<tool_call>\n${JSON.stringify({ name: tool, arguments: params })}\n</tool_call>\n`,
  "tag on one line": ({ tool, params }) =>
    `<tool_call>${JSON.stringify({ name: tool, arguments: params })}</tool_call>\n`,
  "tags for fields": ({ tool, params }) => {
    const fields = Object.entries(params).map(([name, text]) => {
      return text.includes("\r") ? undefined : `<parameter=${name}>\n${text}\n</parameter>\n`;
    });
    if (fields.includes(undefined)) return undefined;
    return `<tool_call>\n<function=${tool}>\n${fields.join("")}</function>\n</tool_call>\n`;
  },
  "tags with names": ({ tool, params }) => {
    const fields = printFields(params, (name, text) => {
      return `<parameter name="${name}">\n${text}\n</parameter>\n`;
    });
    return (
      fields && `<function_calls>\n<invoke name="${tool}">\n${fields}</invoke>\n</function_calls>\n`
    );
  },
  "tags named like the tool": ({ tool, params }) => {
    const fields = printFields(params, (name, text) => `<${name}>\n${text}\n</${name}>\n`);
    return fields && `<${tool}>\n${fields}</${tool}>\n`;
  },
  "a list of calls": ({ tool, params }) =>
    `[${tool}(${Object.entries(params)
      .map(([name, text]) => `${name}=${JSON.stringify(text)}`)
      .join(", ")})]\n`,
  "a call under a label": ({ tool, params }) =>
    `AI工具调用: tool_code.${tool}(${Object.entries(params)
      .map(([name, text]) => `${name}=${JSON.stringify(text)}`)
      .join(", ")})\n`,
  "an action and its input": ({ tool, params }) =>
    `Action: ${tool}\nAction Input: ${JSON.stringify(params)}\n`,
  // A server may take away the signs that are no text of the model.
  "only the name and an object": ({ tool, params }) => `${tool}[ARGS]${JSON.stringify(params)}\n`,
  "a number behind the name": ({ tool, params }) =>
    `functions.${tool}:0${JSON.stringify(params)}\n`,
  "a word in front of the name": ({ tool, params }) =>
    `function${tool}\n\`\`\`json\n${JSON.stringify(params)}\n\`\`\`\n`,
  "who it is for": ({ tool, params }) =>
    `assistantcommentary to=functions.${tool} json${JSON.stringify(params)}\n`,
  "bare JSON": ({ tool, params }) => `${JSON.stringify({ tool, params })}\n`,
  "JSON over lines": ({ tool, params }) =>
    `${JSON.stringify({ function: tool, parameters: params }, undefined, 2)}\n`,
  "fenced JSON": ({ tool, params }) =>
    `\`\`\`json\n${JSON.stringify({ name: tool, arguments: params }, undefined, 2)}\n\`\`\`\n`,
  "JSON of the API": ({ tool, params }) =>
    `${JSON.stringify({ tool_calls: [{ type: "function", function: { name: tool, arguments: JSON.stringify(params) } }] })}\n`,
  "fenced YAML with block scalars": ({ tool, params }) => {
    const fields = Object.entries(params).map(([name, text]) => printBlock(name, text));
    if (fields.includes(undefined)) return undefined;
    return `\`\`\`yaml\ntool: ${tool}\nreason: I need it: now\nparams:\n${fields.join("")}\`\`\`\n`;
  },
  "fenced YAML with quoted texts": ({ tool, params }) => {
    const fields = Object.entries(params).map(
      ([name, text]) => `  ${name}: ${JSON.stringify(text)}\n`,
    );
    return `\`\`\`yml\ntool: "${tool}"\nparams:\n${fields.join("")}\`\`\`\n`;
  },
  "Python call": ({ tool, params }) =>
    `${tool}(${Object.entries(params)
      .map(([name, text]) => `${name}=${JSON.stringify(text)}`)
      .join(", ")})\n`,
  "Python call with single quotes": ({ tool, params }) =>
    `tool_code.${tool}(${Object.entries(params)
      .map(([name, text]) => `${name}='${escapeSingle(text)}'`)
      .join(", ")})\n`,
  "Python call with triple quotes": ({ tool, params }) => {
    const texts = Object.entries(params).map(([name, text]) => {
      const isPlain = !/"""|\\|"$|\r/.test(text);
      return isPlain ? `${name}="""${text}"""` : undefined;
    });
    return texts.includes(undefined)
      ? undefined
      : `print(${tool}(\n  ${texts.join(",\n  ")},\n))\n`;
  },
  "JavaScript call": ({ tool, params }) => {
    const texts = Object.entries(params).map(([name, text]) => {
      if (/\\|\r/.test(text)) return undefined;
      return `${name}: \`${text.replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
    });
    return texts.includes(undefined) ? undefined : `await ${tool}({ ${texts.join(", ")} });\n`;
  },
  "fenced calls": ({ tool, params }) => {
    const texts = Object.entries(params).map(([name, text]) => `${name}=${JSON.stringify(text)}`);
    return `\`\`\`tool_code\n${tool}(${texts.join(", ")})\n\`\`\`\n`;
  },
};

/** Undefined where a text has other line ends. */
function printFields(
  params: PrintedCall["params"],
  print: (name: string, text: string) => string,
): string | undefined {
  const entries = Object.entries(params);
  if (entries.length === 0 || entries.some(([, text]) => text.includes("\r"))) return undefined;
  return entries.map(([name, text]) => print(name, text)).join("");
}

/** Undefined for what a block scalar cannot hold: other line ends, and lines of blanks. */
function printBlock(name: string, text: string): string | undefined {
  if (text.includes("\r") || text.trim() === "" || /^[ \t\n]|\n\n$/.test(text)) return undefined;
  const lines = text.split("\n").map((line) => (line === "" ? "" : `    ${line}`));
  if (!text.endsWith("\n")) return `  ${name}: |-\n${lines.join("\n")}\n`;
  return `  ${name}: |\n${lines.slice(0, -1).join("\n")}\n`;
}

function escapeSingle(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}

/** Tools that are spoken of, code that has functions of their names, and data that is like a call in part. */
export const mentions: fc.Arbitrary<string> = fc.constantFrom(
  "I will use read_file to look at `src/a.ts`, then edit_file.\n",
  "- read_file: reads a file\n- edit_file: changes one\n- list_dir: lists\n",
  "- `read_file`: reads a file\n- `edit_file`: changes one\n",
  "**read_file** reads a file.\n",
  "### read_file\n\nReads a file. Arguments: target_file.\n",
  "### read_file\n\nReads a file.\n\n```ts\nread_file(path: string): Promise<string>\n```\n",
  "1. read_file\n2. edit_file\n3. finish\n",
  "1. Action: look at the file\n2. Action: edit it\n",
  "Tool: read_file was not found\n",
  "Action: read the file\nThen: edit\n",
  "Tools used: read_file, edit_file\n",
  "```python\ndef read_file(path):\n    with open(path) as f:\n        return f.read()\n\ndata = read_file('a.txt')\nprint(data)\n```\n",
  '```ts\nconst text = await readFile(path, "utf8");\nreturn text;\n```\n',
  "```ts\nimport { readFile } from 'node:fs/promises';\nconst a = 1;\n```\n",
  '```json\n{"name": "my-app", "version": "1.0.0", "scripts": {"read": "node read.js", "edit": "vi"}}\n```\n',
  '```json\n{"name": "search", "repository": {"type": "git", "url": "x", "directory": "packages/search"}}\n```\n',
  '```json\n[{"name": "read_file", "description": "Reads a file", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]\n```\n',
  '```json\n{"tools": [{"type": "function", "function": {"name": "read_file", "description": "x", "parameters": {"type": "object", "properties": {"target_file": {"type": "string"}}}}}]}\n```\n',
  "```yaml\nname: CI\non: push\njobs:\n  build:\n    runs-on: ubuntu\n    steps:\n      - name: read_file\n        run: cat a\n```\n",
  "```yaml\nname: search\nversion: 1\npath: src\n```\n",
  '```html\n<search>\n<form action="/find"><input name="query"></form>\n</search>\n```\n',
  "<details>\n<summary>More</summary>\n\nText.\n</details>\n",
  "<edit>\n<done>\n",
  "<p>Hello</p>\n",
  "Use `<read_file><path>a.ts</path></read_file>` to read.\n",
  "The `<|tool_call|>` token begins a call.\n",
  "The token <|im_end|> ends a message.\n",
  "A call begins with <tool_call> and ends with </tool_call>.\n",
  "[TOOL_CALLS] is what Mistral writes.\n",
  "In DeepSeek it is <｜tool▁calls▁begin｜> followed by the name.\n",
  "{ port: 8080 }\n",
  '{"port": 8080}\n',
  '{"success": true, "content": "read_file(target_file=\'a\')"}\n',
  "[1, 2, 3]\n",
  "[link](read_file.md) and [x] done\n",
  "[x] done: read_file\n[ ] edit_file\n",
  "> read_file(target_file='a.ts')\n",
  '> {"tool": "read_file", "params": {"target_file": "a"}}\n',
  "    read_file(target_file='a.ts')\n",
  "read_file(target_file='a.ts') reads the file and gives its text.\n",
  "read_file(path) takes one argument.\n",
  'read_file takes {"target_file": "a"} as its input.\n',
  "search(items) gives all.\nlist(x)\nfind('a')\n",
  "search\n{\n  color: red;\n}\n",
  ".search {\n  color: red;\n}\n",
  "edit: the file\nread: it\n",
  "Note: read_file(target_file='a.ts') is how to read.\n",
  "Usage: read_file(target_file='a.ts')\n",
  "Example: `read_file(target_file='a.ts')`\n",
  "$ read_file a.ts\n",
  "$ grep -r foo src\n",
  "# search\n\nfind: yes\n",
  '## done\n{"status": "ok"}\n',
  "@search decorators\n",
  '@edit\n{"a": 1}\n',
  "```\nread_file(target_file='x')\nTraceback: error\n```\n",
  "```bash\nread_file a.ts\nls src\n```\n",
  "```log\nINFO tool: read_file done\nERROR edit_file failed\n```\n",
  "```js\nfunction search(query) { return list(query); }\nsearch('a');\n```\n",
  "```js\nsearch('a');\n```\n",
  "```css\n.a { color: red }\n```\n",
  "| tool | does |\n| --- | --- |\n| read_file | reads |\n",
  'The result of read_file:\n\n{"success": true, "text": "a"}\n',
  'It says: {"tool": "read_file"} and more.\n',
  "Call read_file with target_file=src/a.ts.\n",
  "call: me later\nrun: npm test\nuse: the map\n",
  "run: npm test\n",
  "Run: `npm test`\n",
  "Command: ls -la\n",
  "Function: search\nReturns: list\n",
  "function: search\nquery: what it looks for\n",
  "Tool: `grep_search`\nPurpose: find text\n",
  "**Tool:** read_file\n**Why:** to read\n",
  "Action: finish\nObservation: done\n",
  "I call finish now.\nfinish\n",
  "done\n\nAll is done.\n",
  "<b>read_file</b>\n",
  '<!-- <tool_call>{"name":"read_file"}</tool_call> -->\n',
  "✅ read_file works\n",
  "★ done ★\n",
  "```\n>>> read_file('a')\n'text'\n```\n",
  '```xml\n<tool name="x">\n  <desc>y</desc>\n</tool>\n```\n',
  "```xml\n<project>\n  <name>search</name>\n  <path>src</path>\n</project>\n```\n",
  '<function name="main">\n<body/>\n</function>\n',
  '```toml\n[tool.search]\nname = "search"\npath = "a"\n```\n',
  '```jsonc\n// settings\n{\n  "search": {"path": "src", "query": "x"},\n  "edit": {"file": "a"}\n}\n```\n',
  '```json\n{\n  "search": {"exclude": {"**/node_modules": true}}\n}\n```\n',
  '```json\n{"action": "search", "results": []}\n```\n',
  '```json\n{"type": "list", "path": "src", "items": [1]}\n```\n',
  '```json\n{"command": "search", "title": "Search", "file": "a.ts"}\n```\n',
  '```json\n{"op": "replace", "path": "/a/b", "value": 1}\n```\n',
  '```json\n[{"op": "replace", "path": "/a", "value": "x"}, {"op": "remove", "path": "/b"}]\n```\n',
  '```json\n{"event": "edit", "file": "a.ts", "line": 3}\n```\n',
  '```json\n{"method": "read", "params": {"path": "/x"}}\n```\n',
  "```yaml\n- name: grep\n  path: /bin/grep\n```\n",
);
