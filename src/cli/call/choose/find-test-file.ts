// The tests of an answer as a file that can be written.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { type ProposedEdit, isFileName } from "../../../turn/proposed-edit.ts";

export interface TestFile {
  /** From the directory, as the answer names it. */
  name: string;
  path: string;
  text: string;
}

/**
 * The new file that an answer proposes. Undefined where there is none, or more than one, or where nothing new
 * may be written: outside of the directory, or at a place that is taken.
 */
export function findTestFile(
  edits: readonly ProposedEdit[],
  directory: string,
): TestFile | undefined {
  const [edit, ...others] = edits.filter(({ result }) => result.status === "new-file");
  const [unit] = edit?.units ?? [];
  if (edit === undefined || unit === undefined || others.length > 0) return undefined;
  const { filePath: name } = edit;
  if (!isFileName(name)) return undefined;
  const path = resolve(directory, name);
  try {
    return isFree(path, directory) ? { name, path, text: unit.replace } : undefined;
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

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : nearestFolder(folder);
}
