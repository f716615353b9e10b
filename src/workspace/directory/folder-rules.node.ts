import { join } from "node:path";
import { isGitData, isSecretPath } from "../paths/guarded-names.ts";
import { type IgnoreRules, maxIgnoreFile, noIgnoreRules } from "../search/ignore-rules.ts";
import { readWhole } from "./open-file.node.ts";

/** The name of a draft of ours, which is gone when its file is written. */
export const draftName = /^\.rightseat-[0-9a-f-]{36}\.tmp$/;

/** The rules above a folder, and those of its own `.gitignore`. */
export async function rulesOfFolder(
  realRoot: string,
  folder: string,
  above: IgnoreRules,
): Promise<IgnoreRules> {
  const path = folder === "" ? ".gitignore" : `${folder}/.gitignore`;
  const read = await readWhole({ path, real: join(realRoot, path) });
  if (!read.ok || read.value === undefined) return above;
  const bytes = read.value.bytes.subarray(0, maxIgnoreFile);
  return above.below(folder, new TextDecoder().decode(bytes));
}

/** Whether an entry is left out of lists and searches; of no folder above it this may be true. */
export function isHidden(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    isGitData(name) || isSecretPath(name) || draftName.test(name) || rules.ignores(path, isFolder)
  );
}

/**
 * The rules that count inside of a folder.
 *
 * @returns undefined if the folder itself, or one above it, is hidden
 */
export async function rulesInside(
  realRoot: string,
  folder: string,
): Promise<IgnoreRules | undefined> {
  let rules = await rulesOfFolder(realRoot, "", noIgnoreRules);
  const segments = folder === "" ? [] : folder.split("/");
  for (const nth of segments.keys()) {
    const path = segments.slice(0, nth + 1).join("/");
    if (isHidden(path, true, rules)) return undefined;
    rules = await rulesOfFolder(realRoot, path, rules);
  }
  return rules;
}

/** Whether a file is a secret, ignored, or in a folder that is. */
export async function isSecretOrIgnored(realRoot: string, path: string): Promise<boolean> {
  const at = path.lastIndexOf("/");
  const rules = await rulesInside(realRoot, at === -1 ? "" : path.slice(0, at));
  return rules === undefined || isHidden(path, false, rules);
}
