// One call as models without tool calling write it, with words before it.
import type { ToolCall } from "./coding-tasks.ts";

type Value = string | boolean | undefined;
type Dress = (call: ToolCall) => string;

export const dresses: Readonly<Record<string, Dress>> = {
  /** The document's own: edits in tags, the other calls as Python; at the end it just says what it did. */
  "tags around edits": ({ tool, params }) => {
    switch (tool) {
      case "edit_file":
        return `${params.instructions}\n\n${printEdit(params.target_file, endLine(params.code_edit))}`;
      case "finish":
        return `${params.response}\n`;
      case "read_file":
        return `${params.explanation}\n\ntool_code.readTool(filePath='${params.target_file}')\n`;
      default:
        return `I go on.\n\ntool_code.${printPython(tool, params)}\n`;
    }
  },
  "calls of functions": ({ tool, params }) => {
    switch (tool) {
      case "edit_file":
        return `${params.instructions}\n\neditTool(filePath='${params.target_file}', diffContent='''${printText(params.code_edit)}''')\n`;
      case "read_file":
        return `readTool(filePath='${params.target_file}')\n`;
      default:
        return `I go on.\n\n${printPython(tool, params)}\n`;
    }
  },
  "calls in a block of code": ({ tool, params }) =>
    `I go on.\n\n\`\`\`tool_code\nprint(${printPython(tool, params)})\n\`\`\`\n`,
  "blocks of YAML": ({ tool, params }) => {
    const fields = Object.entries<Value>(params).map(([name, value]) => printField(name, value));
    return `I go on.\n\n\`\`\`yaml\ntool: ${tool}\nreason: I need it, as I said\nparams:\n${fields.join("")}\`\`\`\n`;
  },
  "blocks of JSON": ({ tool, params }) =>
    `I go on.\n\n\`\`\`json\n${JSON.stringify({ tool, reason: "I need it.", params }, undefined, 2)}\n\`\`\`\n`,
  "a model's own tokens": ({ tool, params }) =>
    `I go on.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${tool}\n\`\`\`json\n${JSON.stringify(params)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "tags around JSON": ({ tool, params }) =>
    `I go on.\n<tool_call>\n${JSON.stringify({ name: tool, arguments: params })}\n</tool_call>\n`,
};

function isUnits(edit: string): boolean {
  return edit.startsWith("<<<<<<< SEARCH");
}

/** A tag is for units; a file, or code of it with marks, is a block of code under its path. */
function printEdit(path: string, edit: string): string {
  return isUnits(edit)
    ? `<file-edit filePath="${path}">\n${edit}</file-edit>\n`
    : `**${path}**\n\n\`\`\`\n${edit}\`\`\`\n`;
}

/** Of a text that is a file, the first line begins behind the quotes. */
function printText(edit: string): string {
  return isUnits(edit) ? `\n${endLine(edit)}` : edit;
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function printPython(tool: string, params: object): string {
  const printed = Object.entries<Value>({ ...params }).map(
    ([name, value]) =>
      `${name}=${typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)}`,
  );
  return `${tool}(${printed.join(", ")})`;
}

/** A block scalar cannot hold what begins with space. */
function printField(name: string, value: Value): string {
  if (typeof value !== "string" || !value.includes("\n") || /^\s/.test(value))
    return `  ${name}: ${JSON.stringify(value)}\n`;
  const lines = value.split("\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const body = lines.map((line) => (line === "" ? "" : `    ${line}`));
  return `  ${name}: |${isEnded ? "" : "-"}\n${body.join("\n")}\n`;
}
