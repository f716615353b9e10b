import type { Locale } from "./locale.ts";
import { cutText } from "../text/lines.ts";
import { distance } from "fastest-levenshtein";

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
  return cutText(name, maxName);
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

/** Characters that may differ. */
const maxEdits = 3;
/** In characters; longer names are not compared. */
const maxCompared = 64;
/** Names of a long list that are compared, the first ones. */
const maxKnown = 1_000;

/** The known name that is at most three edits away, the nearest first; undefined where none is. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxCompared + maxEdits) return undefined;
  const wanted = name.toLowerCase();
  const ranked = known
    .slice(0, maxKnown)
    .filter(({ length }) => length <= maxCompared && Math.abs(length - name.length) <= maxEdits)
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    // A short name is three edits away from nearly every other.
    .filter(({ candidate, edits }) => edits <= Math.min(maxEdits, Math.floor(candidate.length / 2)))
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}

/** The known name that is nearest to one that is not known, as a question; "" where none is near. */
export function didYouMean(name: string, known: readonly string[], locale: Locale = "en"): string {
  const near = suggestName(name, known);
  if (near === undefined) return "";
  return locale === "zh" ? `是否想用 ${near}？` : ` Did you mean ${near}?`;
}

/** In characters. */
const maxLine = 300;

/** A name as one bounded line: names are outside of fences, where a line break could forge a heading. */
export function oneLine(name: string): string {
  const line = name.replace(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, " ");
  // Nearly all names are short.
  return line.length > maxLine ? cutText(line, maxLine) : line;
}

/**
 * What a screen does not show as a sign of its own, tab and line feed aside: controls, line separators, marks of format
 * and direction, whatever Unicode lets a program leave out, private signs, halves of characters.
 */
export const unseen =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]--[\t\n]]/gv;

/** A file's name as one bounded line on which every character is seen: the others are escaped as in JSON. */
export function showName(name: string): string {
  const line = name.replace(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1));
  return oneLine(line.replace(unseen, escapeUnits));
}

/** A text as JSON escapes it, each of its UTF-16 code units. */
export function escapeUnits(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
