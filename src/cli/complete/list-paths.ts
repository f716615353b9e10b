import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Paths that are offered at once. */
const maxPaths = 500;
/** Folders that are entered because nothing else fits. */
const maxSteps = 16;

/**
 * The paths that begin with what was typed; a folder ends with a slash. A folder that alone fits is offered
 * with what it holds, since shells put a space behind the only candidate.
 */
export function listPaths(directory: string, typed: string): string[] {
  let found = listOne(directory, typed);
  for (let step = 0; step < maxSteps; step += 1) {
    const [only, ...others] = found;
    if (only === undefined || others.length > 0 || !only.endsWith("/")) break;
    found = [only, ...listOne(directory, only)];
    if (found.length === 1) break;
  }
  return found;
}

function listOne(directory: string, typed: string): string[] {
  const end = typed.lastIndexOf("/") + 1;
  const [folder, start] = [typed.slice(0, end), typed.slice(end)];
  return readNames(resolve(directory, folder))
    .filter((name) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
    .slice(0, maxPaths)
    .map((name) => `${folder}${name}${isFolder(join(directory, folder, name)) ? "/" : ""}`);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** False also for what cannot be looked at, such as a link that leads to itself. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
