import { type Locale, parseLocale } from "../../errors/locale.ts";
import type { EvalAnswersOptions } from "./answers/eval-answers.ts";
import { CliError } from "../cli-error.ts";

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
}

/** Turns at once where nobody says. */
const usualConcurrency = 4;

/** @throws CliError that says what is wrong with an argument */
export function parseOptions(given: EvalArguments): EvalOptions {
  const { language } = given;
  if (language !== undefined && parseLocale(language) === undefined)
    throw new CliError(`--language ${language} is not known. Write one of: en, zh.`);
  return {
    model: given.model,
    key: given.key,
    locale: parseLocale(language),
    flows: splitList(given.flow),
    files: splitList(given.file),
    concurrency: parseCount(given.concurrency),
    showsCases: given.cases ?? false,
    json: given.json ?? false,
    expectSound: given.expectSound ?? false,
  };
}

/** @throws CliError that says what is wrong with an argument */
export function parseAnswersOptions(given: EvalArguments): EvalAnswersOptions {
  const { expectRight: share = "0", answers } = given;
  if (!/^\d{1,3}(?:\.\d+)?$/.test(share) || Number(share) > 100)
    throw new CliError(`--expect-right must be a number from 0 to 100, not "${share}".`);
  return {
    folder: answers === true ? undefined : answers,
    expectRight: Number(share),
    showsCases: given.cases ?? false,
    json: given.json ?? false,
  };
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
