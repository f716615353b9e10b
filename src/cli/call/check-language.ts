import { CliError } from "../cli-error.ts";

const languages = ["en", "zh"];

/** @throws CliError for a language that we do not answer in */
export function checkLanguage(language: string | undefined): void {
  if (language === undefined || languages.includes(language)) return;
  throw new CliError(`--language ${language} is not known. Write one of: ${languages.join(", ")}.`);
}
