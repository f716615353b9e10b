import type { Locale } from "./locale.ts";

/** Characters of a name that are shown. */
const maxName = 100;
/** Names of a list that are shown. */
const maxNames = 20;

/** A name from outside, for a message: in quotes, without control characters, and cut where it is long. */
export function quoteName(name: string, locale: Locale = "en"): string {
  const quoted = JSON.stringify(cutName(name));
  return locale === "zh" ? `“${quoted.slice(1, -1)}”` : quoted;
}

/** Cuts a name that is longer than anybody reads, never in the middle of a character. */
export function cutName(name: string): string {
  if (name.length <= maxName) return name;
  return `${name.slice(0, maxName).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The first names of a list, and how many more there are. */
export function listNames(names: readonly string[], locale: Locale = "en"): string {
  const isZh = locale === "zh";
  const shown = names
    .slice(0, maxNames)
    .map(cutName)
    .join(isZh ? "、" : ", ");
  const more = names.length - maxNames;
  if (more <= 0) return shown;
  return isZh ? `${shown}，另有 ${more} 个` : `${shown} and ${more} more`;
}
