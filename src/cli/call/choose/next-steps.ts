// What may follow an answer: its buttons and trees, and what the terminal itself can do with it.
import { type CliTexts } from "../../texts.ts";
import { sentPath } from "../collect/read-editor.ts";
import { type CallRequest, type RequestSources, followUp } from "../collect/build-request.ts";
import { askQuestion, withQuestion } from "../run-parts.ts";
import { createOpenFile, findChange, findTestFile, writeTestFile } from "./apply-change.ts";
import { type Checklist, type OwnStep, chooseStep, findChecklist } from "./choose-step.ts";
import { type SendOptions, sendRequest } from "../send-request.ts";
import { type Choice, listChoices, printActions, printTrees } from "../show/print-actions.ts";
import type { PrintedAnswer } from "../show/print-answer.ts";
import { escapeLine } from "../show/escape-controls.ts";
import type { PromptStreams, Terminal } from "../terminal.ts";

type Choose = (
  choices: readonly Choice[],
  checklist: Checklist | undefined,
  answer: { command: string } & Pick<PrintedAnswer, "edits" | "failed">,
) => Promise<Choice | undefined>;

export interface ConversationOptions extends Pick<SendOptions, "terminal" | "texts" | "signal"> {
  ask: (request: CallRequest, step: string) => Promise<PrintedAnswer>;
  choose?: Choose | undefined;
  /** Hears of each answer where nobody is asked at once. @returns the actions that may still follow, to be shown */
  onAnswer?:
    | ((request: CallRequest, answer: PrintedAnswer) => Promise<PrintedAnswer["actions"]>)
    | undefined;
}

export function holdConversation(
  first: CallRequest,
  options: SendOptions & Pick<ConversationOptions, "choose">,
): Promise<boolean> {
  const ask = (request: CallRequest, step: string) => sendRequest(request, options, step);
  return followChoices(first, { ...options, ask });
}

/** Follows a request and the person's choices, until they want no more. @returns whether no answer has failed */
export async function followChoices(
  first: CallRequest,
  { ask, terminal, texts, choose, onAnswer, signal }: ConversationOptions,
): Promise<boolean> {
  let request = first;
  let step = first.command;
  for (;;) {
    const answer = await ask(request, step);
    if (signal.aborted) return false;
    const { edits, failed } = answer;
    const actions = (await onAnswer?.(request, answer)) ?? answer.actions;
    const choices = listChoices(actions);
    if (choose === undefined || choices.length === 0) {
      printActions(actions, choices, onAnswer ? texts.nextByNumber : texts.next, terminal);
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

interface ChooserParts {
  sources: RequestSources;
  terminal: Terminal;
  texts: CliTexts;
  streams: PromptStreams;
}

/** Lets the person choose at the terminal, which offers to write what an answer proposes. */
export function createChooser({ sources, terminal, texts, streams }: ChooserParts): Choose {
  const { directory, file: name } = sources;
  const file =
    name === undefined ? undefined : createOpenFile({ ...sources, file: name }, terminal, texts);
  return async (choices, checklist, { command, edits, failed }) => {
    const isTests = command === "unittest-write" && !failed;
    const change =
      failed || file === undefined ? undefined : findChange(edits, sentPath(directory, file.name));
    const tests = isTests ? await findTestFile(edits, directory) : undefined;
    const own: OwnStep[] = [];
    if (file !== undefined && change !== undefined) {
      // What the same command offers is about this change, and does not fit the file any longer.
      const voids = (choice: Choice): boolean => choice.command === command;
      own.push({ title: texts.apply, name: file.name, run: () => file.apply(change), voids });
    }
    if (tests !== undefined) {
      const run = (): Promise<boolean> => writeTestFile(tests, terminal, texts);
      own.push({ title: texts.writeTests, name: tests.name, run });
    }
    const chosen = await chooseStep(choices, checklist, { own, texts, streams });
    const editor = file?.changed;
    const step = editor === undefined ? chosen : chosen && { ...chosen, editor };
    return withQuestion(step, () => askQuestion(texts, streams));
  };
}
