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
