import type { Problem } from "../../turn/context/context.ts";
import type { AgentDefinition, CommandDefinition } from "../../turn/agent-definition.ts";
import type { RequestLimits } from "../http/door.ts";
import type { CopilotRequest } from "./schema.ts";

/** Of names, in characters: they come back in answers, buttons, refusals and the log. */
const maxName = 200;
/** In characters: the greeting prints each of them twice. */
const maxDescription = 10_000;
const maxTemplates = 1_000;
const maxMessages = 10_000;

const units = { items: ["items", "项"], characters: ["characters", "个字符"] } as const;

/**
 * What a request has more of than is allowed: the path, what is there, and the limit. It is for what a
 * request brings along; definitions of the operator's own have no such limits.
 *
 * @param isKnown the definition has been looked at before
 */
export function findExcess(
  request: CopilotRequest,
  limits: Pick<RequestLimits, "maxCommands" | "maxVariables">,
  isKnown: boolean,
): Problem[] {
  const problems: Problem[] = [];
  const { agentDefinition: definition, contextVariables, modelConfiguration } = request;
  // Paths are put together for what is refused alone: this runs over every request.
  const refuse = (
    path: string,
    field: string,
    has: number,
    kind: keyof typeof units,
    most: number,
  ): void => {
    const [unit, zhUnit] = units[kind];
    const message = `has ${has} ${unit}, and ${most} are allowed`;
    problems.push({
      path: path + field,
      message,
      zh: `有 ${has} ${zhUnit}，最多允许 ${most} ${zhUnit}`,
    });
  };
  const count = (
    path: string,
    field: string,
    list: readonly unknown[] | null | undefined,
    most: number,
  ): void => {
    if (list && list.length > most) refuse(path, field, list.length, "items", most);
  };
  const measure = (
    path: string,
    field: string,
    text: string | null | undefined,
    most = maxName,
  ): void => {
    if (text && text.length > most) refuse(path, field, text.length, "characters", most);
  };
  const checkNames = (path: string, list: readonly { name: string }[]): void => {
    for (const [nth, { name }] of list.entries())
      if (name.length > maxName) measure(path, `[${nth}].name`, name);
  };
  measure("", "agent", request.agent);
  measure("", "command", request.command);
  measure("", "model", request.model);
  measure("", "language", request.language);
  measure("", "modelConfiguration.modelName", modelConfiguration?.modelName);
  count("", "messageTemplates", request.messageTemplates, maxTemplates);
  count("", "messages", request.messages, maxMessages);
  count("", "contextVariables", contextVariables, limits.maxVariables);
  checkNames("contextVariables", contextVariables ?? []);
  if (definition && !isKnown) checkDefinition(definition);
  return problems;

  function checkDefinition(agent: AgentDefinition): void {
    const path = "agentDefinition.";
    measure(path, "name", agent.name);
    measure(path, "version", agent.version);
    measure(path, "modelConfiguration.modelName", agent.modelConfiguration?.modelName);
    count(path, "messageTemplates", agent.messageTemplates, maxTemplates);
    const { commands } = agent;
    count(path, "commands", commands, limits.maxCommands);
    if (commands && commands.length <= limits.maxCommands)
      for (const [nth, command] of commands.entries())
        checkCommand(command, `agentDefinition.commands[${nth}].`);
  }

  function checkCommand(command: CommandDefinition, path: string): void {
    measure(path, "name", command.name);
    const { description } = command;
    if (typeof description === "object" && description !== null) {
      measure(path, "description.en", description.en, maxDescription);
      measure(path, "description.zh", description.zh, maxDescription);
    } else measure(path, "description", description, maxDescription);
    measure(path, "modelConfiguration.modelName", command.modelConfiguration?.modelName);
    count(path, "messageTemplates", command.messageTemplates, maxTemplates);
    const collected = command.contextVariableCollectionStrategy?.contextVariables;
    const list = "contextVariableCollectionStrategy.contextVariables";
    count(path, list, collected, limits.maxVariables);
    if (collected && collected.length <= limits.maxVariables) checkNames(path + list, collected);
  }
}
