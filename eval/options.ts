import { type Locale, parseLocale } from "../src/base/errors/locale.ts";
import type { EvalAnswersOptions } from "./answers/eval-answers.ts";
import type { EvalCodeOptions } from "./code/eval-code.ts";
import { CliError } from "../src/cli/cli-error.ts";

export interface EvalOptions {
  model: string | undefined;
  key: string | undefined;
  locale: Locale | undefined;
  flows: readonly string[];
  files: readonly string[];
  /** Turns at once. */
  concurrency: number;
  showsCases: boolean;
  json: boolean;
  expectSound: boolean;
}

/** The arguments as they were written. */
export interface EvalArguments {
  model?: string | undefined;
  key?: string | undefined;
  language?: string | undefined;
  flow?: string | undefined;
  file?: string | undefined;
  concurrency?: string | undefined;
  cases?: boolean | undefined;
  json?: boolean | undefined;
  expectSound?: boolean | undefined;
  /** The folder of answers to play; true for that of the project. */
  answers?: string | true | undefined;
  expectRight?: string | undefined;
  /** The folder of tasks for the flow `code`. */
  tasks?: string | undefined;
  recorded?: boolean | undefined;
}

/** Turns at once where nobody says. */
const usualConcurrency = 4;

/** @throws CliError that says what is wrong with an argument */
export function parseOptions(given: EvalArguments): EvalOptions {
  return {
    model: given.model,
    key: given.key,
    locale: parseLanguage(given),
    flows: splitList(given.flow),
    files: splitList(given.file),
    concurrency: parseCount(given.concurrency),
    showsCases: given.cases ?? false,
    json: given.json ?? false,
    expectSound: given.expectSound ?? false,
  };
}

/** Whether the coding agent is meant, which does tasks. @throws CliError where other flows are, too */
export function isAboutCode(given: EvalArguments): boolean {
  const flows = splitList(given.flow);
  const isCode = flows.includes("code");
  if (isCode && flows.length > 1)
    throw new CliError("--flow code is evaluated alone: it does tasks, not cases.");
  if (!isCode && (given.tasks !== undefined || given.recorded === true))
    throw new CliError(
      `--${given.tasks === undefined ? "recorded" : "tasks"} is for --flow code only.`,
    );
  return isCode;
}

/** @throws CliError that says what is wrong with an argument */
export function parseCodeOptions(given: EvalArguments): EvalCodeOptions {
  if (given.recorded === true && given.model !== undefined)
    throw new CliError("--recorded asks no model, so it cannot be combined with --model.");
  return {
    model: given.model,
    isRecorded: given.recorded ?? false,
    key: given.key,
    locale: parseLanguage(given),
    folder: given.tasks,
    names: splitList(given.file),
    concurrency: parseCount(given.concurrency),
    expectRight: parseShare(given),
    expectSound: given.expectSound ?? false,
    showsCases: given.cases ?? false,
    json: given.json ?? false,
  };
}

/** @throws CliError that says what is wrong with an argument */
export function parseAnswersOptions(given: EvalArguments): EvalAnswersOptions {
  const { answers } = given;
  return {
    folder: answers === true ? undefined : answers,
    expectRight: parseShare(given),
    showsCases: given.cases ?? false,
    json: given.json ?? false,
  };
}

function parseLanguage({ language }: EvalArguments): Locale | undefined {
  if (language !== undefined && parseLocale(language) === undefined)
    throw new CliError(`--language ${language} is not known. Write one of: en, zh.`);
  return parseLocale(language);
}

function parseShare({ expectRight: share = "0" }: EvalArguments): number {
  if (!/^\d{1,3}(?:\.\d+)?$/.test(share) || Number(share) > 100)
    throw new CliError(`--expect-right must be a number from 0 to 100, not "${share}".`);
  return Number(share);
}

function splitList(text = ""): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function parseCount(text: string | undefined): number {
  if (text === undefined) return usualConcurrency;
  if (!/^[1-9]\d?$/.test(text))
    throw new CliError(`--concurrency must be a whole number from 1 to 99, not "${text}".`);
  return Number(text);
}
