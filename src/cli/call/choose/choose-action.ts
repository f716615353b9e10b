import { autocomplete, isCancel, select } from "@clack/prompts";
import type { Choice } from "./list-choices.ts";
import { describeChoice } from "../show/print-actions.ts";
import type { PromptStreams } from "../prompt-streams.ts";
import type { CallTexts } from "../texts.ts";

/** Options that are looked through without typing. */
const maxList = 12;

/** Lets the person choose a next step; undefined when they want none, or press Ctrl-C. */
export async function chooseAction(
  choices: readonly Choice[],
  texts: CallTexts,
  streams: PromptStreams,
): Promise<Choice | undefined> {
  const options = [
    { value: 0, label: texts.nothing },
    ...choices.map((choice) => ({ value: choice.number, label: describeChoice(choice) })),
  ];
  const shared = { options, showInstructions: false, ...streams };
  // What does not fit a screen is found by typing a part of it.
  const number =
    options.length > maxList
      ? await autocomplete({ ...shared, message: texts.askLong, filter: hasText })
      : await select({ ...shared, message: texts.ask });
  return isCancel(number) ? undefined : choices.find((choice) => choice.number === number);
}

function hasText(typed: string, { label = "" }: { label?: string }): boolean {
  return label.toLowerCase().includes(typed.trim().toLowerCase());
}
