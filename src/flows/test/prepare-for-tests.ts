import { AppError } from "../../errors/app-error.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { prepare } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import type { TestSubject } from "./test-subject.ts";
import { withVariables } from "../ask/with-variables.ts";

/** What is left out of a prompt that is too large, the first first. */
const ladder = ["definitions", "referenceTest", "class"];

/**
 * Builds the prompt with as much of the subject as the model's window takes: package files, knowledge and
 * history go first, then the definitions, then the reference test, then the class around the function. The
 * receipt names what went.
 *
 * @throws AppError `prompt_too_large` if the function alone is too much
 */
export async function prepareForTests(
  turn: Turn,
  services: Services,
  { place: { startLine, endLine }, variables }: TestSubject,
): Promise<{ receipt: TurnEvent; request: ChatRequest; asked: Turn }> {
  for (let rung = 0; ; rung += 1) {
    const dropped = ladder.slice(0, rung).filter((name) => variables[name] !== "");
    const kept = Object.entries(variables).filter(([name]) => !dropped.includes(name));
    const place = { startLine, endLine };
    const asked = { ...withVariables(turn, Object.fromEntries(kept)), place };
    try {
      const { receipt, request } = await prepare(asked, services);
      return { receipt: toReceipt(receipt, dropped), request, asked };
    } catch (thrown) {
      const isTooLarge = thrown instanceof AppError && thrown.code === "prompt_too_large";
      if (!isTooLarge || rung === ladder.length) throw thrown;
    }
  }
}

/** What templates see as the subject and the cases came from these variables. */
const sources = ["activeEditor", "userInputPrompt"];

function toReceipt(event: TurnEvent, dropped: readonly string[]): TurnEvent {
  if (event.type !== "context-receipt") return event;
  const { unused = [], cut = [], ...receipt } = event.receipt;
  const left = unused.filter((name) => !sources.includes(name));
  const cuts = [...cut, ...dropped];
  return {
    ...event,
    receipt: {
      ...receipt,
      ...(left.length === 0 ? {} : { unused: left }),
      ...(cuts.length === 0 ? {} : { cut: cuts }),
    },
  };
}
