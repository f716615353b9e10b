import { findChange } from "./apply-change.ts";
import { chooseAction } from "./choose-action.ts";
import type { Choice } from "./list-choices.ts";
import type { OpenFile } from "./open-file.ts";
import type { PromptStreams } from "./prompt-streams.ts";
import type { CallTexts } from "./texts.ts";

export interface StepOptions {
  /** A change can be written to it. */
  file: OpenFile | undefined;
  texts: CallTexts;
  streams: PromptStreams;
}

/**
 * Asks the person for the next step. One of them is ours: applying the change to the file, which leaves
 * the others.
 *
 * @returns undefined when they want no more
 */
export async function chooseStep(
  choices: readonly Choice[],
  options: StepOptions,
): Promise<Choice | undefined> {
  const { file, streams } = options;
  const { output } = streams;
  output.write("\n");
  const step = await chooseOther(choices, options);
  output.write("\n");
  return step === undefined || file?.changed === undefined
    ? step
    : { ...step, editor: file.changed };
}

async function chooseOther(
  choices: readonly Choice[],
  { file, texts, streams }: StepOptions,
): Promise<Choice | undefined> {
  const apply: Choice = {
    number: -1,
    title: texts.apply,
    message: file?.name ?? "",
    command: "",
    prompt: "",
  };
  let left = choices;
  for (;;) {
    const change = file && findChange(left);
    const chosen = await chooseAction([...(change ? [apply] : []), ...left], texts, streams);
    if (chosen !== apply || file === undefined || change === undefined) return chosen;
    // What shows or applies the same change once more does not fit the file any longer.
    if (file.apply(change)) left = left.filter((choice) => findChange([choice]) === undefined);
  }
}
