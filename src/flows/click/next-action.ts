import { type ConfirmAction, confirmAction } from "../../turn/action.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { textsFor } from "../texts/texts.ts";
import { type PlaceSentence, printFileSentence, printPlaceSentence } from "./sentences.ts";

/** A step that leads on from an answer, and what its prompt says with the lines that are meant. */
const next = { fix: "fix", unittest: "cases" } as const satisfies Record<string, PlaceSentence>;

/** A button that leads on with the same lines, if the prompt has named them. */
export function nextAction(
  { locale }: Turn,
  { named, otherFile }: Focus,
  command: keyof typeof next,
): ConfirmAction {
  const { title, message, prompt } = textsFor(locale)[command];
  const kind = next[command];
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
