import { renderUserInfo } from "../context/user-info.ts";
import { describeContext } from "../prompt/describe-context.ts";
import { type ConfirmAction, confirmAction, maxActions } from "../turn/action.ts";
import type { CommandDefinition } from "../turn/agent-definition.ts";
import type { Flow } from "./flow.ts";
import type { Texts } from "./texts/flow-texts.ts";
import { textsFor } from "./texts/texts.ts";

/** Of a question that goes with every button, in characters. */
const maxQuestion = 10_000;

/** Greets by nickname and offers a button for every command that the definition lists. */
export const greet: Flow = async function* (turn) {
  const texts = textsFor(turn.locale);
  const name = turn.context.userInfo === undefined ? "" : renderUserInfo(turn.context.userInfo);
  const listed = (turn.definition.commands ?? []).filter((command) => command.name !== "default");
  const commands = listed.slice(0, maxActions + 1);
  yield { type: "context-receipt", receipt: describeContext(turn) };
  yield { type: "text-delta", text: texts.greeting(name, turn.definition.name) };
  yield { type: "text-delta", text: commands.length === 0 ? texts.noCommands : texts.offer };
  const typed = turn.context.userInputPrompt?.trim() ?? "";
  const question = typed.length > maxQuestion ? "" : typed;
  if (question !== typed && commands.length > 0)
    yield { type: "text-delta", text: texts.longQuestion };
  for (const command of commands) {
    yield { type: "action", action: confirmAction(toButton(command, question, texts)) };
  }
  yield { type: "turn-end", reason: "stop" };
};

/** What the person has typed already travels on with the button that they choose. */
function toButton(
  command: CommandDefinition,
  question: string,
  texts: Texts,
): ConfirmAction["data"] {
  const message = command.description || texts.runCommand(command.name);
  return { title: command.name, message, command: command.name, prompt: question || message };
}
