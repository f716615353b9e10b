import { isCancel, select } from "@clack/prompts";
import type { Choice } from "./list-choices.ts";
import { describeChoice } from "../show/print-actions.ts";
import type { PromptStreams } from "../prompt-streams.ts";
import type { CallTexts } from "../texts.ts";

/** Lets the person choose a next step; undefined when they want none, or press Ctrl-C. */
export async function chooseAction(
  choices: readonly Choice[],
  texts: CallTexts,
  streams: PromptStreams,
): Promise<Choice | undefined> {
  const number = await select({
    message: texts.ask,
    options: [
      { value: 0, label: texts.nothing },
      ...choices.map((choice) => ({ value: choice.number, label: describeChoice(choice) })),
    ],
    showInstructions: false,
    ...streams,
  });
  return isCancel(number) ? undefined : choices.find((choice) => choice.number === number);
}
