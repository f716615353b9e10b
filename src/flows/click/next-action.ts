import { type ConfirmAction, confirmAction } from "../../turn/action.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { addMark } from "./line-mark.ts";
import { textsFor } from "../texts/texts.ts";

/** A button that leads on with the same lines, if a click has chosen them. */
export function nextAction(
  { mark }: Focus,
  { title, message, prompt }: { title: string; message: string; prompt: string },
  command: string,
): ConfirmAction {
  const marked = mark === undefined ? prompt : addMark(prompt, mark);
  return confirmAction({ title, message, prompt: marked, command });
}

/** A button that asks the same again. */
export function retryAction(
  turn: Turn,
  focus: Focus,
  prompt = turn.context.userInputPrompt ?? "",
): ConfirmAction {
  return nextAction(focus, { ...textsFor(turn.locale).retry, prompt }, turn.command);
}
