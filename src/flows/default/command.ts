import type { Locale } from "../../base/errors/locale.ts";
import { renderUserInfo } from "../../turn/context/variables.ts";
import { describeContext } from "../../prompt/describe-context.ts";
import { type ConfirmAction, confirmAction, maxActions } from "../../turn/action.ts";
import {
  type CommandDefinition,
  collectedBy,
  findCommand,
  textIn,
} from "../../turn/agent-definition.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Flow, OwnCommand } from "../flow.ts";

/**
 * The turn of a person who asks without a command: as `chat` would have it. Undefined where nothing is asked, such as by
 * the mention of an agent alone.
 */
export function asChat(turn: Turn): Turn | undefined {
  const question = turn.context.userInputPrompt?.trim() ?? "";
  if (question.replace(/^@[^\s@]+/, "").trim() === "") return undefined;
  const templates = findCommand(turn.definition, "chat")?.messageTemplates ?? [];
  // Its client has collected what `default` says, such as a search that is left to the agent.
  const collected = collectedBy(findCommand(turn.definition, turn.command));
  const said = [...collected].filter(([, options]) => (options ?? undefined) !== undefined);
  const options = new Map([...said, ...(turn.context.options ?? [])]);
  return {
    ...turn,
    context: options.size === 0 ? turn.context : { ...turn.context, options },
    command: "chat",
    messageTemplates: templates.length > 0 ? templates : undefined,
  };
}

/** Greets by nickname and offers a button for every command that the definition lists. */
export const greet: Flow = async function* (turn) {
  const words = texts[turn.locale];
  const name = turn.context.userInfo === undefined ? "" : renderUserInfo(turn.context.userInfo);
  const listed = (turn.definition.commands ?? []).filter((command) => command.name !== "default");
  const commands = listed.slice(0, maxActions + 1);
  yield { type: "context-receipt", receipt: describeContext(turn) };
  yield { type: "text-delta", text: words.greeting(name, turn.definition.name) };
  yield { type: "text-delta", text: commands.length === 0 ? words.noCommands : words.offer };
  for (const command of commands) {
    yield { type: "action", action: confirmAction(toButton(command, turn.locale)) };
  }
  yield { type: "turn-end", reason: "stop" };
};

function toButton(command: CommandDefinition, locale: Locale): ConfirmAction["data"] {
  const described = textIn(command.description, locale);
  const message = described || texts[locale].runCommand(command.name);
  return { title: command.name, message, command: command.name, prompt: message };
}

const texts = {
  en: {
    greeting: (name: string, agent: string) =>
      `Hello${name === "" ? "" : `, ${name}`}! This is ${agent}.\n\n`,
    offer: "What would you like to do?\n",
    noCommands: "Ask me anything about the code in front of you.\n",
    runCommand: (command: string) => `Run ${command}`,
  },
  zh: {
    greeting: (name: string, agent: string) =>
      `你好${name === "" ? "" : `，${name}`}！我是 ${agent}。\n\n`,
    offer: "想做什么？\n",
    noCommands: "关于眼前的代码，有任何问题都可以问我。\n",
    runCommand: (command: string) => `执行 ${command}`,
  },
};

export const byDefault: OwnCommand = {
  name: "default",
  description: { en: "Show what this agent can do", zh: "查看该智能体的功能" },
  asksModel: false,
  hasPlace: false,
  flow: greet,
};
