import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import { type ChatApi, type ChatCall, RefusedParameters, toCall } from "./chat-api.ts";
import type { AppError } from "../../base/errors/app-error.ts";
import { askForAnswer } from "./answer-pipe.ts";
import { createRelay, relayed } from "../../turn/relay.ts";
import type { ChatMessage, SystemMessage } from "../../turn/chat-message.ts";

/** One row of the models table, with its key looked up. */
export interface ModelRow extends Pick<ChatModel, "contextWindow" | "answerReserve"> {
  /** What settings and definitions call it; `*` passes any model name through. */
  name: string;
  /** The platform's is the configured base URL; requests never choose it. */
  baseUrl: string;
  /** The model id that the server knows; absent: the server chooses. */
  model?: string;
  apiKey?: string;
  /** The parameter that bounds the answer; reasoning models of OpenAI want the longer name. */
  maxTokensField?: "max_tokens" | "max_completion_tokens" | undefined;
  /** Asks for a usage event at the end; off for servers that refuse `stream_options`. */
  streamUsage?: boolean | undefined;
  toolCalls?: "tools" | "text" | undefined;
  /** Of every request, by names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /**
   * It is the platform's: the model id, the credentials and the other parameters of a person's request go with it
   * (platform document, sample service).
   */
  isPlatform?: boolean;
}

/** A model behind any OpenAI-compatible API: OpenAI, DeepSeek, Ollama, vLLM and the platform are rows, not code. */
export function openAiCompatibleModel(row: ModelRow, api: ChatApi): ChatModel {
  const { name, contextWindow, answerReserve, isPlatform = false } = row;
  const isText = row.toolCalls === "text";
  const refused = new RefusedParameters(api.now);
  const about = {
    name: name === "*" ? (row.model ?? name) : name,
    contextWindow,
    answerReserve,
  };
  return {
    ...relayed(
      about,
      askChat(
        api,
        (request, { caller }) => {
          const takesAny = name === "*" || isPlatform;
          const model = takesAny ? (request.model ?? row.model) : row.model;
          const headers = {
            ...(isPlatform ? caller.forward() : {}),
            ...row.headers,
            ...(row.apiKey === undefined ? {} : { authorization: `Bearer ${row.apiKey}` }),
          };
          const called = name === "*" ? (model ?? name) : name;
          const extra = isPlatform ? request.extra : undefined;
          return toCall(request, { ...row, name: called, model, headers, extra, refused });
        },
        isText,
      ),
    ),
    get toolCalls() {
      return isText || refused.has(row.model ?? name, "tools") ? "text" : "tools";
    },
  };
}

/**
 * How a model behind such an API is asked.
 *
 * @param write what is posted for a request
 * @param isText whether the server is known to take no `tools`
 */
function askChat(
  api: ChatApi,
  write: (request: ChatRequest, options: StreamOptions) => ChatCall,
  isText = false,
): NonNullable<ChatModel["relay"]> {
  const prepare = (request: ChatRequest, options: StreamOptions): ChatCall => {
    const call = write(request, options);
    const hasTools = Boolean(request.tools?.length);
    if (!hasTools && !(isText && request.messages.some(hasCalls))) return call;
    // Some of these servers read calls out of the text by themselves.
    const inText = (): ChatCall => ({
      ...write(putCallsInText(request), options),
      toolUse: call.toolUse,
    });
    return isText || call.refused.has(call.model, "tools") ? inText() : { ...call, inText };
  };
  return (request, options) => {
    const call = prepare(request, options);
    let abort: ((reason: AppError) => void) | undefined;
    return createRelay({
      start(as, sink, end) {
        abort = askForAnswer(api, call, { ...options, as, sink, end });
      },
      abort: (reason) => abort?.(reason),
    });
  };
}

// Calls of tools for models whose servers know none: the tools are told in the prompt, calls and results are text.

const example = '```json\n{"tool": "NAME", "params": {}}\n```';

/** What a model is told of its tools, and of how it calls them. */
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

/** The request as a server takes it that knows no tools: those that it offers are told, calls and results are text. */
export function putCallsInText(request: ChatRequest): ChatRequest {
  const { tools = [], toolChoice, ...others } = request;
  if (tools.length === 0 || toolChoice === "none")
    return { ...others, messages: printMessages(request.messages) };
  const told = tools.map(
    ({ name, description, parameters }) =>
      `- \`${name}\`: ${description}\n  ${JSON.stringify(parameters)}`,
  );
  const guide = guides[request.locale ?? "en"](told.join("\n"));
  const [first, ...rest] = request.messages;
  const isLed = first?.role === "system" || first?.role === "developer";
  const system: SystemMessage = isLed
    ? { ...first, content: `${first.content}\n\n${guide}` }
    : { role: "system", content: guide };
  return { ...others, messages: [system, ...printMessages(isLed ? rest : request.messages)] };
}

function hasCalls(message: ChatMessage): boolean {
  return message.role === "tool" || (message.role === "assistant" && "tool_calls" in message);
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
