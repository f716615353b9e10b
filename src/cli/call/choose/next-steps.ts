// What may follow an answer: its buttons and trees, and what the terminal itself can do with it.
import type { CliTexts } from "../../texts.ts";
import { sentPath } from "../collect/read-editor.ts";
import { type CallRequest, type RequestSources, followUp } from "../collect/build-request.ts";
import { askQuestion, withQuestion } from "../run-parts.ts";
import { createOpenFile, findChange, findTestFile, writeTestFile } from "./apply-change.ts";
import { type SendOptions, sendRequest } from "../send-request.ts";
import {
  type Choice,
  type ShownAction,
  describeChoice,
  listChoices,
  printActions,
  printTrees,
} from "../show/print-actions.ts";
import type { PrintedAnswer } from "../show/print-answer.ts";
import { escapeLine } from "../show/escape-controls.ts";
import type { PromptStreams, Terminal } from "../terminal.ts";
import { autocomplete, groupMultiselect, isCancel, multiselect, select } from "@clack/prompts";

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

/** A step of the terminal's own, which is done here, while the others stay. */
export interface OwnStep {
  title: string;
  name: string;
  /** @returns whether it was done; then it is not offered again */
  run(): Promise<boolean>;
  /** Whether another step does not fit any longer once it was done. */
  voids?: (choice: Choice) => boolean;
}

/**
 * Asks the person for the next step: first for ticks where there is a checklist, then (they ticked nothing, or there
 * is none) for one of the other steps, the terminal's own first, or to go back to the checklist.
 *
 * @returns undefined when they want no more
 */
export async function chooseStep(
  choices: readonly Choice[],
  checklist: Checklist | undefined,
  { own, texts, streams }: { own: readonly OwnStep[]; texts: CliTexts; streams: PromptStreams },
): Promise<Choice | undefined> {
  const isTicked = (choice: Choice): boolean => checklist?.choices.includes(choice) === true;
  let [left, others] = [own, choices.filter((choice) => !isTicked(choice))];
  const back = checklist === undefined ? [] : [ownChoice(-1, texts.back)];
  const ask = async (): Promise<Choice | undefined> => {
    for (let isList = true; ;) {
      if (isList && checklist !== undefined) {
        const ticked = await tickChoices(checklist, texts, streams);
        const [first, ...more] = ticked ?? [];
        if (first !== undefined) return joinChoices([first, ...more]);
        if (ticked === undefined) return undefined;
      }
      const mine = left.map(({ title, name }, nth) => ownChoice(-2 - nth, title, name));
      const chosen = await chooseAction([...mine, ...back, ...others], texts, streams);
      if (chosen === undefined) return undefined;
      isList = back.includes(chosen);
      const step = left[mine.indexOf(chosen)];
      if (step === undefined && !isList) return chosen;
      if (step === undefined || !(await step.run())) continue;
      left = left.filter((one) => one !== step);
      others = others.filter((choice) => step.voids?.(choice) !== true);
    }
  };
  streams.output.write("\n");
  const step = await ask();
  streams.output.write("\n");
  return step;
}

/** Has no number that is shown. */
function ownChoice(number: number, title: string, message = ""): Choice {
  return { number, title, message, command: "", prompt: "" };
}

/** Options that are looked through without typing. */
const maxList = 12;

async function chooseAction(choices: readonly Choice[], texts: CliTexts, streams: PromptStreams) {
  const options = [{ value: 0, label: texts.nothing }, ...choices.map(toOption)];
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

/** Lets the person tick nodes of a tree. @returns none at Enter without a tick, undefined at Ctrl-C */
async function tickChoices(checklist: Checklist, texts: CliTexts, streams: PromptStreams) {
  const { choices, groups } = checklist;
  const shared = { message: texts.tick, required: false, showInstructions: false, ...streams };
  const numbers =
    groups === undefined
      ? await multiselect({ ...shared, options: choices.map(toOption) })
      : // It wraps long lines as if the guide at their left took no room.
        await groupMultiselect({ ...shared, withGuide: false, options: toGroups(groups) });
  return isCancel(numbers) ? undefined : choices.filter(({ number }) => numbers.includes(number));
}

function toGroups(groups: ReadonlyMap<string, Choice[]>) {
  return Object.fromEntries(
    [...groups].map(([name, members]) => [
      escapeLine(name),
      // The list of groups indents its members itself.
      members.map((member) => toOption({ ...member, depth: 0 })),
    ]),
  );
}

function toOption(choice: Choice): { value: number; label: string } {
  return { value: choice.number, label: describeChoice(choice) };
}

// Trees of which several nodes make sense together, such as test cases: found, and made one step of.

export type Checklist = NonNullable<ReturnType<typeof findChecklist>>;

/**
 * The first tree of an answer whose nodes can be ticked together. The protocol does not mark such trees,
 * but an agent that takes several nodes at once says so with a button beside the tree: it sends the one
 * command that all clicks send, and its prompt holds the name of every node ("write all"). Trees of
 * functions, symbols, places or passages have no such button, and stay a choice of one.
 *
 * @returns `choices`: its nodes that can be ticked, two or more; `groups`: the same below the names of their parents, where
 * the tree is a list of groups
 */
export function findChecklist(actions: readonly ShownAction[], choices: readonly Choice[]) {
  const buttons = choices.filter(({ node }) => node === undefined);
  for (const tree of actions.filter((action) => action.action === "tree")) {
    const nodes = new Set(tree.data.nodes);
    const ticks = choices.filter(({ node }) => node !== undefined && nodes.has(node));
    if (ticks.length < 2 || !buttons.some((button) => takesAll(button, ticks))) continue;
    const groups = groupByParent(ticks);
    return { tree, choices: ticks, ...(groups && { groups }) };
  }
  return undefined;
}

/**
 * One step for several: the prompts that the clicks would send, one below the other. Lines that all of them
 * begin or end with, such as the sentence with the place of the code and the borders of a block, come once.
 */
export function joinChoices(ticked: readonly [Choice, ...Choice[]]): Choice {
  const [first, ...others] = ticked;
  const prompts = ticked.map(({ prompt }) => prompt.split("\n"));
  if (others.length === 0) return first;
  const [lines = []] = prompts;
  // Each keeps a line of its own, also where two are the same.
  const most = Math.min(...prompts.map(({ length }) => length)) - 1;
  const isFence = (line = ""): boolean => /^`{3,}\w*$/.test(line);
  const end = prompts.every((prompt) => isFence(prompt.at(-1))) ? 1 : 0;
  let start = 0;
  while (start < most - end && prompts.every((prompt) => prompt[start] === lines[start])) start++;
  const own = prompts.flatMap((prompt) => prompt.slice(start, prompt.length - end));
  const joined = [...lines.slice(0, start), ...own, ...lines.slice(lines.length - end)];
  return { ...first, prompt: joined.join("\n") };
}

function takesAll(button: Choice, ticks: readonly Choice[]): boolean {
  return ticks.every(
    ({ command, title }) => command === button.command && button.prompt.includes(title),
  );
}

/** Undefined if a node is at the top, or below one that can be ticked itself. */
function groupByParent(ticks: readonly Choice[]) {
  const ticked = new Set(ticks.map(({ node }) => node?.id));
  const isBelow = ({ node }: Choice): boolean => ticked.has(node?.pId ?? "");
  const groups = Map.groupBy(ticks, (tick) => (isBelow(tick) ? "" : (tick.parent ?? "")));
  return groups.has("") ? undefined : groups;
}
