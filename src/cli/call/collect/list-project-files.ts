import { readdir } from "node:fs/promises";
import { isSecretPath } from "../../../workspace/paths/guarded-names.ts";
import { runGit } from "./run-git.ts";

/** Files and folders of a project that are looked at. */
const maxFiles = 5_000;
const maxFolders = 500;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "target", "vendor"]);

/** The files of a project, from its root and with slashes, hidden ones left out: those that git would keep, else all. */
export async function listProjectFiles(root: string): Promise<string[]> {
  const listed = await runGit(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const files = listed === undefined ? await walk(root) : listed.split("\0");
  return files.filter((path) => path !== "" && !isHidden(path)).slice(0, maxFiles);
}

/** Whether a path below the root has a name with a dot in front, or is that of a key or the like. */
export function isHidden(path: string, isFolder = false): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  return names.some((name) => name.startsWith(".")) || isSecretPath(names.join("/"), isFolder);
}

async function walk(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let entered = 0; entered < maxFolders && files.length < maxFiles; entered += 1) {
    const folder = folders.shift();
    if (folder === undefined) break;
    const entries = await readdir(`${root}/${folder}`, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !isHidden(path, true) && !skippedFolders.has(entry.name))
        folders.push(`${path}/`);
    }
  }
  return files;
}
