import { type Context, type Problem, parseContext } from "../context/context.ts";
import { AppError, type Message } from "../../base/errors/app-error.ts";
import { type Locale, parseLocale } from "../../base/errors/locale.ts";
import { didYouMean, listNames, quoteName } from "../../base/errors/names.ts";
import {
  type AgentDefinition,
  type CommandDefinition,
  type MessageTemplate,
  type ModelConfiguration,
  findCommand,
} from "../agent-definition.ts";
import type { ChatModel } from "../chat-model.ts";
import type { Turn, TurnRequest } from "../turn.ts";
import {
  type ChatMessage,
  type TextMessage,
  type UserMessage,
  isTextMessage,
  readMessage,
  textOfMessage,
} from "../chat-message.ts";

/** What a request is joined with; what lies in higher rooms comes as ports. */
export interface TurnSources {
  agents: ReadonlyMap<string, AgentDefinition>;
  /** Commands that are answered also where a definition does not list them. */
  commands: readonly string[];
  /** Finds who answers, by names of models, the strongest first; see `ModelTable`. */
  resolveModel(wanted: readonly (string | null | undefined)[]): {
    model: ChatModel;
    modelId: string | undefined;
  };
  /** The names of the models, the default first. */
  modelNames: readonly string[];
  /** Where the request names no language of ours. */
  locale: Locale;
}

/**
 * Joins a request with what there is: definition, command, context, templates, model, language.
 *
 * @throws AppError `invalid_request` with every problem's path, `unknown_agent`, `unknown_command`
 */
export function resolveTurn(request: TurnRequest, sources: TurnSources): Turn {
  const arrived = withLeftOut(parseContext(request.variables), request.leftOut ?? []);
  const definition = resolveDefinition(request, sources);
  const name = chooseCommand(request.command || "default", definition, sources);
  const command = findCommand(definition, name);
  const messageTemplates = chooseTemplates(request, definition, command);
  const { context, history } = readConversation(request.history ?? [], arrived, messageTemplates);
  return {
    id: request.id,
    agent: definition.name,
    command: name,
    definition,
    messageTemplates,
    modelConfiguration: {
      ...request.modelConfiguration,
      ...withoutNull(definition.modelConfiguration),
      ...withoutNull(command?.modelConfiguration),
    },
    context,
    history,
    locale: resolveLocale(request.languages, sources.locale),
    caller: request.caller,
    ...sources.resolveModel([
      command?.modelConfiguration?.modelName,
      definition.modelConfiguration?.modelName,
      ...(request.models ?? []),
    ]),
    extra: request.extra ?? {},
    ...(request.given === undefined ? {} : { given: request.given }),
    ...(request.isFileChanged === undefined ? {} : { isFileChanged: request.isFileChanged }),
    ...(request.opened === undefined ? {} : { opened: request.opened }),
    signal: request.signal,
  };
}

/** What is null says nothing, so that what others say counts. */
function withoutNull(given: ModelConfiguration | null | undefined): ModelConfiguration {
  const said = { ...given };
  for (const [name, value] of Object.entries(said))
    if ((value ?? undefined) === undefined) Reflect.deleteProperty(said, name);
  return said;
}

function withLeftOut(context: Context, leftOut: readonly Problem[]): Context {
  if (leftOut.length === 0) return context;
  const { dropped = [] } = context;
  return { ...context, dropped: [...dropped, ...leftOut.map((one) => ({ ...one, keys: [] }))] };
}

/** The first of the tags that names a language of ours, else the fallback. */
export function resolveLocale(
  languages: readonly (string | null | undefined)[],
  fallback: Locale,
): Locale {
  return languages.map(parseLocale).find(Boolean) ?? fallback;
}

/**
 * The definition that the request brings, else the one that it names.
 *
 * @throws AppError `invalid_request`, `unknown_agent`
 */
export function resolveDefinition(
  { agent, definition }: Pick<TurnRequest, "agent" | "definition">,
  { agents }: Pick<TurnSources, "agents">,
): AgentDefinition {
  if (definition !== undefined) return definition;
  if (!agent) {
    const message = "expected the agent's name, or its agentDefinition";
    const zh = "应为智能体的名称，或提供 agentDefinition";
    throw invalidRequest([{ path: "agent", message, zh }]);
  }
  // People write `@name`, and some clients pass that on.
  const published = agents.get(agent) ?? agents.get(agent.replace(/^@/, ""));
  if (published !== undefined) return published;
  const known = [...agents.keys()];
  throw new AppError(
    "unknown_agent",
    {
      en: `Unknown agent ${quoteName(agent)}.${didYouMean(agent, known)} This server has: ${listNames(known) || "none"}. Others must send their agentDefinition.`,
      zh: `没有智能体${quoteName(agent, "zh")}。${didYouMean(agent, known, "zh")}此服务提供：${listNames(known, "zh") || "无"}。其他智能体须随请求发送 agentDefinition。`,
    },
    { param: "agent" },
  );
}

/** The command of that name. People write `/name`, and some clients pass that on. */
function chooseCommand(
  asked: string,
  definition: AgentDefinition,
  { commands }: TurnSources,
): string {
  if (findCommand(definition, asked) !== undefined || commands.includes(asked)) return asked;
  const listed = (definition.commands ?? []).map((command) => command.name);
  const known = [...new Set([...listed, ...commands])];
  const bare = asked.trim().replace(/^\//, "");
  const isMeant = (name: string): boolean => name.toLowerCase() === bare.toLowerCase();
  const found = known.find((name) => name === bare) ?? known.find(isMeant);
  if (found !== undefined) return found;
  throw new AppError(
    "unknown_command",
    {
      en: `Unknown command ${quoteName(asked)}.${didYouMean(asked, known)} Agent ${quoteName(definition.name)} has: ${listNames(known)}.`,
      zh: `没有指令${quoteName(asked, "zh")}。${didYouMean(asked, known, "zh")}智能体${quoteName(definition.name, "zh")}提供：${listNames(known, "zh")}。`,
    },
    { param: "command" },
  );
}

/** @param known names beside the listed ones that a person may have meant */
export function unknownModel(
  name: string,
  listed: readonly string[],
  known: readonly string[] = listed,
): AppError {
  return new AppError(
    "model_not_found",
    {
      en: `Unknown model ${quoteName(name)}.${didYouMean(name, known)} This server has: ${listNames(listed) || "none"}.`,
      zh: `没有模型${quoteName(name, "zh")}。${didYouMean(name, known, "zh")}此服务提供：${listNames(listed, "zh") || "无"}。`,
    },
    { param: "model" },
  );
}

/** The command's own templates, else those of the request, else those of the whole definition. */
function chooseTemplates(
  request: TurnRequest,
  definition: AgentDefinition,
  command: CommandDefinition | undefined,
): readonly MessageTemplate[] | undefined {
  let holder: Pick<TurnRequest | AgentDefinition, "messageTemplates"> = definition;
  if (request.messageTemplates?.length) holder = request;
  if (command?.messageTemplates?.length) holder = command;
  const templates = holder?.messageTemplates;
  if (!templates?.length) return undefined;
  const empty: number[] = [];
  for (const [nth, { template, content }] of templates.entries())
    if (typeof (template ?? content) !== "string") empty.push(nth);
  if (empty.length === 0) return templates;
  const nth = command === undefined ? -1 : (definition.commands?.indexOf(command) ?? -1);
  const ofCommand = holder === command ? `commands[${nth}].` : "";
  const root = holder === request ? "" : `agentDefinition.${ofCommand}`;
  const problems = empty.map((at) => ({
    path: `${root}messageTemplates[${at}].template`,
    message: "expected the text of the message",
    zh: "应为消息的文本",
  }));
  throw invalidRequest(problems);
}

/**
 * The conversation so far, as text and images: calls of tools and their results have no place in a prompt of ours.
 * Clients that keep a history end it with the question itself, which has a variable of its own. Where
 * that one did not come, the last message is the question.
 */
function readConversation(
  messages: readonly unknown[],
  context: Context,
  templates: readonly MessageTemplate[] | undefined,
): { context: Context; history: readonly ChatMessage[] } {
  const history: (TextMessage | UserMessage)[] = [];
  for (const message of messages) {
    const read = readText(message);
    if (read !== undefined && (typeof read.content !== "string" || read.content.trim() !== ""))
      history.push(read);
  }
  const last = history.at(-1);
  if (last?.role !== "user" || typeof last.content !== "string") return { context, history };
  const { userInputPrompt: question = "" } = context;
  if (last.content === question) return { context, history: history.slice(0, -1) };
  if (question.trim() !== "") return { context, history };
  return {
    context: { ...context, userInputPrompt: last.content },
    // Templates that do not print the question would ask a model without it.
    history: asksQuestion(templates) ? history.slice(0, -1) : history,
  };
}

/** @returns undefined for what is no message with a text or an image, such as the result of a tool */
function readText(message: unknown): TextMessage | UserMessage | undefined {
  if (isTextMessage(message)) return { role: message.role, content: message.content };
  const read = readMessage(message);
  if (read?.role === "user") return read;
  return read === undefined || read.role === "tool"
    ? undefined
    : { role: read.role, content: textOfMessage(read) };
}

/** The built-in prompts do. */
function asksQuestion(templates: readonly MessageTemplate[] | undefined): boolean {
  if (templates === undefined) return true;
  return templates.some((item) => (item.template ?? item.content)?.includes("userInputPrompt"));
}

/** Problems that a refusal lists. */
const maxProblems = 10;

export function invalidRequest(
  found: readonly Problem[],
  { en, zh }: Message = { en: "The request is not valid.", zh: "请求无效。" },
): AppError {
  const problems = found.slice(0, maxProblems);
  const list = problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const listZh = problems.map((one) => `${one.path}：${one.zh ?? one.message}`).join("；");
  const text = { en: `${en} ${list}`, zh: `${zh}${listZh}` };
  const details = { problems, ...(problems[0] && { param: problems[0].path }) };
  return new AppError("invalid_request", text, details);
}
