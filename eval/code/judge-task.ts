// What an agent has made of a project, by its files: not by what it says of them.
import { namesIn } from "../../src/cli/code/guard.ts";
import type { CodingTask } from "./coding-task.ts";

export interface FileVerdict {
  /** Files that were changed though the task does not name them. */
  stray: string[];
  /** Files that the task names and that are as they were. */
  untouched: string[];
}

/**
 * Compares the files with those before. What the check itself has written counts for nothing.
 *
 * @param written paths that the agent has written
 */
export function judgeFiles(
  { before, filesToChange }: Pick<CodingTask, "before" | "filesToChange">,
  written: Iterable<string>,
  read: (path: string) => string | undefined,
): FileVerdict {
  const changed = [...new Set([...before.keys(), ...written])].filter(
    (path) => before.get(path) !== read(path),
  );
  return {
    stray: changed.filter((path) => !filesToChange.includes(path)).toSorted(),
    untouched: filesToChange.filter((path) => !changed.includes(path)),
  };
}

/**
 * The files of the check: those that its command names, and all beside them. An agent that changes its own test
 * has solved nothing, so they are put back before the last word is spoken.
 */
export function listCheckFiles({
  check,
  before,
  filesToChange,
}: Pick<CodingTask, "check" | "before" | "filesToChange">): string[] {
  const paths = [...before.keys()];
  const folders = namesIn(check.join("\n"), false).flatMap((word) => {
    if (before.has(word)) return word.includes("/") ? [folderOf(word)] : [];
    const folder = word.endsWith("/") ? word : `${word}/`;
    return paths.some((path) => path.startsWith(folder)) ? [folder] : [];
  });
  const isOfCheck = (path: string): boolean =>
    check.includes(path) || folders.some((folder) => path.startsWith(folder));
  return paths.filter((path) => isOfCheck(path) && !filesToChange.includes(path));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
