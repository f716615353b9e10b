import { type CallRequest, followUp } from "./collect/build-request.ts";
import { type Checklist, findChecklist } from "./choose/checklist.ts";
import { type Choice, listChoices } from "./choose/list-choices.ts";
import { printActions, printTrees } from "./show/print-actions.ts";
import { escapeLine } from "./show/escape-controls.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import { type SendOptions, sendRequest } from "./send-request.ts";

/** The answer that next steps follow. */
export interface GivenAnswer {
  command: string;
  /** The changes that it proposes. */
  edits: readonly ProposedEdit[];
  failed: boolean;
}

export interface ConversationOptions extends SendOptions {
  /**
   * Asks the person for the next step, or for several of the checklist as one; absent where there is
   * nobody to ask.
   */
  choose?: (
    choices: readonly Choice[],
    checklist: Checklist | undefined,
    answer: GivenAnswer,
  ) => Promise<Choice | undefined>;
}

/**
 * Sends the request, and the requests that the person's choices lead to, until they want no more.
 *
 * @returns whether every answer came without a failure
 */
export async function holdConversation(
  first: CallRequest,
  options: ConversationOptions,
): Promise<boolean> {
  const { terminal, texts, choose, signal } = options;
  let request = first;
  let step = first.command;
  for (;;) {
    const { actions, edits, failed } = await sendRequest(request, options, step);
    if (signal.aborted) return false;
    const choices = listChoices(actions);
    if (choose === undefined || choices.length === 0) {
      printActions(actions, choices, texts.next, terminal);
      return !failed;
    }
    const checklist = findChecklist(actions, choices);
    // A checklist shows its shape itself.
    const trees = actions.filter((action) => action !== checklist?.tree);
    printTrees(trees, choices, terminal);
    const choice = await choose(choices, checklist, { command: request.command, edits, failed });
    if (choice === undefined) return !failed;
    request = followUp(request, choice);
    step = escapeLine(choice.title);
  }
}
