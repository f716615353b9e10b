// Calls of tools for models whose servers know none: the tools are told in the prompt, calls and results are text.
import type { ChatMessage, OfferedTool, SystemMessage } from "../../turn/chat-message.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";

/** The tools for a model that gets them in its prompt: name, what it does, and the schema of its arguments. */
export function tellTools(tools: readonly OfferedTool[]): string {
  return tools
    .map(
      ({ name, description, parameters }) =>
        `- \`${name}\`: ${description}\n  ${JSON.stringify(parameters)}`,
    )
    .join("\n");
}

const example = '```json\n{"tool": "NAME", "params": {}}\n```';

/** What the built-in prompt of `code` says of tools, for requests whose prompt counts on the server's own way. */
const guides = {
  en: (tools: string) => `# Tools

${tools}

A call is a fenced block with the info string \`json\`, at the end of your message; several calls are several blocks. Each holds one object with \`tool\` and \`params\`:

${example}

After your calls the message ends. You get the results in the next message, each in \`<tool_result>\`.`,
  zh: (tools: string) => `# 工具

${tools}

一次调用写成一个信息串为 \`json\` 的围栏代码块，放在消息末尾；多次调用就写多个代码块。每个代码块是一个含有 \`tool\` 和 \`params\` 的对象：

${example}

写完调用后结束消息。下一条消息会给出结果，每个结果都在 \`<tool_result>\` 中。`,
};

/** The request as a server takes it that knows no tools; itself where it offers none. */
export function putCallsInText(request: ChatRequest): ChatRequest {
  const { tools = [], toolChoice, ...others } = request;
  if (tools.length === 0) return request;
  const guide = guides[request.locale ?? "en"](tellTools(tools));
  const [first, ...rest] = request.messages;
  const isLed = first?.role === "system" || first?.role === "developer";
  const system: SystemMessage = isLed
    ? { ...first, content: `${first.content}\n\n${guide}` }
    : { role: "system", content: guide };
  return { ...others, messages: [system, ...printMessages(isLed ? rest : request.messages)] };
}

function printMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  const printed: ChatMessage[] = [];
  /** The results of one answer come in one message. */
  let results: string[] = [];
  const flush = (): void => {
    if (results.length > 0) printed.push({ role: "user", content: results.join("\n\n") });
    results = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      const name = names.get(message.tool_call_id) ?? "";
      results.push(`<tool_result name="${name}">\n${message.content}\n</tool_result>`);
      continue;
    }
    flush();
    if (message.role !== "assistant" || message.tool_calls === undefined) {
      printed.push(message);
      continue;
    }
    for (const call of message.tool_calls) names.set(call.id, call.function.name);
    const calls = message.tool_calls.map(
      ({ function: { name, arguments: given } }) =>
        `\`\`\`json\n{"tool": ${JSON.stringify(name)}, "params": ${given}}\n\`\`\``,
    );
    const content = [message.content ?? "", ...calls].filter((part) => part !== "").join("\n\n");
    printed.push({ role: "assistant", content });
  }
  flush();
  return printed;
}
