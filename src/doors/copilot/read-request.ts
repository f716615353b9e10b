import * as z from "zod";
import { invalidRequest, resolveDefinition } from "../../turn/agents/resolve-turn.ts";
import {
  ContextVariable,
  type Problem,
  findProblems,
  parseContext,
  toProblems,
} from "../../turn/context/context.ts";
import type { Admission } from "../../run/admissions.ts";
import { type StateBinding, type StateSeal, bindState } from "../../turn/state/sealed-state.ts";
import type { TurnRequest } from "../../turn/turn.ts";
import type { KnownMember } from "../../base/wire/known-member.ts";
import type { DoorHost, RequestLimits } from "../http/door.ts";
import { readMessages, withPrompt } from "../http/read-json.ts";
import {
  AgentDefinition,
  CollectedVariable,
  CollectionStrategy,
  CommandDefinition,
  MessageTemplate,
  ModelConfiguration,
  localized,
} from "../../turn/agent-definition.ts";
import type { NextStep } from "../../turn/action.ts";
import { type ResumedAction, resumeAction } from "../../flows/click/resume-action.ts";
import { isRecord } from "../../base/text/json.ts";

/** Names come back in answers, buttons, refusals and the log. */
const Name = z.string().max(200);
/** The greeting prints each of them twice. */
const Description = z.string().max(10_000);
const Model = ModelConfiguration.extend({ modelName: Name.nullish() }).nullish();
const Templates = z.array(MessageTemplate).max(1_000).nullish();

/** A definition that a request brings along has limits; those of the operator's own have none. */
const BroughtCommand = CommandDefinition.extend({
  name: Name.min(1),
  description: localized(Description).nullish(),
  modelConfiguration: Model,
  messageTemplates: Templates,
  contextVariableCollectionStrategy: CollectionStrategy.extend({
    contextVariables: z.array(CollectedVariable.extend({ name: Name })).nullish(),
  }).nullish(),
});
const BroughtDefinition = AgentDefinition.extend({
  name: Name.min(1),
  version: Name.nullish(),
  modelConfiguration: Model,
  messageTemplates: Templates,
  commands: z.array(BroughtCommand).nullish(),
});

/**
 * What the platform's client posts (platform document, sample service). The document nulls the
 * fields below `contextVariables` before it calls the model, so they may be at the top as well;
 * `language`, `model` and `messages` are ours. Every other field is kept.
 */
export const CopilotRequest = z.looseObject({
  /** The agent's name; the path or the definition may name it instead. */
  agent: Name.nullish(),
  /** Absent or empty: `default`. */
  command: Name.nullish(),
  agentDefinition: BroughtDefinition.nullish(),
  contextVariables: z.array(ContextVariable.extend({ name: Name })).nullish(),
  messageTemplates: Templates,
  modelConfiguration: Model,
  /** A language tag; stronger than Accept-Language. */
  language: Name.nullish(),
  model: Name.nullish(),
  /** Earlier messages of the conversation, the oldest first. */
  messages: z.array(z.unknown()).max(10_000).nullish(),
});
export type CopilotRequest = z.infer<typeof CopilotRequest>;

const NodeId = z.union([z.string(), z.number()]);

/**
 * The fields of a request that answers an action (the platform documents no such format). They are read
 * leniently, and only where no command is named: what is not there is looked for elsewhere.
 */
export const ActionFeedback = z.looseObject({
  action: z.enum(["confirm", "tree"]),
  /** As the action brought it. */
  state: z.unknown().optional(),
  data: z
    .looseObject({
      command: z.string().nullish(),
      prompt: z.string().nullish(),
      nodeId: NodeId.nullish(),
      nodeAction: z.enum(["expand", "click"]).nullish(),
    })
    .nullish(),
  nodeId: NodeId.nullish(),
  nodeAction: z.enum(["expand", "click"]).nullish(),
});
export type ActionFeedback = z.infer<typeof ActionFeedback>;

/** A request of the platform, as far as it is known without its body. */
export interface Envelope {
  admission: Admission;
  /** The agent that the path names. */
  pathAgent: string | undefined;
  acceptLanguage: string | undefined;
}

/**
 * Reads a body: an ordinary request, or feedback on an action, which asks for the turn that the action
 * stands for.
 *
 * @param body parsed as JSON
 * @param definitions remembers the definitions that were found good
 * @throws AppError `invalid_request` with every problem's path; of feedback also `unknown_agent`,
 * `state_invalid`, `state_expired`
 */
export async function readRequest(
  body: unknown,
  envelope: Envelope,
  host: DoorHost,
  definitions: KnownMember,
): Promise<TurnRequest> {
  const request = checkRequest(body, host, definitions);
  const feedback = readFeedback(request);
  const asked = toTurnRequest(request, envelope);
  if (feedback === undefined) return asked;
  const context = parseContext(request.contextVariables ?? []);
  const definition = resolveDefinition(asked, host.sources);
  const binding = bindState(definition, context, envelope.admission.caller);
  // The file that the context has, also where editors come several times.
  const file = context.activeEditor?.content || undefined;
  const { step, ...resumed } = await findStep(feedback, file, host.states, binding);
  const {
    action: _,
    state: _state,
    data: _data,
    nodeId: _id,
    nodeAction: _kind,
    ...rest
  } = request;
  const next = step === undefined ? rest : withStep(rest, step);
  return { ...toTurnRequest(next, envelope), ...resumed };
}

function toTurnRequest(request: CopilotRequest, envelope: Envelope): TurnRequest {
  const { admission, pathAgent, acceptLanguage } = envelope;
  // The fields that the platform document nulls are left out of what goes to its model.
  const {
    agentDefinition,
    contextVariables,
    messageTemplates,
    modelConfiguration,
    messages,
    model,
    language,
    ...extra
  } = request;
  const { messages: history, leftOut } = readMessages(messages ?? []);
  return {
    id: admission.id,
    agent: pathAgent ?? request.agent ?? undefined,
    definition: agentDefinition ?? undefined,
    command: request.command ?? undefined,
    variables: contextVariables ?? [],
    messageTemplates: messageTemplates ?? undefined,
    modelConfiguration: modelConfiguration ?? undefined,
    history,
    leftOut,
    models: [modelConfiguration?.modelName, model],
    languages: [language, acceptLanguage],
    caller: admission.caller,
    signal: admission.signal,
    extra,
  };
}

// Compiled where they are made: Workers allow that while a worker starts, and later use the plain schema.
const WholeRequest = z.compile(CopilotRequest);
const RequestButDefinition = z.compile(CopilotRequest.omit({ agentDefinition: true }));

function checkRequest(
  body: unknown,
  { limits }: DoorHost,
  definitions: KnownMember,
): CopilotRequest {
  const given = isRecord(body) ? body["agentDefinition"] : undefined;
  const definition = isRecord(given) ? given : undefined;
  const isKnown = definition !== undefined && definitions.isApproved(definition);
  // A request is valid nearly always, and then is used as it came: nothing is copied.
  if (!z.validate(isKnown ? RequestButDefinition : WholeRequest, body))
    throw invalidRequest(findProblems(CopilotRequest, body));
  // The check is of this very schema.
  const request = body as CopilotRequest;
  const excess = findExcess(request, limits, isKnown);
  if (excess.length > 0) throw invalidRequest(excess);
  if (definition !== undefined && !isKnown) definitions.approve(definition);
  return request;
}

/** Lists of which a request has more than is allowed. @param isKnown the definition has been looked at before */
function findExcess(
  { agentDefinition, contextVariables }: CopilotRequest,
  { maxCommands, maxVariables }: RequestLimits,
  isKnown: boolean,
): Problem[] {
  const problems: Problem[] = [];
  const check = (path: string, length: number | undefined, most: number): void => {
    if ((length ?? 0) <= most) return;
    const [message, zh] = [`must have at most ${most} items`, `最多应有 ${most} 项`];
    problems.push({ path, message, zh });
  };
  check("contextVariables", contextVariables?.length, maxVariables);
  if (isKnown) return problems;
  const commands = agentDefinition?.commands ?? [];
  check("agentDefinition.commands", commands.length, maxCommands);
  for (const [nth, { contextVariableCollectionStrategy: strategy }] of commands.entries()) {
    const path = `agentDefinition.commands[${nth}].contextVariableCollectionStrategy`;
    check(`${path}.contextVariables`, strategy?.contextVariables?.length, maxVariables);
  }
  return problems;
}

// Feedback on an action: `{ agent, action, state, data?, nodeId?, nodeAction? }` becomes the request that
// a client which knows the action's command would have sent (the platform documents no such format).

/**
 * Undefined if the request is no feedback: it names a command, or no action.
 *
 * @throws AppError `invalid_request` if it is one that cannot be read
 */
function readFeedback(request: CopilotRequest): ActionFeedback | undefined {
  if (request.command) return undefined;
  // Some send the action back whole, as it came.
  const { action } = request;
  const given = isRecord(action) ? { ...action, ...request, action: action["action"] } : request;
  if (typeof given["action"] !== "string") return undefined;
  const parsed = ActionFeedback.safeParse(given);
  if (parsed.success) return parsed.data;
  const what = { en: "The feedback on an action is not valid.", zh: "对操作的反馈无效。" };
  throw invalidRequest(toProblems(parsed.error, given), what);
}

/**
 * What the feedback asks for.
 *
 * @param file the text in the editor, if there is one
 * @param binding of the agent and the person that now ask; undefined where it is unclear who that is
 * @throws AppError `state_invalid`, `state_expired`
 */
async function findStep(
  feedback: ActionFeedback,
  file: string | undefined,
  states: StateSeal,
  binding: StateBinding | undefined,
): Promise<ResumedAction> {
  const { data } = feedback;
  const { command, prompt } = data ?? {};
  const isSealed = typeof feedback.state === "string" && feedback.state !== "";
  if (!isSealed && (command || prompt)) {
    const step = { command: command ?? "", prompt: prompt ?? "" };
    return { step, isFileChanged: false };
  }
  const isButton = feedback.action === "confirm";
  const chosen = {
    state: feedback.state,
    nodeId: isButton ? undefined : String(feedback.nodeId ?? data?.nodeId ?? ""),
    nodeAction: feedback.nodeAction ?? data?.nodeAction ?? undefined,
  };
  return resumeAction(chosen, states, binding, file);
}

function withStep(request: CopilotRequest, { command, prompt }: NextStep): CopilotRequest {
  const contextVariables = withPrompt(request.contextVariables ?? [], prompt);
  return { ...request, command, contextVariables };
}
