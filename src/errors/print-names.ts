/** Characters of a name that are shown. */
const maxName = 100;
/** Names of a list that are shown. */
const maxNames = 20;

/** A name from outside, for a message: in quotes, without control characters, and cut where it is long. */
export function quoteName(name: string): string {
  return JSON.stringify(cutName(name));
}

/** Cuts a name that is longer than anybody reads, never in the middle of a character. */
export function cutName(name: string): string {
  if (name.length <= maxName) return name;
  return `${name.slice(0, maxName).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The first names of a list, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(cutName).join(", ");
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}
