import { type Locale, parseLocale } from "../base/errors/locale.ts";

/**
 * The language of a terminal, as POSIX has it: the first of LC_ALL, LC_MESSAGES and LANG that is set counts
 * (`zh_CN.UTF-8`). Undefined where it is none of ours, as with `C`.
 */
export function terminalLocale(
  environment: Readonly<Record<string, string | undefined>>,
): Locale | undefined {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const [tag] = (LC_ALL || LC_MESSAGES || LANG || "").split(/[.@]/, 1);
  return parseLocale(tag);
}

/** The settings file where it says which language is spoken, else with the terminal's. */
export function withTerminalLocale(
  file: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): unknown {
  const locale = terminalLocale(environment);
  const isSettings = file === undefined || (typeof file === "object" && !Array.isArray(file));
  return locale === undefined || !isSettings ? file : { locale, ...file };
}
