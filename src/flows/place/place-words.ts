// A place as people write it, `total, lines 3-9` or `total，第 3 至 9 行`: printed in one language, read in both.
import type { LineRange } from "../../edit/edit-unit.ts";
import type { Locale } from "../../base/errors/locale.ts";

/** Lines, and the symbol that they hold, by which they are found again if the file has changed. */
export interface NamedLines extends LineRange {
  name?: string;
}

/** A longer text does not name a symbol, and a longer line does not name a place. */
const maxName = 200;
const maxWords = 300;

const english = /^lines? (\d{1,7})(?: ?(?:[-–—~～]|to) ?(\d{1,7}))?$/i;
const chinese = /^第? ?(\d{1,7})(?: ?(?:[-–—~～]|至|到) ?第? ?(\d{1,7}))? ?行$/;

/** Lines alone: `lines 3-9`, `line 3`. */
export function printLines({ startLine, endLine }: LineRange, locale: Locale): string {
  const isOne = startLine >= endLine;
  if (locale === "zh") return isOne ? `第 ${startLine} 行` : `第 ${startLine} 至 ${endLine} 行`;
  return isOne ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

/** A name that would not be read back is left out. */
export function printPlace({ name, ...lines }: NamedLines, locale: Locale): string {
  const words = printLines(lines, locale);
  if (name === undefined || !isPlain(name)) return words;
  return `${name}${locale === "zh" ? "，" : ", "}${words}`;
}

/** Undefined for a text that is anything but a place. */
export function readPlace(text: string): NamedLines | undefined {
  if (text.length > maxWords) return undefined;
  const words = text.trim();
  const comma = Math.max(words.lastIndexOf(","), words.lastIndexOf("，"));
  const lines = readLines(words.slice(comma + 1).trim());
  if (lines === undefined || comma === -1) return lines;
  const name = words.slice(0, comma);
  return isPlain(name) ? { ...lines, name } : undefined;
}

/** `lines 3-9` in either language; the first is never after the last. */
export function readLines(words: string): LineRange | undefined {
  const found = english.exec(words) ?? chinese.exec(words);
  if (found === null) return undefined;
  const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])];
  return { startLine: Math.min(first, last), endLine: Math.max(first, last) };
}

function isPlain(name: string): boolean {
  return name === name.trim() && /^[^\r\n\u2028\u2029`]+$/.test(name) && name.length <= maxName;
}
