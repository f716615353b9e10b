import type { FoundChange } from "./apply-change.ts";
import { type Checklist, joinChoices } from "./checklist.ts";
import { chooseAction } from "./choose-action.ts";
import type { Choice } from "./list-choices.ts";
import type { OpenFile } from "../collect/open-file.ts";
import type { PromptStreams } from "../prompt-streams.ts";
import type { CallTexts } from "../texts.ts";
import { tickChoices } from "./tick-choices.ts";

export interface StepOptions {
  /** The command that was answered. */
  command: string;
  /** A change can be written to it. */
  file: OpenFile | undefined;
  /** The change that the answer proposes for it. */
  change?: FoundChange | undefined;
  /** Tests that the answer holds, and that can be written to a file of their own. */
  tests?: { name: string; write(): Promise<boolean> } | undefined;
  texts: CallTexts;
  streams: PromptStreams;
}

/**
 * Asks the person for the next step: first for ticks where there is a checklist, then (they ticked
 * nothing, or there is none) for one of the other steps. Three of these are ours: applying the change to
 * the file and writing the tests to one, which leave the others, and going back to the checklist.
 *
 * @returns undefined when they want no more
 */
export async function chooseStep(
  choices: readonly Choice[],
  checklist: Checklist | undefined,
  options: StepOptions,
): Promise<Choice | undefined> {
  const { file, streams } = options;
  const { output } = streams;
  output.write("\n");
  const others = choices.filter((choice) => !checklist?.choices.includes(choice));
  const step =
    checklist === undefined
      ? await chooseOther(others, false, options)
      : await chooseTicks(checklist, others, options);
  output.write("\n");
  if (step === undefined || step === "back") return undefined;
  return file?.changed === undefined ? step : { ...step, editor: file.changed };
}

async function chooseTicks(
  checklist: Checklist,
  others: readonly Choice[],
  options: StepOptions,
): Promise<Choice | undefined> {
  for (;;) {
    const ticked = await tickChoices(checklist, options.texts, options.streams);
    if (ticked === undefined) return undefined;
    const [first, ...more] = ticked;
    if (first !== undefined) return joinChoices([first, ...more]);
    const step = await chooseOther(others, true, options);
    if (step !== "back") return step;
  }
}

async function chooseOther(
  choices: readonly Choice[],
  hasList: boolean,
  { command, file, change, tests, texts, streams }: StepOptions,
): Promise<Choice | "back" | undefined> {
  const apply = ownChoice(-1, texts.apply, file?.name);
  const back = ownChoice(-2, texts.back);
  const write = ownChoice(-3, texts.writeTests, tests?.name);
  let left = choices;
  let unwritten = tests;
  let unapplied = file && change;
  for (;;) {
    const own = [
      ...(unapplied ? [apply] : []),
      ...(unwritten ? [write] : []),
      ...(hasList ? [back] : []),
    ];
    const chosen = await chooseAction([...own, ...left], texts, streams);
    if (chosen === back) return "back";
    if (chosen === write) {
      if (await unwritten?.write()) unwritten = undefined;
    } else if (chosen === apply && file !== undefined && unapplied !== undefined) {
      if (!(await file.apply(unapplied))) continue;
      unapplied = undefined;
      // What the same command offers is about this change, and does not fit the file any longer.
      left = left.filter((choice) => choice.command !== command);
    } else return chosen;
  }
}

/** Stands in front of the numbered steps. */
function ownChoice(number: number, title: string, message = ""): Choice {
  return { number, title, message, command: "", prompt: "" };
}
