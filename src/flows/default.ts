import type { Locale } from "../base/errors/locale.ts";
import { renderUserInfo } from "../turn/context/user-info.ts";
import { describeContext } from "../prompt/describe-context.ts";
import { type ConfirmAction, confirmAction, maxActions } from "../turn/action.ts";
import {
  type CommandDefinition,
  collectedBy,
  findCommand,
  textIn,
} from "../turn/agent-definition.ts";
import type { Turn } from "../turn/turn.ts";
import type { Flow } from "./flow.ts";
import { textsFor } from "./texts/texts.ts";

/**
 * The turn of a person who asks without a command: as `chat` would have it. The mention of an agent alone
 * asks nothing.
 *
 * @returns undefined where nothing is asked
 */
export function asChat(turn: Turn): Turn | undefined {
  const question = turn.context.userInputPrompt?.trim() ?? "";
  if (question.replace(/^@[^\s@]+/, "").trim() === "") return undefined;
  const { messageTemplates } = findCommand(turn.definition, "chat") ?? {};
  const hasTemplates = messageTemplates !== undefined && messageTemplates !== null;
  // Its client has collected what `default` says, such as a search that is left to the agent.
  const collected = collectedBy(findCommand(turn.definition, turn.command));
  const said = [...collected].filter(([, options]) => (options ?? undefined) !== undefined);
  const options = new Map([...said, ...(turn.context.options ?? [])]);
  return {
    ...turn,
    context: options.size === 0 ? turn.context : { ...turn.context, options },
    command: "chat",
    messageTemplates: hasTemplates && messageTemplates.length > 0 ? messageTemplates : undefined,
  };
}

/** Greets by nickname and offers a button for every command that the definition lists. */
export const greet: Flow = async function* (turn) {
  const texts = textsFor(turn.locale);
  const name = turn.context.userInfo === undefined ? "" : renderUserInfo(turn.context.userInfo);
  const listed = (turn.definition.commands ?? []).filter((command) => command.name !== "default");
  const commands = listed.slice(0, maxActions + 1);
  yield { type: "context-receipt", receipt: describeContext(turn) };
  yield { type: "text-delta", text: texts.greeting(name, turn.definition.name) };
  yield { type: "text-delta", text: commands.length === 0 ? texts.noCommands : texts.offer };
  for (const command of commands) {
    yield { type: "action", action: confirmAction(toButton(command, turn.locale)) };
  }
  yield { type: "turn-end", reason: "stop" };
};

function toButton(command: CommandDefinition, locale: Locale): ConfirmAction["data"] {
  const described = textIn(command.description, locale);
  const message = described || textsFor(locale).runCommand(command.name);
  return { title: command.name, message, command: command.name, prompt: message };
}
