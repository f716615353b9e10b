import { groupMultiselect, isCancel, multiselect } from "@clack/prompts";
import type { Checklist } from "./checklist.ts";
import { escapeLine } from "../show/escape-controls.ts";
import type { Choice } from "./list-choices.ts";
import { describeChoice } from "../show/print-actions.ts";
import type { PromptStreams } from "../prompt-streams.ts";
import type { CallTexts } from "../texts.ts";

/**
 * Lets the person tick nodes of a tree, in its groups where it has some.
 *
 * @returns none where they press Enter without a tick, undefined where they press Ctrl-C
 */
export async function tickChoices(
  { choices, groups }: Checklist,
  texts: CallTexts,
  streams: PromptStreams,
): Promise<Choice[] | undefined> {
  const shared = { message: texts.tick, required: false, showInstructions: false, ...streams };
  const numbers =
    groups === undefined
      ? await multiselect({ ...shared, options: toOptions(choices) })
      : // It wraps long lines as if the guide at their left took no room.
        await groupMultiselect({ ...shared, withGuide: false, options: toGroups(groups) });
  return isCancel(numbers) ? undefined : choices.filter(({ number }) => numbers.includes(number));
}

function toGroups(groups: ReadonlyMap<string, Choice[]>): Record<string, Option[]> {
  return Object.fromEntries(
    [...groups].map(([name, members]) => [
      escapeLine(name),
      // The list of groups indents its members itself.
      toOptions(members.map((member) => ({ ...member, depth: 0 }))),
    ]),
  );
}

interface Option {
  value: number;
  label: string;
}

function toOptions(choices: readonly Choice[]): Option[] {
  return choices.map((choice) => ({ value: choice.number, label: describeChoice(choice) }));
}
