import * as z from "zod";
import { invalidRequest } from "../../turn/agents/invalid-request.ts";
import { resolveDefinition } from "../../turn/agents/resolve-turn.ts";
import { findProblems, parseContext } from "../../turn/context/context.ts";
import type { Admission } from "../../run/admissions.ts";
import { bindState } from "../../turn/state/sealed-state.ts";
import type { TurnRequest } from "../../turn/turn-request.ts";
import type { KnownMember } from "../../base/wire/json/known-member.ts";
import type { DoorHost } from "../http/door.ts";
import { findUnknownRoles, listLeftOut, withKnownRoles } from "../http/read-messages.ts";
import { findExcess } from "./request-limits.ts";
import { readFeedback, resumeAction } from "./resume-action.ts";
import { CopilotRequest } from "./schema.ts";

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
  if (feedback === undefined) return toTurnRequest(request, envelope);
  const definition = resolveDefinition(toTurnRequest(request, envelope), host.sources);
  const context = parseContext(request.contextVariables ?? []);
  const binding = bindState(definition, context, envelope.admission.caller);
  const resumed = await resumeAction(request, feedback, host.states, binding);
  const { isFileChanged, opened } = resumed;
  return {
    ...toTurnRequest(resumed.request, envelope),
    isFileChanged,
    ...(opened === undefined ? {} : { opened }),
  };
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
  const history = withKnownRoles(messages ?? []);
  return {
    id: admission.id,
    agent: pathAgent ?? request.agent ?? undefined,
    definition: agentDefinition ?? undefined,
    command: request.command ?? undefined,
    variables: contextVariables ?? [],
    messageTemplates: messageTemplates ?? undefined,
    modelConfiguration: modelConfiguration ?? undefined,
    history,
    leftOut: listLeftOut(history),
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
  { limits, sources }: DoorHost,
  definitions: KnownMember,
): CopilotRequest {
  const definition = definitionOf(body);
  const isKnown = definition !== undefined && definitions.isApproved(definition);
  // A request is valid nearly always, and then is used as it came: nothing is copied.
  if (!z.validate(isKnown ? RequestButDefinition : WholeRequest, body))
    throw invalidRequest(findProblems(CopilotRequest, body), sources.maxProblems);
  // The check is of this very schema.
  const request = body as CopilotRequest;
  const excess = findExcess(request, limits, isKnown);
  if (excess.length > 0) throw invalidRequest(excess, sources.maxProblems);
  const strangers = findUnknownRoles(request.messages ?? [], sources.maxProblems);
  if (strangers.length > 0) throw invalidRequest(strangers, sources.maxProblems);
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
