// Names of code in what a person asks: found by how they are written, before anybody knows which of them exist.
import type { LineRange } from "../../edit/edit-unit.ts";
import { readLines } from "./place-words.ts";
import { isFence } from "../../base/text/fence.ts";

/** A name that may be one of code, with what is around it: `Cart.total` is `["Cart", "total"]`. */
export interface CodeName {
  path: readonly string[];
}

/** Lines, and the word before them as in `total, lines 3-9`. */
export interface AskedLines extends LineRange {
  name?: string;
}

export interface AskedNames {
  names: CodeName[];
  lines: AskedLines[];
  /** The question without its fenced blocks; files are looked for in it by their names. */
  text: string;
}

/** In characters; people put the question first, and logs after it. */
const maxQuestion = 8_000;
const maxNames = 50;
/** Of one name that is written in upper and lower case; people write two. */
const maxSpellings = 3;

const quoted = /`([^`\n]{1,200})`/g;
/** A name with what it is reached by, and the parenthesis of a call; `item(s)` is a plural. */
const named =
  /([\p{ID_Start}_$][\p{ID_Continue}$]*(?:(?:\.|::|#|->)[\p{ID_Start}_$~][\p{ID_Continue}$]*)*)(\((?!e?s\)))?/gu;
const steps = /\.|::|#|->/;
/** Letters of scripts that are written without spaces around names. */
const unspaced = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]+/g;
const asked =
  /\blines? \d{1,7}(?: ?(?:[-–—~]|to) ?\d{1,7})?|第 ?\d{1,7}(?: ?(?:[-–—~～]|至|到) ?第? ?\d{1,7})? ?行|\d{1,7} ?(?:[-–—~～]|至|到) ?\d{1,7} ?行/gi;

/**
 * What a question may name. A word counts as a name of code only where it is written as one: in backticks, as a
 * call (`total()`), with what it is reached by (`Cart.total`), or in camelCase or snake_case. Lines count as
 * `lines 10-20`, `line 10`, `第 10 至 20 行`. Fenced blocks are material, and not looked at.
 */
export function findNames(question: string): AskedNames {
  const text = withoutBlocks(question.slice(0, maxQuestion))
    .replaceAll("（", "(")
    .replaceAll("）", ")");
  const inQuotes = [...text.matchAll(quoted)].map(([, code = ""]) => readCode(code));
  const plain = text.replace(quoted, (code) => " ".repeat(code.length));
  const written = [...readMarked(plain), ...readMarked(plain.replace(unspaced, " "))];
  const names = distinct([...inQuotes, ...written]).slice(0, maxNames);
  const lines = [...plain.matchAll(asked)].flatMap((match) => readAsked(plain, match));
  return { names: names.map((path) => ({ path })), lines: lines.slice(0, maxNames), text };
}

function withoutBlocks(question: string): string {
  let isInside = false;
  const lines = question.split("\n").filter((line) => {
    if (isFence(line)) isInside = !isInside;
    return !isFence(line) && !isInside;
  });
  return lines.join("\n");
}

/** The name that a piece of code is, with or without the arguments of a call; a symbol may have any name. */
function readCode(code: string): string[] {
  const name = code.trim();
  const called = name.indexOf("(");
  return (called > 0 ? name.slice(0, called) : name).split(steps);
}

function readMarked(text: string): string[][] {
  return [...text.matchAll(named)].flatMap(([, name = "", call]) => {
    const path = name.split(steps);
    return call !== undefined || path.length > 1 || isCased(name) ? [path] : [];
  });
}

/** `countLines`, `count_lines`, `HTTPServer`; not `Count`, `HTTP` or `APIs`. */
function isCased(name: string): boolean {
  return /[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}|[A-Za-z\d]_+[A-Za-z\d]|^_+[A-Za-z]/.test(name);
}

function readAsked(text: string, { 0: words, index }: RegExpExecArray): AskedLines[] {
  // "Keep lines 80 characters long" names none.
  if (/^lines \d+$/i.test(words)) return [];
  const lines = readLines(words);
  if (lines === undefined) return [];
  const [, name] =
    /([^\s,，。:：]{1,200})[,，] ?$/u.exec(text.slice(Math.max(0, index - 210), index)) ?? [];
  return [name === undefined ? lines : { ...lines, name }];
}

function distinct(paths: readonly string[][]): string[][] {
  const once = [...new Map(paths.map((path) => [path.join("."), path])).values()];
  const spellings = new Map<string, number>();
  return once.filter((path) => {
    const name = path.join(".").toLowerCase();
    const count = (spellings.get(name) ?? 0) + 1;
    spellings.set(name, count);
    return count <= maxSpellings;
  });
}

// Which files of a request a question names, with the lines that it names of them.

export interface NamedFile {
  path: string;
  /** Written as `@path`. */
  isMentioned: boolean;
  lines: LineRange | undefined;
}

/** Paths that are looked for. */
const maxPaths = 500;
/** Places of a text that are looked at: of a text that repeats the names of many files, the first. */
const maxTries = 20_000;
/** In characters; people do not write longer paths. */
const maxPath = 1_000;
/** Folders of a path that are compared with what is written before its name. */
const maxFolders = 30;
const suffix = /^(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)/;

/**
 * The paths that a text names by an end of theirs: `app.ts`, `src/app.ts:10-20`, `@src/app.ts#L10`. One without
 * an ending, such as `Makefile`, counts only in backticks, after `@`, or with its folder.
 */
export function matchFiles(text: string, paths: readonly string[]): NamedFile[] {
  const tries = { left: maxTries };
  return paths.slice(0, maxPaths).flatMap((path) => matchFile(text, path, tries) ?? []);
}

function matchFile(text: string, path: string, tries: { left: number }): NamedFile | undefined {
  if (path.length > maxPath) return undefined;
  const segments = path.split(/[\\/]+/).filter((segment) => segment !== "");
  const name = segments.at(-1);
  if (name === undefined || name.length < 2) return undefined;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (tries.left-- <= 0) return undefined;
    const end = at + name.length;
    // What follows tells at once that most are another name.
    if (/^[\w-]|^\.\w/.test(text.slice(end, end + 2))) continue;
    const start = startOf(text, at, segments);
    if (start === undefined) continue;
    if (!name.includes(".") && start === at && !/[@`]/.test(text.charAt(start - 1))) continue;
    const lines = readSuffix(text.slice(end, end + 20));
    return { path, isMentioned: text.charAt(start - 1) === "@", lines };
  }
  return undefined;
}

/** Where the path begins whose last segment is at `at`; undefined where the text names a longer or another one. */
function startOf(text: string, at: number, segments: readonly string[]): number | undefined {
  let start = at;
  const last = segments.length - 2;
  for (let nth = last; /[\\/]/.test(text.charAt(start - 1)); nth--) {
    if (nth < last - maxFolders) return undefined;
    const segment = segments[nth];
    const before = text.charAt(start - 2);
    if (before === ".") return start - 2;
    if (segment === undefined) return /[\w-]/.test(before) ? undefined : start - 1;
    const from = start - 1 - segment.length;
    if (from < 0 || text.slice(from, start - 1) !== segment) return undefined;
    start = from;
  }
  return /[\w.-]/.test(text.charAt(start - 1)) ? undefined : start;
}

function readSuffix(text: string): LineRange | undefined {
  const found = suffix.exec(text);
  if (found === null) return undefined;
  const first = Number(found[1] ?? found[3]);
  const last = Number(found[2] ?? found[4] ?? first);
  return { startLine: Math.min(first, last), endLine: Math.max(first, last) };
}
