import { type ConfirmAction, confirmAction } from "../../turn/action.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { findOwnCommand } from "../own-commands.ts";
import { textsFor } from "../texts/texts.ts";
import { printFileSentence, printPlaceSentence, sentenceOf } from "./sentences.ts";

/** A button that leads on with the same lines, if the prompt has named them. */
export function nextAction(
  { locale }: Turn,
  { named, otherFile }: Focus,
  command: string,
): ConfirmAction {
  const kind = sentenceOf(command);
  const button = findOwnCommand(command)?.button?.[locale];
  const { title, message, prompt } = button ?? { title: command, message: command, prompt: "" };
  const atFile = otherFile === undefined ? prompt : printFileSentence(kind, otherFile, locale);
  const asked = named === undefined ? atFile : printPlaceSentence(kind, named, locale);
  return confirmAction({ title, message, prompt: asked, command });
}

/** A button that asks the same again. */
export function retryAction(
  turn: Turn,
  { named }: Focus,
  prompt = turn.context.userInputPrompt ?? "",
): ConfirmAction {
  const { title, message } = textsFor(turn.locale).retry;
  return confirmAction({ title, message, prompt: named?.prompt ?? prompt, command: turn.command });
}
