// The next steps for clients that show nothing but text: they are printed as words, which a person types.
import { AppError } from "../../base/errors/app-error.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { Locale } from "../../base/errors/locale.ts";
import {
  type Action,
  type NextStep,
  type TreeAction,
  stepKey,
  stepsOf,
} from "../../turn/action.ts";
import type { Turn } from "../../turn/turn.ts";
import { textsFor } from "../texts.ts";
import { printPlace, readPlace } from "../place/find-names.ts";
import { readPrompt } from "./sentences.ts";

const maxLines = 50;

/**
 * Prints what a person can type next as a Markdown list: `/fix`, `/explain total, lines 3-9`,
 * `/unittest-write 1 3` with the list that the numbers mean. Empty where nothing is offered.
 */
export function printSteps(
  actions: readonly Action[],
  { command, locale }: Pick<Turn, "command" | "locale">,
): string {
  const texts = textsFor(locale);
  const lines = actions.flatMap((action) =>
    action.action === "confirm"
      ? printButton(action.data, command, locale)
      : printTree(action, command, locale),
  );
  if (lines.length === 0) return "";
  const note = lines.length > maxLines ? `\n${texts.leftOut}\n` : "";
  return `\n\n${texts.typeNext}\n\n${lines.slice(0, maxLines).join("\n")}\n${note}`;
}

/**
 * Reads `/command words` at the beginning of what a person has typed, as {@link printSteps} offers it. Numbers bring along
 * what they mean.
 *
 * @param answer the one that the person has read last; "" where it is not known
 * @throws AppError `invalid_request` for a number that the list of the answer does not have
 */
export function readTyped(
  text: string,
  isCommand: (name: string) => boolean,
  locale: Locale,
  answer = "",
): NextStep | undefined {
  const [typed = "", name] = /^\s*\/(\S+)/.exec(text) ?? [];
  if (name === undefined || !isCommand(name)) return undefined;
  const prompt = text.slice(typed.length).trim();
  const [line = ""] = prompt.split("\n", 1);
  const [numbers] = /^\d{1,3}(?:[\s,，、]+\d{1,3}){0,200}(?=\s|$)/.exec(line) ?? [];
  const place = line.slice(numbers?.length ?? 0).trim();
  // Else they are words of a question: "404 is returned".
  const isList = numbers !== undefined && (place === "" || readPlace(place) !== undefined);
  if (!isList) return { command: name, prompt };
  const chosen = numbers.match(/\d+/g) ?? [];
  const told = textsFor(locale).chosenNumbers(chosen) + prompt.slice(numbers.length);
  const list = readList(answer);
  // Without a list it may be in the conversation, which the model reads.
  if (list.length === 0) return { command: name, prompt: told };
  const items = chosen.map(
    (number) => list[Number(number) - 1] ?? refuseNumber(number, list.length),
  );
  return { command: name, prompt: [told, ...items].join("\n") };
}

/** The lines of the last list that is numbered from 1. */
function readList(answer: string): string[] {
  let list: string[] = [];
  for (const line of answer.split("\n")) {
    const [, number] = /^ {0,3}(\d{1,3})[.)] /.exec(line) ?? [];
    if (number === "1") list = [];
    if (Number(number) === list.length + 1) list.push(line.trim());
  }
  return list;
}

function refuseNumber(number: string, count: number): never {
  throw new AppError(
    "invalid_request",
    {
      en: `There is no number ${number} in the last list. It has the numbers 1 to ${count}.`,
      zh: `最后的列表中没有第 ${number} 项，它的编号是 1 至 ${count}。`,
    },
    { param: "messages" },
  );
}

function printButton(
  step: NextStep & { title: string; message: string },
  current: string,
  locale: Locale,
): string[] {
  const { title, message, command, prompt } = step;
  if (isUntyped(step)) return [];
  const isShort = !prompt.trim().includes("\n");
  // It goes on with what this answer holds, such as a change: nobody types that.
  if (!isShort && command === current) return [];
  const place = placeOfPrompt(prompt, locale);
  const colon = place === "" ? "" : locale === "zh" ? "：" : ":";
  const words = printWords(command, isShort ? "" : `${oneLine(message)}${colon}`, place);
  return [`- ${textsFor(locale).typed(words, oneLine((isShort && message) || title))}`];
}

function printTree(tree: TreeAction, current: string, locale: Locale): string[] {
  const texts = textsFor(locale);
  const steps = stepsOf(tree);
  const nodes = tree.data.nodes.flatMap(({ id, name }) => {
    const step = steps[stepKey(id, "click")];
    if (step === undefined || isUntyped(step)) return [];
    return [{ ...step, name: oneLine(name), place: placeOfPrompt(step.prompt, locale) }];
  });
  const [first] = nodes;
  if (first === undefined) return [];
  if (nodes.every(({ place, prompt }) => place !== "" && !prompt.trim().includes("\n")))
    return nodes.map(
      ({ command, name, place }) => `- ${texts.typed(printWords(command, "", place), name)}`,
    );
  // One and three show that several may be named, where a choice of several makes sense.
  const example = nodes.length > 2 && first.command !== current ? "1 3" : "1";
  return [
    `- ${texts.typedNumbers(printWords(first.command, example, first.place))}`,
    ...nodes.map(({ name }, nth) => `  ${nth + 1}. ${name}`),
  ];
}

/**
 * Whether nobody types a step: its command is no word, or it brings the changes of files along, of which the diff above
 * says all.
 */
function isUntyped({ command, prompt }: NextStep): boolean {
  return /\s/.test(command) || readPrompt(prompt)?.sentence.kind === "apply-changes";
}

/** As Markdown code. */
function printWords(command: string, words: string, place: string): string {
  const typed = ["/" + command, words, place].filter((part) => part !== "").join(" ");
  return typed.includes("`") ? `\`\` ${typed} \`\`` : `\`${typed}\``;
}

/** The place that a click says, which people can type; "" where it says none. */
function placeOfPrompt(prompt: string, locale: Locale): string {
  const place = readPrompt(prompt)?.sentence.place;
  return place === undefined ? "" : printPlace(place, locale);
}
