import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./system-problem.node.ts";

/** The folders above a path that are not there, the highest first. */
export async function findMissingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); !(await isThere(folder)); folder = dirname(folder))
    missing.unshift(folder);
  return missing;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return false;
    throw thrown;
  }
}
