// Version 2 of the Agent Client Protocol, a draft of its package: what an editor says in it reaches the agent in version 1,
// and what the agent says reaches the editor in version 2.
import { randomUUID } from "node:crypto";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isRecord } from "../../base/text/json.ts";
import { formatUnifiedDiff } from "../../edit/unified-diff.ts";

type Fields = Readonly<Record<string, unknown>>;
interface Asked {
  method: string;
  params: Fields;
}

/** Messages of a connection, in version 2 from the moment at which its editor asks for it; all others pass as they are. */
export function speakDraft(stream: Stream): Stream {
  const editor = stream.writable.getWriter();
  const asked = new Map<unknown, Asked>();
  /** By the session: the message that the agent works on. */
  const prompts = new Map<unknown, { id: unknown; prompt: unknown; isTold: boolean }>();
  const modes = new Map<unknown, Fields>();
  /** By the session: what is being said. What one voice says without a break is one message. */
  const growing = new Map<unknown, { voice: string; messageId: string }>();
  let isDraft = false;

  const update = (sessionId: unknown, sessionUpdate: string, told: Fields): Promise<void> => {
    const params = { sessionId, update: { sessionUpdate, ...told } };
    return editor.write({ jsonrpc: "2.0", method: "session/update", params });
  };

  /** The editor's message is taken: its request is answered, and the work begins. */
  const tellTaken = async (sessionId: unknown): Promise<void> => {
    const taken = prompts.get(sessionId);
    if (taken === undefined || taken.isTold) return;
    taken.isTold = true;
    growing.delete(sessionId);
    const messageId = randomUUID();
    await editor.write({ jsonrpc: "2.0", id: taken.id, result: { messageId } } as AnyMessage);
    await update(sessionId, "user_message", { messageId, content: taken.prompt });
    await update(sessionId, "state_update", { state: "running" });
  };

  const fromEditor = (message: AnyMessage): AnyMessage => {
    if (!("method" in message) || !("id" in message)) return message;
    const { id, method } = message;
    const params: Fields = isRecord(message.params) ? message.params : {};
    const { sessionId } = params;
    isDraft ||= method === "initialize" && params["protocolVersion"] === 2;
    if (!isDraft) return message;
    asked.set(id, { method, params });
    if (method === "session/prompt" && !prompts.has(sessionId))
      prompts.set(sessionId, { id, prompt: params["prompt"], isTold: false });
    if (method === "initialize")
      return { ...message, params: { protocolVersion: 1, clientInfo: params["info"] } };
    const mode = { sessionId, modeId: params["value"] };
    if (method === "session/set_config_option")
      return { ...message, method: "session/set_mode", params: mode };
    if (method !== "session/new" && method !== "session/resume") return message;
    const isReplay = isRecord(params["replayFrom"]);
    const own = { ...params, mcpServers: [] };
    return { ...message, method: isReplay ? "session/load" : method, params: own };
  };

  const toResult = async ({ method, params }: Asked, given: Fields): Promise<Fields> => {
    if (method === "initialize") {
      const session = { prompt: { image: {}, embeddedContext: {} }, delete: {} };
      return { protocolVersion: 2, info: given["agentInfo"], capabilities: { session } };
    }
    const sessionId = given["sessionId"] ?? params["sessionId"];
    const { modes: told = modes.get(sessionId), ...result } = given;
    if (method === "session/resume") await update(sessionId, "state_update", { state: "idle" });
    if (!isRecord(told)) return result;
    const isSet = method === "session/set_config_option";
    const own = isSet ? { ...told, currentModeId: params["value"] } : told;
    modes.set(sessionId, own);
    return { ...result, configOptions: toOptions(own) };
  };

  const fromAgent = async (message: AnyMessage): Promise<void> => {
    if (!isDraft) return editor.write(message);
    if ("method" in message) {
      const { method, params: given } = message;
      const params: Fields = isRecord(given) ? given : {};
      const { sessionId } = params;
      await tellTaken(sessionId);
      if (method === "session/request_permission")
        return editor.write({ ...message, params: toQuestion(params) });
      if (method !== "session/update") return editor.write(message);
      const { sessionUpdate, ...told } = Object(params["update"]) as Fields;
      const voice = String(sessionUpdate);
      const last = growing.get(sessionId);
      const { messageId } = last?.voice === voice ? last : { messageId: randomUUID() };
      growing.set(sessionId, { voice, messageId });
      if (voice.endsWith("_chunk")) return update(sessionId, voice, { ...told, messageId });
      return update(sessionId, voice.replace(/^(?:tool_call|plan)$/, "$&_update"), toUpdate(told));
    }
    const question = asked.get(message.id);
    asked.delete(message.id);
    const sessionId = question?.params["sessionId"];
    const isFailed = "error" in message;
    const work = prompts.get(sessionId);
    if (work?.id === message.id) {
      if (!isFailed) await tellTaken(sessionId);
      prompts.delete(sessionId);
      if (!work.isTold) return editor.write(message);
      const end = isFailed ? { stopReason: "error", error: message.error } : Object(message.result);
      return update(sessionId, "state_update", { state: "idle", ...end });
    }
    if (question === undefined || isFailed) return editor.write(message);
    const result = isRecord(message.result) ? message.result : {};
    await editor.write({ ...message, result: await toResult(question, result) });
  };

  return {
    readable: stream.readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        transform: (message, controller) => controller.enqueue(fromEditor(message)),
      }),
    ),
    writable: new WritableStream({
      write: fromAgent,
      close: () => editor.close(),
      abort: (reason) => editor.abort(reason),
    }),
  };
}

/** The parts of an update that have another form in version 2. */
function toUpdate({ entries, availableCommands, ...told }: Fields): Fields {
  if (entries !== undefined) return { plan: { type: "items", planId: "plan", entries } };
  if (Array.isArray(availableCommands)) {
    const toCommand = (command: Fields): Fields =>
      isRecord(command["input"])
        ? { ...command, input: { type: "text", ...command["input"] } }
        : command;
    return { availableCommands: availableCommands.map(toCommand) };
  }
  const { content } = told;
  return Array.isArray(content) ? { ...told, content: content.map(toContent) } : told;
}

function toContent(content: Fields): Fields {
  if (content["type"] !== "diff") return content;
  const { path, oldText, newText } = content;
  const before = typeof oldText === "string" ? oldText : undefined;
  const text = formatUnifiedDiff(String(path), before, String(newText));
  const changes = [{ operation: before === undefined ? "add" : "modify", path }];
  return { type: "diff", changes, patch: { format: "git_patch", text } };
}

function toQuestion({ toolCall, ...rest }: Fields): Fields {
  const call = toUpdate(Object(toolCall) as Fields);
  return { ...rest, title: call["title"], subject: { type: "tool_call", toolCall: call } };
}

function toOptions({ availableModes, currentModeId: currentValue }: Fields): Fields[] {
  const options = (availableModes as Fields[]).map(({ id, ...mode }) => ({ value: id, ...mode }));
  return [
    { type: "select", configId: "mode", name: "Mode", category: "mode", currentValue, options },
  ];
}
