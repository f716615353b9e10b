// Which files of a request a question names, with the lines that it names of them.
import type { LineRange } from "../../edit/edit-unit.ts";

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
