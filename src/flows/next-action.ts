import { type ConfirmAction, confirmAction } from "../turn/action.ts";
import type { Turn } from "../turn/turn.ts";

/** A button that leads on with the same lines, if a click has chosen them. */
export function nextAction(
  { mark }: Turn,
  { title, message, prompt }: { title: string; message: string; prompt: string },
  command: string,
): ConfirmAction {
  return confirmAction({
    title,
    message,
    prompt: mark === undefined ? prompt : `${prompt} ${mark}`,
    command,
  });
}
