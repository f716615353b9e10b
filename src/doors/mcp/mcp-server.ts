// A server of the Model Context Protocol for one request or one connection: commands and the edit engine as tools.
import { getLogger } from "@logtape/logtape";
import * as z from "zod";
import type {
  ClientCapabilities,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { listNames, quoteName } from "../../base/errors/names.ts";
import { parseJson } from "../../base/text/json.ts";
import { onAbort } from "../../base/wire/patient-timer.ts";
import { findOwnCommand } from "../../flows/own-commands.ts";
import { resumeAction } from "../../flows/click/resume-action.ts";
import { readTyped } from "../../flows/click/typed-steps.ts";
import type { Coding } from "../../flows/loop/coding.ts";
import type { Admission } from "../../run/admissions.ts";
import { logRefusal } from "../../run/run-turn.ts";
import { type AgentDefinition, findCommand, textIn } from "../../turn/agent-definition.ts";
import { resolveLocale } from "../../turn/agents/resolve-turn.ts";
import { type ContextVariable, parseContext } from "../../turn/context/context.ts";
import { expandRelays } from "../../turn/relay.ts";
import { bindState } from "../../turn/state/sealed-state.ts";
import type { TurnRequest } from "../../turn/turn.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import { freeName } from "../../tools/specs/operation.ts";
import { foldName } from "../../tools/tool.ts";
import type { DoorHost } from "../http/door.ts";
import { withPrompt } from "../http/read-json.ts";
import { EditResult, applyAnswer } from "./edit-tool.ts";
import { type CallResult, ToolAnswer, answerOf, createCollector, failed } from "./tool-answer.ts";
import {
  CommandInput,
  EditInput,
  describeSchema,
  parseRecord,
  readInput,
  toVariables,
} from "./tool-input.ts";
import { cutText } from "../../base/text/lines.ts";

/** The package, which is loaded when it is first needed. */
type McpLibrary = typeof import("@modelcontextprotocol/server");

export interface McpParts {
  library: McpLibrary;
  host: DoorHost;
  version: string;
  /** Leave to run a turn for the caller. */
  admit: () => Admission | Promise<Admission>;
  /** Language tags of the caller, the strongest first. */
  languages: readonly (string | undefined)[];
  /** Reads a file that a call names without its text; absent where there are none. */
  readFile?: (path: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Answers calls of the command `code`, which works on the files of the call where this is absent. */
  code?: (call: CommandCall) => Promise<CallResult | InputRequiredResult>;
}

/** A command of an agent that can be called. */
interface CommandTool {
  definition: AgentDefinition;
  command: string;
}

export interface CommandCall {
  tool: CommandTool;
  input: CommandInput;
  ctx: ServerContext;
  /** The client can put a form to the person. */
  canAsk: boolean;
  locale: Locale;
}

const editTool = "rightseat_edit";
/** Of a result that the client keeps while the person is asked, in characters. */
const maxKept = 256 * 1_024;
/** Of an answer that is shown with the question for a next step, in characters. */
const maxShown = 2_000;

/** Makes the server; a new one for each request or connection. */
export function createMcpServer(parts: McpParts): Server {
  const { library, host, version } = parts;
  const tools = publishTools(host.sources);
  const own = resolveLocale(parts.languages, host.sources.locale);
  const server = new library.Server(
    { name: "rightseat", version },
    // The person may be asked for each of the changes of a long task.
    { capabilities: { tools: {} }, inputRequired: { maxRounds: 100 } },
  );
  server.setRequestHandler("tools/list", () => ({ tools: describeTools(parts, tools, own) }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const { name, arguments: given = {} } = params;
    const tool = tools.get(name);
    if (tool === undefined && name !== editTool) {
      const known = listNames([...tools.keys(), editTool]);
      const text = `Unknown tool ${quoteName(name)}. This server has: ${known}.`;
      throw new library.ProtocolError(library.ProtocolErrorCode.InvalidParams, text);
    }
    const language = typeof given["locale"] === "string" ? given["locale"] : undefined;
    const locale = resolveLocale([language, ...parts.languages], host.sources.locale);
    // Each request of the newer revision declares them, and a connection of the older one.
    const { envelope, signal }: { envelope?: object; signal: AbortSignal } = ctx.mcpReq;
    const declared: ClientCapabilities | undefined =
      envelope && Reflect.get(envelope, library.CLIENT_CAPABILITIES_META_KEY);
    const { elicitation: asks } = declared ?? server.getClientCapabilities() ?? {};
    const canAsk = asks !== undefined && (asks.form !== undefined || asks.url === undefined);
    try {
      if (tool === undefined) {
        const input = readInput(EditInput, given);
        return await applyAnswer({ ...(await withFile(parts, input, signal)), locale, signal });
      }
      const said = readInput(CommandInput, given);
      const call = { tool, input: await withFile(parts, said, signal), ctx, canAsk, locale };
      if (parts.code !== undefined && tool.command === "code") return await parts.code(call);
      return await answerCall(parts, call);
    } catch (thrown) {
      const [error, id] = [toAppError(thrown), host.createId()];
      logRefusal(getLogger(["rightseat", "app"]), error, id);
      return failed(error, id, locale);
    }
  });
  return server;
}

/** What a call says, with the text of a file that it only names. */
async function withFile<Input extends { path?: string | undefined; code?: string | undefined }>(
  { readFile }: McpParts,
  input: Input,
  signal: AbortSignal,
): Promise<Input> {
  const { path, code } = input;
  if (path === undefined || code !== undefined) return input;
  return { ...input, code: await readFile?.(path, signal) };
}

/** The commands that agents list, without those that answer in our own words only. */
function publishTools({ agents, commands }: DoorHost["sources"]): Map<string, CommandTool> {
  const tools = new Map<string, CommandTool>();
  const taken = new Set([foldName(editTool)]);
  for (const definition of agents.values()) {
    const listed = definition.commands?.map(({ name }) => name) ?? [];
    for (const command of new Set(listed.length > 0 ? listed : commands)) {
      const hasTemplates = (findCommand(definition, command)?.messageTemplates ?? []).length > 0;
      if (!hasTemplates && findOwnCommand(command)?.asksModel === false) continue;
      const prefix = agents.size === 1 ? "rightseat" : definition.name;
      const id = `${definition.name} ${command}`;
      const name = freeName({ name: `${prefix}_${command}`, id }, taken);
      taken.add(foldName(name));
      tools.set(name, { definition, command });
    }
  }
  return tools;
}

function describeTools(
  { code }: McpParts,
  tools: ReadonlyMap<string, CommandTool>,
  locale: Locale,
) {
  const [inputSchema, outputSchema] = [describeSchema(CommandInput), describeSchema(ToolAnswer)];
  const commands = [...tools].map(([name, { definition, command }]) => {
    const described = textIn(findCommand(definition, command)?.description, locale);
    const description = described || (findOwnCommand(command)?.description[locale] ?? command);
    const readOnlyHint = code === undefined || command !== "code";
    const annotations = { readOnlyHint, openWorldHint: true };
    return { name, description, inputSchema, outputSchema, annotations };
  });
  const edit = {
    name: editTool,
    description: editTexts[locale],
    inputSchema: describeSchema(EditInput),
    outputSchema: describeSchema(EditResult),
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return [...commands, edit];
}

const editTexts = {
  en: "Apply an edit that a model wrote to the text of a file: the new text, or why it does not fit. Nothing is written",
  zh: "把模型写出的修改应用到文件文本：返回新文本，或无法应用的原因。不写入任何文件",
};

/** Runs the command; where the person can be asked, they choose one of the next steps, which is part of the answer then. */
async function answerCall(
  parts: McpParts,
  call: CommandCall,
): Promise<CallResult | InputRequiredResult> {
  const { library } = parts;
  const { input, ctx } = call;
  const kept = readKept(ctx.mcpReq.requestState<string>());
  if (kept === undefined) {
    const result = await runTurnOfCall(parts, call);
    return input.ask === false || !call.canAsk ? result : askNext(library, result, call.locale);
  }
  const { step: title } = library.acceptedContent(ctx.mcpReq.inputResponses, "step", Chosen) ?? {};
  const { content, structuredContent: facts } = kept;
  const step = facts.next.find((one) => one.title === title);
  if (step === undefined) return kept;
  const chosen = { ...input, state: step.state, node: undefined };
  const second = await runTurnOfCall(parts, { ...call, input: chosen });
  const later = answerOf(second);
  const answer = `${facts.answer}\n\n${later?.answer}`;
  const joined = later && { ...later, answer, edits: [...facts.edits, ...later.edits] };
  return { content: [...content, ...second.content], structuredContent: joined ?? facts };
}

const Chosen = z.object({ step: z.string().optional() });

/**
 * A result while the client keeps it. What it may have changed of it goes back to nobody but itself, and the states of
 * steps are sealed.
 */
const Kept = z.object({
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  structuredContent: ToolAnswer,
});

function readKept(requestState = ""): z.infer<typeof Kept> | undefined {
  return requestState.length > maxKept ? undefined : Kept.safeParse(parseJson(requestState)).data;
}

const nextTexts = {
  en: { choose: "What comes next? Decline to leave it at that.", step: "Next step" },
  zh: { choose: "接下来做什么？如不需要，请拒绝。", step: "下一步" },
};

function askNext(
  { inputRequired }: McpLibrary,
  result: CallResult,
  locale: Locale,
): CallResult | InputRequiredResult {
  const facts = answerOf(result);
  if (facts === undefined || facts.next.length === 0) return result;
  const { answer, next } = facts;
  const requestState = JSON.stringify(result);
  if (requestState.length > maxKept) return result;
  const texts = nextTexts[locale];
  const steps = next.map(({ title, message }) => `- ${title}: ${message}`).join("\n");
  const titles = next.map(({ title }) => title);
  const field = { type: "string" as const, title: texts.step, enum: titles };
  const form = inputRequired.elicit({
    message: `${cutText(answer, maxShown)}\n\n${texts.choose}\n${steps}`,
    requestedSchema: { type: "object", properties: { step: field } },
  });
  return inputRequired({ inputRequests: { step: form }, requestState });
}

/**
 * Runs one turn of a call, and tells the client how it goes.
 *
 * @param more what the turn has besides: a place to work on, further variables
 * @returns also where it failed: then the result says so
 */
export async function runTurnOfCall(
  parts: McpParts,
  call: CommandCall,
  more: {
    coding?: Coding;
    variables?: readonly ContextVariable[];
    signal?: AbortSignal;
    /** The request that waits for the answer; that of the call where absent. */
    waiting?: () => ServerContext;
  } = {},
): Promise<CallResult> {
  const { host } = parts;
  const { ctx, locale } = call;
  const { signal = ctx.mcpReq.signal } = more;
  const admission = await parts.admit();
  const forget = onAbort(signal, () =>
    admission.abort(new AppError("aborted", { en: "The client left.", zh: "客户端已断开。" })),
  );
  try {
    const request = await toRequest(parts, call, admission);
    const variables = [...request.variables, ...(more.variables ?? [])];
    const turn = host.resolve({ ...request, variables });
    const answer = createCollector(turn);
    const report = createReport(more.waiting ?? (() => ctx));
    for await (const event of expandRelays(host.run(admission, turn, more.coding))) {
      answer.take(event);
      await report(event);
    }
    return answer.result();
  } catch (thrown) {
    const error = toAppError(thrown);
    admission.end(undefined, error);
    return failed(error, admission.id, locale);
  } finally {
    forget();
  }
}

/** @throws AppError `invalid_request`, `state_invalid`, `state_expired` */
async function toRequest(
  { host, languages }: McpParts,
  { tool, input, locale }: CommandCall,
  { id, caller, signal }: Admission,
): Promise<TurnRequest> {
  const { definition } = tool;
  const { sources, states } = host;
  const { question = "", state, node, nodeAction, code } = input;
  const given = toVariables(input);
  const names = [...(definition.commands ?? []).map(({ name }) => name), ...sources.commands];
  const typed = readTyped(question, (name) => names.includes(name), locale);
  const request = {
    id,
    agent: definition.name,
    command: typed?.command ?? tool.command,
    variables: withPrompt(given, typed?.prompt ?? question),
    languages: [input.locale, ...languages],
    caller,
    signal,
  };
  if (state === undefined) return request;
  const binding = bindState(definition, parseContext(given), caller);
  const chosen = { state: parseRecord(state) ?? state, nodeId: node, nodeAction };
  const { step, ...rest } = await resumeAction(chosen, states, binding, code);
  const next = step && { command: step.command, variables: withPrompt(given, step.prompt) };
  return { ...request, ...rest, ...next };
}

/** Characters between two reports of progress. */
const stride = 200;

/** Tells a client that asks for it what the model has written since the last report. */
function createReport(waiting: () => ServerContext): (event: PlainEvent) => Promise<void> {
  let [progress, pending] = [0, ""];
  let last = -stride;
  return async (event) => {
    const { _meta: meta, notify } = waiting().mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken === undefined) return;
    if (event.type === "tool-call") pending += `\n${event.call.name}\n`;
    else if (event.type === "text-delta") pending += event.text;
    else if (event.type !== "reasoning-delta") return;
    progress += "text" in event ? event.text.length : 1;
    if (progress - last < stride && event.type !== "tool-call") return;
    last = progress;
    const message = pending === "" ? {} : { message: pending };
    pending = "";
    const params = { progressToken, progress, ...message };
    await notify({ method: "notifications/progress", params });
  };
}
