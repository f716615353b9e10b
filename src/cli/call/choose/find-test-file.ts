// The answer to "unittest-write" in a form that can be written to a file.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { Locale } from "../../../errors/locale.ts";
import { textsFor } from "../../../flows/texts/texts.ts";

export interface TestFile {
  /** From the directory, as the answer names it. */
  name: string;
  path: string;
  text: string;
}

/**
 * The test file that an answer holds: a line with nothing but its path in backticks, then the one fenced
 * block of the answer. Undefined where the answer is of another form, is to be added to a file that is
 * there, or names a place where nothing new may be written: outside of the directory, or one that is taken.
 */
export function findTestFile(answer: string, directory: string): TestFile | undefined {
  const [name, text] = readForm(answer) ?? [];
  if (name === undefined || text === undefined || isAddition(answer, name)) return undefined;
  const path = resolve(directory, name);
  try {
    return isFree(path, directory) ? { name, path, text } : undefined;
  } catch {
    // A name that no file can have: too long, below a file, or with signs that the system refuses.
    return undefined;
  }
}

function isFree(path: string, directory: string): boolean {
  if (!isWithin(directory, path)) return false;
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  // A folder on the way may be a link that leads out.
  return isWithin(realpathSync(directory), realpathSync(nearestFolder(path)));
}

/** The path and the text; undefined if there is not exactly one of each, in this order. */
function readForm(answer: string): [name: string, text: string] | undefined {
  const lines = answer.split(/\r?\n/);
  const start = lines.findIndex((line) => /^(?:`{3,}|~{3,})/.test(line));
  const rule = /^(?:`+|~+)/.exec(lines[start] ?? "")?.[0] ?? "";
  const isEnd = (line: string): boolean =>
    line.startsWith(rule) && /^(?:`{3,}|~{3,})\s*$/.test(line);
  const end = lines.findIndex((line, at) => at > start && isEnd(line));
  if (start === -1 || end === -1) return undefined;
  if (lines.slice(end + 1).some((line) => /^\s*(?:`{3,}|~{3,})/.test(line))) return undefined;
  const names = lines.slice(0, start).flatMap((line) => /^`([^`]+)`:?\s*$/.exec(line)?.[1] ?? []);
  const text = lines.slice(start + 1, end).join("\n");
  const [name, ...others] = names;
  if (name === undefined || others.length > 0 || text.trim() === "") return undefined;
  if (!looksLikeFile.test(name)) return undefined;
  return [name, `${text.trimEnd()}\n`];
}

/** With an ending, and without blanks at its borders: `npm test` is none. */
const looksLikeFile = /^\S(?:.*\S)?\.\w+$/;

/** Rust has its tests in the file under test. */
function isAddition(answer: string, name: string): boolean {
  return Locale.options.some((locale) => answer.includes(textsFor(locale).addToSource(name)));
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : nearestFolder(folder);
}
