// The calls of models as their own templates print them, and dialects that nobody has.
import type { Dialect, PrintedCall } from "./dialects.ts";

const named = ({ tool, params }: PrintedCall, key = "arguments"): string =>
  JSON.stringify({ name: tool, [key]: params });
const keywords = ({ tool, params }: PrintedCall): string =>
  `${tool}(${Object.entries(params)
    .map(([name, text]) => `${name}=${JSON.stringify(text)}`)
    .join(", ")})`;

/** Undefined where a text has other line ends: a tag has no way to write them. */
function tagged(
  { params }: PrintedCall,
  print: (name: string, text: string) => string,
): string | undefined {
  const entries = Object.entries(params);
  if (entries.some(([, text]) => /[\r]|^\s|\n\n$/.test(text) || text.trim() === ""))
    return undefined;
  return entries.map(([name, text]) => print(name, text)).join("");
}

const around =
  (before: string, print: (call: PrintedCall) => string | undefined, after: string): Dialect =>
  (call) => {
    const inside = print(call);
    return inside === undefined ? undefined : `${before}${inside}${after}`;
  };

export const templates: Readonly<Record<string, Dialect>> = {
  "DeepSeek V3": around(
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>",
    ({ tool, params }) =>
      `function<｜tool▁sep｜>${tool}\n\`\`\`json\n${JSON.stringify(params)}\n\`\`\``,
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n",
  ),
  "DeepSeek V3.1": around(
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>",
    ({ tool, params }) => `${tool}<｜tool▁sep｜>${JSON.stringify(params)}`,
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>\n",
  ),
  "DeepSeek V3.2": (call) => {
    const fields = tagged(
      call,
      (name, text) =>
        `<｜DSML｜parameter name="${name}" string="true">${text}</｜DSML｜parameter>\n`,
    );
    return (
      fields &&
      `<｜DSML｜function_calls>\n<｜DSML｜invoke name="${call.tool}">\n${fields}</｜DSML｜invoke>\n</｜DSML｜function_calls>\n`
    );
  },
  "Kimi K2": around(
    "<|tool_calls_section_begin|><|tool_call_begin|>",
    ({ tool, params }) =>
      `functions.${tool}:0<|tool_call_argument_begin|>${JSON.stringify(params)}`,
    "<|tool_call_end|><|tool_calls_section_end|>\n",
  ),
  "Mistral, a list": around("[TOOL_CALLS] [", (call) => named(call), "]\n"),
  "Mistral, a name": around(
    "[TOOL_CALLS]",
    ({ tool, params }) => `${tool}${JSON.stringify(params)}`,
    "\n",
  ),
  "Mistral, arguments": around(
    "[TOOL_CALLS]",
    ({ tool, params }) => `${tool}[CALL_ID]a1B2c3D4e[ARGS]${JSON.stringify(params)}`,
    "\n",
  ),
  harmony: around(
    "<|channel|>commentary to=functions.",
    ({ tool, params }) => `${tool} <|constrain|>json<|message|>${JSON.stringify(params)}`,
    "<|call|>\n",
  ),
  "harmony, after its thoughts": around(
    "<|channel|>analysis<|message|>I need to call read_file first.<|end|><|start|>assistant<|channel|>commentary to=functions.",
    ({ tool, params }) => `${tool} <|constrain|>json<|message|>${JSON.stringify(params)}`,
    "<|call|>\n",
  ),
  "harmony, the name first": around(
    "<|start|>assistant to=functions.",
    ({ tool, params }) => `${tool}<|channel|>commentary json<|message|>${JSON.stringify(params)}`,
    "<|call|>\n",
  ),
  Granite: around("<|tool_call|>[", (call) => named(call), "]\n"),
  "Granite, in tags": around("<tool_call>[", (call) => named(call), "]\n"),
  "Granite 20b": around("<function_call> ", (call) => named(call), "\n"),
  "Phi-4": around("<|tool_call|>[", (call) => named(call), "]<|/tool_call|>\n"),
  "Phi-4 mini": around("functools[", (call) => named(call), "]\n"),
  Nemotron: around("<TOOLCALL>[", (call) => named(call), "]</TOOLCALL>\n"),
  InternLM: around(
    "<|action_start|><|plugin|>\n",
    (call) => named(call, "parameters"),
    "<|action_end|>\n",
  ),
  Hermes: around("<tool_call>\n", (call) => named(call), "\n</tool_call>\n"),
  "Qwen-Agent": around(
    "✿FUNCTION✿: ",
    ({ tool, params }) => `${tool}\n✿ARGS✿: ${JSON.stringify(params)}`,
    "\n✿RESULT✿: \n",
  ),
  "Qwen3-Coder": (call) => {
    const fields = tagged(call, (name, text) => `<parameter=${name}>\n${text}\n</parameter>\n`);
    return fields && `<tool_call>\n<function=${call.tool}>\n${fields}</function>\n</tool_call>\n`;
  },
  "Seed-OSS": (call) => {
    const fields = tagged(call, (name, text) => `<parameter=${name}>${text}</parameter>\n`);
    return (
      fields &&
      `<seed:tool_call>\n<function=${call.tool}>\n${fields}</function>\n</seed:tool_call>\n`
    );
  },
  "GLM-4": around(
    "",
    ({ tool, params }) => `${tool}\n${JSON.stringify(params, undefined, 1)}`,
    "\n",
  ),
  "GLM-4.5": (call) => {
    const fields = tagged(
      call,
      (name, text) => `<arg_key>${name}</arg_key>\n<arg_value>${text}</arg_value>\n`,
    );
    return fields && `<tool_call>${call.tool}\n${fields}</tool_call>\n`;
  },
  LongCat: (call) => {
    const fields = tagged(
      call,
      (name, text) =>
        `<longcat_arg_key>${name}</longcat_arg_key>\n<longcat_arg_value>${text}</longcat_arg_value>\n`,
    );
    return fields && `<longcat_tool_call>${call.tool}\n${fields}</longcat_tool_call>\n`;
  },
  "Llama 3": around("<|python_tag|>", (call) => named(call, "parameters"), "<|eom_id|>\n"),
  "Llama 3, bare": around("", (call) => named(call, "parameters"), "\n"),
  "Llama 3, a function": around(
    "<function=",
    ({ tool, params }) => `${tool}>${JSON.stringify(params)}`,
    "</function>\n",
  ),
  "Llama 4": around("[", keywords, "]\n"),
  "Llama 4, with signs": around("<|python_start|>[", keywords, "]<|python_end|>\n"),
  LFM2: around("<|tool_call_start|>[", keywords, "]<|tool_call_end|>\n"),
  "Olmo 3": around("<function_calls>\n", keywords, "\n</function_calls>\n"),
  Hunyuan: around("<tool_calls>[", (call) => named(call), "]</tool_calls>\n"),
  "MiniMax M1": around("<tool_calls>\n", (call) => named(call), "\n</tool_calls>\n"),
  "MiniMax M2": (call) => {
    const fields = tagged(call, (name, text) => `<parameter name="${name}">${text}</parameter>\n`);
    return (
      fields &&
      `<minimax:tool_call>\n<invoke name="${call.tool}">\n${fields}</invoke>\n</minimax:tool_call>\n`
    );
  },
  Claude: (call) => {
    const fields = tagged(call, (name, text) => `<parameter name="${name}">${text}</parameter>\n`);
    return (
      fields &&
      `<function_calls>\n<invoke name="${call.tool}">\n${fields}</invoke>\n</function_calls>\n`
    );
  },
  "Step 3": (call) => {
    const fields = tagged(
      call,
      (name, text) => `<steptml:parameter name="${name}">${text}</steptml:parameter>`,
    );
    return (
      fields &&
      `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${call.tool}">${fields}</steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>\n`
    );
  },
  Cohere: around(
    "<|START_ACTION|>[\n",
    ({ tool, params }) =>
      JSON.stringify({ tool_call_id: "0", tool_name: tool, parameters: params }),
    "\n]<|END_ACTION|>\n",
  ),
  "Command R": around(
    "Action: ```json\n[\n",
    ({ tool, params }) => JSON.stringify({ tool_name: tool, parameters: params }, undefined, 4),
    "\n]\n```\n",
  ),
  xLAM: around("[", (call) => named(call), "]\n"),
  Apertus: around(
    "<|tools_prefix|>[",
    ({ tool, params }) => JSON.stringify({ [tool]: params }),
    "]<|tools_suffix|>\n",
  ),
  Functionary: around(">>>", ({ tool, params }) => `${tool}\n${JSON.stringify(params)}`, "\n"),
  "Functionary 2": around(
    "<|recipient|>",
    ({ tool, params }) => `${tool}\n<|content|>${JSON.stringify(params)}`,
    "<|stop|>\n",
  ),
  Gorilla: around("<<function>>[", keywords, "]\n"),
  GigaChat: around("function call<|role_sep|>\n", (call) => named(call), "\n"),
  FunctionGemma: around(
    "<start_function_call>call:",
    ({ tool, params }) =>
      Object.values(params).some((text) => /[\r]/.test(text))
        ? undefined
        : `${tool}{${Object.entries(params)
            .map(([name, text]) => `${name}:<escape>${text}<escape>`)
            .join(",")}}`,
    "<end_function_call>\n",
  ),
  Gemma: around("```tool_code\n", keywords, "\n```\n"),
  ReAct: around(
    "Thought: I look.\nAction: ",
    ({ tool, params }) => `${tool}\nAction Input: ${JSON.stringify(params)}`,
    "\n",
  ),
  "a fenced object": around(
    "```json\n",
    ({ tool, params }) => JSON.stringify({ tool, params }, undefined, 2),
    "\n```\n",
  ),
  "harmony, without its signs": around(
    "assistant to=functions.",
    ({ tool, params }) => `${tool} commentary json\n${JSON.stringify(params)}`,
    "\n",
  ),
  "several of harmony": around(
    "to=multi_tool_use.parallel ",
    ({ tool, params }) =>
      JSON.stringify({ tool_uses: [{ recipient_name: `functions.${tool}`, parameters: params }] }),
    "\n",
  ),
  "Kimi K2, without its signs": around(
    "functions.",
    ({ tool, params }) => `${tool}:0${JSON.stringify(params)}`,
    "\n",
  ),
  "Llama 3, a tool of its own": around(
    "<|python_tag|>",
    (call) => keywords(call).replace("(", ".call("),
    "<|eom_id|>\n",
  ),
  Solar: around(
    "<|tool_calls|><|tool_call:begin|>a1b2c3<|tool_call:name|>",
    ({ tool, params }) => `${tool}<|tool_call:args|>${JSON.stringify(params)}`,
    "<|tool_call:end|>\n",
  ),
  "Gemini, a part": around(
    "",
    ({ tool, params }) => JSON.stringify({ functionCall: { name: tool, args: params } }),
    "\n",
  ),
  "JSON-RPC": around(
    "",
    ({ tool, params }) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: tool, arguments: params },
      }),
    "\n",
  ),
  "MCP in Cline": around(
    "<use_mcp_tool>\n<server_name>files</server_name>\n<tool_name>",
    ({ tool, params }) =>
      `${tool}</tool_name>\n<arguments>\n${JSON.stringify(params)}\n</arguments>`,
    "\n</use_mcp_tool>\n",
  ),
  "Cherry Studio": around(
    "<tool_use>\n  <name>",
    ({ tool, params }) => `${tool}</name>\n  <arguments>${JSON.stringify(params)}</arguments>`,
    "\n</tool_use>\n",
  ),
  Grok: (call) => {
    const fields = tagged(call, (name, text) => `<parameter name="${name}">${text}</parameter>\n`);
    return fields && `<xai:function_call name="${call.tool}">\n${fields}</xai:function_call>\n`;
  },
  Cline: (call) => {
    const fields = tagged(call, (name, text) => `<${name}>${text}</${name}>\n`);
    return fields && `<${call.tool}>\n${fields}</${call.tool}>\n`;
  },
};

/** How models that no template helps write a call. */
export const homemade: Readonly<Record<string, Dialect>> = {
  "a tag with attributes": ({ tool, params }) =>
    Object.values(params).some((text) => /["<>\n\\]/.test(text))
      ? undefined
      : `<${tool} ${Object.entries(params)
          .map(([name, text]) => `${name}="${text}"`)
          .join(" ")} />\n`,
  "tags of an action and its input": ({ tool, params }) =>
    `<action>${tool}</action>\n<action_input>${JSON.stringify(params)}</action_input>\n`,
  "a tag with attributes, each on its line": ({ tool, params }) =>
    Object.values(params).some((text) => /["<>\n\\]/.test(text))
      ? undefined
      : `<${tool}\n${Object.entries(params)
          .map(([name, text]) => `  ${name}="${text}"\n`)
          .join("")}/>\n`,
  "a tag with an object in it": ({ tool, params }) =>
    `<call server="a" tool="${tool}">${JSON.stringify(params)}</call>\n`,
  "a call in a tag with a number": ({ tool, params }) =>
    `<tool_call id="1">${named({ tool, params })}</tool_call>\n`,
  "an attribute of JSON": ({ tool, params }) =>
    JSON.stringify(params).includes("'")
      ? undefined
      : `<function_call name="${tool}" arguments='${JSON.stringify(params)}'/>\n`,
  "a sentence in front of an object": ({ tool, params }) =>
    `Calling tool \`${tool}\` with arguments: ${JSON.stringify(params)}\n`,
  "a picture, a label and an object": ({ tool, params }) =>
    `🛠️ Using tool: ${tool}\n${JSON.stringify(params)}\n`,
  "Chinese labels": ({ tool, params }) =>
    `工具名称：${tool}\n工具参数：${JSON.stringify(params)}\n`,
  "a name in brackets": ({ tool, params }) => `[${tool}] ${JSON.stringify(params)}\n`,
  "an arrow": (call) => `-> ${keywords(call)}\n`,
  "a thought and an action in one object": ({ tool, params }) =>
    `${JSON.stringify({ thought: "I look.", action: { tool, input: params } })}\n`,
  "a name in bold, and a block": ({ tool, params }) =>
    `**${tool}**\n\`\`\`json\n${JSON.stringify(params)}\n\`\`\`\n`,
  "a name below a heading, and a block": ({ tool, params }) =>
    `### Tool Call\n\n${tool}\n\n\`\`\`json\n${JSON.stringify(params)}\n\`\`\`\n`,
  "a name and a colon": ({ tool, params }) => `${tool}: ${JSON.stringify(params)}\n`,
  "a label in brackets": ({ tool, params }) => `[Tool call: ${tool} ${JSON.stringify(params)}]\n`,
  "a sign in lower case": ({ tool, params }) => `[tool_call] ${tool} ${JSON.stringify(params)}\n`,
  "a list of arguments": ({ tool, params }) =>
    `Function call: ${tool}\nArguments:\n${Object.entries(params)
      .map(([name, text]) => `- ${name}: ${JSON.stringify(text)}\n`)
      .join("")}`,
  "code that names what comes back, and prints it": (call) => `\`\`\`py\n${inPython(call)}\`\`\`\n`,
  "the same in a tag": (call) => `<code>\n${inPython(call)}</code>\n`,
};

function inPython({ tool, params }: PrintedCall): string {
  const fields = Object.entries(params).map(([name, text]) => `${name}=${JSON.stringify(text)}`);
  return `found = ${tool}(${fields.join(", ")})\nprint(found)\n`;
}

/** A dialect that nobody has: its signs, wrappers, names of keys and quotes are made up. */
export function makeDialect(random: () => number): { name: string; print: Dialect } {
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const word = (): string =>
    pick(["tool", "call", "invoke", "exec", "run", "use", "fn", "action", "op", "plugin", "skill"]);
  const two = `${word()}_${pick(["call", "start", "begin", "req", "go", "use"])}`;
  const sign = pick<(text: string) => readonly [open: string, close: string]>([
    (text) => [`<|${text}|>`, `<|/${text}|>`],
    (text) => [`<|${text}|>`, `<|end_${text}|>`],
    (text) => [`<|${text}|>`, ""],
    (text) => [`<｜${text}｜>`, `<｜${text}▁end｜>`],
    (text) => [`<${text}>`, `</${text}>`],
    (text) => [`<${text}>\n`, `\n</${text}>`],
    (text) => [`<x:${text}>\n`, `\n</x:${text}>`],
    (text) => [`[${text.toUpperCase()}]`, `[/${text.toUpperCase()}]`],
    (text) => [`[${text.toUpperCase()}] `, ""],
    (text) => [`<<${text}>>`, `<</${text}>>`],
    (text) => [`<<<${text.toUpperCase()}>>>\n`, `\n<<<END>>>`],
    (text) => [`【${text}】`, `【/${text}】`],
    (text) => [`@@${text}\n`, "\n@@end"],
    (text) => [`@${text} `, ""],
    (text) => [`### ${text.toUpperCase()} ###\n`, "\n### END ###"],
    (text) => [`\`\`\`${text}\n`, "\n```"],
    (text) => [`${text}: `, ""],
    (text) => [`**${text}:** `, ""],
    (text) => [`✿${text}✿: `, ""],
    (text) => [`%%${text}%%\n`, `\n%%end%%`],
    (text) => [`«${text}» `, ` «/${text}»`],
    () => [">>> ", ""],
    (text) => [`$${text}$ `, ` $end$`],
  ]);
  const [open, close] = sign(two);
  const inner = sign(word())[0].trim();
  const nameKey = pick([
    "name",
    "tool",
    "fn",
    "op",
    "callee",
    "method",
    "tool_id",
    "skill",
    "use",
    "invoke",
  ]);
  const argumentsKey = pick([
    "arguments",
    "params",
    "payload",
    "with",
    "kw",
    "values",
    "fields",
    "body",
    "inputs",
    "opts",
  ]);
  const attribute = pick(["name", "key", "id", "field", "n"]);
  const space = pick([undefined, 2]);
  const separator = pick(["\n", " ", ":0 ", inner, ": ", " -> ", "|", ` ${inner} `, "="]);
  const json = (value: unknown): string => JSON.stringify(value, undefined, space);
  const quote = (text: string): string =>
    attribute === "id"
      ? `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(text);
  const outer = word();
  const field = pick(["parameter", "param", "arg", "value", "item", "set"]);
  const body = pick<[string, Dialect]>([
    ["object", ({ tool, params }) => json({ [nameKey]: tool, [argumentsKey]: params })],
    ["list", ({ tool, params }) => json([{ [nameKey]: tool, [argumentsKey]: params }])],
    [
      "text of JSON",
      ({ tool, params }) => json({ [nameKey]: tool, [argumentsKey]: JSON.stringify(params) }),
    ],
    ["flat object", ({ tool, params }) => json({ [nameKey]: tool, ...params })],
    ["name as key", ({ tool, params }) => json({ [tool]: params })],
    ["name, object", ({ tool, params }) => `${tool}${separator}${json(params)}`],
    ["space, object", ({ tool, params }) => `functions.${tool} ${json(params)}`],
    [
      "keywords",
      ({ tool, params }) =>
        `${tool}(${Object.entries(params)
          .map(([name, text]) => `${name}=${quote(text)}`)
          .join(", ")})`,
    ],
    [
      "named tags",
      (call) => {
        const fields = tagged(
          call,
          (name, text) => `<${field} ${attribute}="${name}">${text}</${field}>\n`,
        );
        return fields && `<${outer} ${attribute}="${call.tool}">\n${fields}</${outer}>`;
      },
    ],
    [
      "tags of their own",
      (call) => {
        const fields = tagged(call, (name, text) => `<${name}>${text}</${name}>\n`);
        return fields && `<${call.tool}>\n${fields}</${call.tool}>`;
      },
    ],
    [
      "tags of the name and the fields",
      (call) => {
        const fields = tagged(call, (name, text) => `<${name}>${text}</${name}>\n`);
        return (
          fields &&
          `<${nameKey}>${call.tool}</${nameKey}>\n<${argumentsKey}>\n${fields}</${argumentsKey}>`
        );
      },
    ],
    [
      "pairs of tags",
      (call) => {
        const fields = tagged(
          call,
          (name, text) =>
            `<${field}_key>${name}</${field}_key><${field}_value>${text}</${field}_value>\n`,
        );
        return fields && `${call.tool}\n${fields}`;
      },
    ],
    [
      "lines",
      ({ tool, params }) =>
        `${nameKey}: ${tool}\n${Object.entries(params)
          .map(([name, text]) => `${name}: ${JSON.stringify(text)}`)
          .join("\n")}`,
    ],
    [
      "lines below the name",
      ({ tool, params }) =>
        `${tool}\n${Object.entries(params)
          .map(([name, text]) => `${name}: ${JSON.stringify(text)}`)
          .join("\n")}`,
    ],
  ]);
  return {
    name: `${JSON.stringify(open)} ${body[0]} ${nameKey}/${argumentsKey}${body[0] === "name, object" ? JSON.stringify(separator) : ""}`,
    print: (call) => {
      const inside = body[1](call);
      return inside === undefined ? undefined : `${open}${inside}${close}\n`;
    },
  };
}
