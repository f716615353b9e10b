import { type Context, type Problem, findProblems, parseContext } from "../../context/context.ts";
import { AppError } from "../../errors/app-error.ts";
import { type Locale, parseLocale } from "../../errors/locale.ts";
import { listNames, quoteName } from "../../errors/print-names.ts";
import { suggestName } from "../../errors/suggest-name.ts";
import { ownCommands } from "../../flows/flows.ts";
import type { ModelTable } from "../../model/model-table.ts";
import type { PromptLibrary } from "../../prompt/prompt-library.ts";
import {
  type AgentDefinition,
  type CommandDefinition,
  type MessageTemplate,
  findCommand,
} from "../../turn/agent-definition.ts";
import { type ChatMessage, HistoryMessage } from "../../turn/chat-message.ts";
import type { Caller } from "../../turn/caller.ts";
import type { Turn } from "../../turn/turn.ts";
import { compileCheck } from "../../wire/compile-check.ts";
import type { KnownMember } from "../../wire/known-member.ts";
import { bindState, type StateSeal } from "../../state/sealed-state.ts";
import { type RequestLimits, findExcess } from "./request-limits.ts";
import { readFeedback, resumeAction } from "./resume-action.ts";
import { CopilotRequest } from "./schema.ts";

export interface TurnSources extends RequestLimits {
  agents: ReadonlyMap<string, AgentDefinition>;
  /** The definitions that come with requests, mostly the same ones. */
  definitions: KnownMember;
  models: ModelTable;
  prompts: PromptLibrary;
  /** The most problems that a refusal lists. */
  maxProblems: number;
  /** Where neither the request nor its headers name a language of ours. */
  locale: Locale;
}

export interface TurnInput {
  id: string;
  /** The body, parsed as JSON. */
  body: unknown;
  /** The agent that the path names. */
  pathAgent: string | undefined;
  acceptLanguage: string | undefined;
  caller: Caller;
  signal: AbortSignal;
}

/**
 * Checks a request and joins it with what we have: definition, context, model, language.
 *
 * @throws AppError `invalid_request` with every problem's path, `unknown_agent`, `unknown_command`
 */
export function createTurn(input: TurnInput, sources: TurnSources): Turn {
  return toTurn(parseRequest(input.body, sources), input, sources);
}

/**
 * The turn that an action's feedback asks for; undefined if the request is none.
 *
 * @throws AppError as {@link createTurn}, and `state_invalid`, `state_expired`
 */
export function resumeTurn(
  input: TurnInput,
  sources: TurnSources & { states: StateSeal },
): Promise<Turn> | undefined {
  const { body } = input;
  // Ordinary requests have no such field; they are not read twice.
  if (typeof body !== "object" || body === null || !("action" in body)) return undefined;
  const request = parseRequest(body, sources);
  const feedback = readFeedback(request);
  if (feedback === undefined) return undefined;
  const definition = findDefinition(request, input.pathAgent, sources);
  const { context } = parseContext(request.contextVariables ?? []);
  const binding = bindState(definition, context, input.caller);
  return resumeAction(request, feedback, sources.states, binding).then((resumed) => ({
    ...toTurn(resumed.request, input, sources),
    isFileChanged: resumed.isFileChanged,
  }));
}

function toTurn(request: CopilotRequest, input: TurnInput, sources: TurnSources): Turn {
  const { context: arrived, problems } = parseContext(request.contextVariables ?? []);
  if (problems.length > 0) throw invalidRequest(problems, sources);
  const definition = findDefinition(request, input.pathAgent, sources);
  const name = request.command || "default";
  const command = findCommand(definition, name);
  if (command === undefined) requireOwnCommand(name, definition, sources);
  const modelConfiguration = {
    ...request.modelConfiguration,
    ...definition.modelConfiguration,
    ...command?.modelConfiguration,
  };
  const locale =
    parseLocale(request.language) ?? parseLocale(input.acceptLanguage) ?? sources.locale;
  const messageTemplates = chooseTemplates(request, definition, command, sources);
  const { context, history } = readConversation(request, arrived, messageTemplates);
  return {
    id: input.id,
    agent: definition.name,
    command: name,
    definition,
    messageTemplates,
    modelConfiguration,
    context,
    history,
    locale,
    caller: input.caller,
    ...sources.models.resolve([
      command?.modelConfiguration?.modelName,
      definition.modelConfiguration?.modelName,
      request.modelConfiguration?.modelName,
      request.model,
    ]),
    extra: keepOthers(request),
    signal: input.signal,
  };
}

const isCopilotRequest = compileCheck(CopilotRequest);
const isRequestButDefinition = compileCheck(CopilotRequest.omit({ agentDefinition: true }));

function parseRequest(body: unknown, sources: TurnSources): CopilotRequest {
  const { definitions } = sources;
  const definition = definitionOf(body);
  const isKnown = definition !== undefined && definitions.isApproved(definition);
  const check = isKnown ? isRequestButDefinition : isCopilotRequest;
  if (!check(body)) throw invalidRequest(findProblems(CopilotRequest, body), sources);
  const request = body as CopilotRequest;
  const excess = findExcess(request, sources, isKnown);
  if (excess.length > 0) throw invalidRequest(excess, sources);
  if (definition !== undefined && !isKnown) definitions.approve(definition);
  return request;
}

function definitionOf(body: unknown): object | undefined {
  if (typeof body !== "object" || body === null || !("agentDefinition" in body)) return undefined;
  const { agentDefinition } = body;
  return typeof agentDefinition === "object" && agentDefinition !== null
    ? agentDefinition
    : undefined;
}

function invalidRequest(
  found: readonly Problem[],
  { maxProblems }: Pick<TurnSources, "maxProblems">,
): AppError {
  const problems = found.slice(0, maxProblems);
  const list = problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new AppError("invalid_request", `The request is not valid. ${list}`, {
    problems,
    ...(problems[0] === undefined ? {} : { param: problems[0].path }),
  });
}

function findDefinition(
  request: CopilotRequest,
  pathAgent: string | undefined,
  sources: TurnSources,
): AgentDefinition {
  const { agents } = sources;
  if (request.agentDefinition) return request.agentDefinition;
  const name = pathAgent ?? request.agent;
  if (!name) {
    const message = "expected the agent's name, or its agentDefinition";
    throw invalidRequest([{ path: "agent", message }], sources);
  }
  const definition = agents.get(name);
  if (definition !== undefined) return definition;
  const known = [...agents.keys()];
  throw new AppError(
    "unknown_agent",
    `Unknown agent ${quoteName(name)}.${didYouMean(name, known)} This server has: ${listNames(known) || "none"}. Others must send their agentDefinition.`,
    { param: "agent" },
  );
}

/** A command that the definition does not list is answered all the same if we know it ourselves. */
function requireOwnCommand(
  name: string,
  definition: AgentDefinition,
  { prompts }: TurnSources,
): void {
  if (ownCommands.includes(name) || prompts.commands.includes(name)) return;
  const listed = (definition.commands ?? []).map((command) => command.name);
  const known = [...new Set([...listed, ...ownCommands, ...prompts.commands])];
  throw new AppError(
    "unknown_command",
    `Unknown command ${quoteName(name)}.${didYouMean(name, known)} Agent ${quoteName(definition.name)} has: ${listNames(known)}.`,
    { param: "command" },
  );
}

function didYouMean(name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** The command's own templates, else those of the request, else those of the whole definition. */
function chooseTemplates(
  request: CopilotRequest,
  definition: AgentDefinition,
  command: CommandDefinition | undefined,
  sources: TurnSources,
): readonly MessageTemplate[] | undefined {
  const lists = [command?.messageTemplates, request.messageTemplates, definition.messageTemplates];
  const templates = lists.find((list) => list && list.length > 0);
  const problems = (templates ?? []).flatMap((item, index) =>
    typeof (item.template ?? item.content) === "string"
      ? []
      : [
          {
            path: `messageTemplates[${index}].template`,
            message: "expected the text of the message",
          },
        ],
  );
  if (problems.length > 0) throw invalidRequest(problems, sources);
  return templates ?? undefined;
}

/**
 * The conversation so far, as text: calls of tools and their results have no place in a prompt of ours.
 * Clients that keep a history end it with the question itself, which has a variable of its own. Where
 * that one did not come, the last message is the question.
 */
function readConversation(
  request: CopilotRequest,
  context: Context,
  templates: readonly MessageTemplate[] | undefined,
): { context: Context; history: readonly ChatMessage[] } {
  const messages = (request.messages ?? []).flatMap((message) => {
    const parsed = HistoryMessage.safeParse(message);
    return parsed.success && parsed.data.content.trim() !== "" ? [parsed.data] : [];
  });
  const last = messages.at(-1);
  if (last?.role !== "user") return { context, history: messages };
  const { userInputPrompt: question = "" } = context;
  if (last.content === question) return { context, history: messages.slice(0, -1) };
  if (question.trim() !== "") return { context, history: messages };
  return {
    context: { ...context, userInputPrompt: last.content },
    // Templates that do not print the question would ask a model without it.
    history: asksQuestion(templates) ? messages.slice(0, -1) : messages,
  };
}

/** The built-in prompts do. */
function asksQuestion(templates: readonly MessageTemplate[] | undefined): boolean {
  if (templates === undefined) return true;
  return templates.some((item) => (item.template ?? item.content)?.includes("userInputPrompt"));
}

/** What the platform's model may know and we do not; the fields that the platform document nulls are left out. */
function keepOthers(request: CopilotRequest): Record<string, unknown> {
  const {
    agentDefinition,
    contextVariables,
    messageTemplates,
    modelConfiguration,
    messages,
    model,
    language,
    ...others
  } = request;
  return others;
}
