import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isGitData, isSecretPath } from "../paths/guarded-names.ts";
import { createPace, type IgnoreRules, type Pace } from "../search/ignore-rules.ts";
import { readWhole } from "./open-file.node.ts";

/** The name of a draft of ours, which is gone when its file is written. */
export const draftName = /^\.rightseat-[0-9a-f-]{36}\.tmp$/;

/** A root, and what is ignored in it whatever its own files say. */
export interface RuledRoot {
  realRoot: string;
  outer: IgnoreRules;
}

/** The rules above a folder, and those of its own `.gitignore`. As git does, it follows no link for them. */
export async function rulesOfFolder(
  realRoot: string,
  folder: string,
  above: IgnoreRules,
): Promise<IgnoreRules> {
  const path = folder === "" ? ".gitignore" : `${folder}/.gitignore`;
  const read = await readWhole({ path, real: join(realRoot, path) });
  if (!read.ok) return above;
  // Nobody has rules as long. What they hide is not shown.
  if (read.value === undefined) return above.below(folder, "*");
  return above.below(folder, new TextDecoder().decode(read.value.bytes));
}

/**
 * Whether an entry is left out of lists and searches; of no folder above it this may be true. Where there are many
 * rules, or slow ones, others get their turn meanwhile.
 */
export async function isHidden(
  path: string,
  isFolder: boolean,
  rules: IgnoreRules,
  pace: Pace,
): Promise<boolean> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isGitData(name) || isSecretPath(path, isFolder) || draftName.test(name)) return true;
  const looking = rules.ignores(path, isFolder, pace);
  for (let step = looking.next(); ; step = looking.next()) {
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

/**
 * The rules that count inside of a folder.
 *
 * @returns undefined if the folder itself, or one above it, is hidden
 */
export async function rulesInside(
  { realRoot, outer }: RuledRoot,
  folder: string,
): Promise<IgnoreRules | undefined> {
  const pace = createPace();
  let rules = await rulesOfFolder(realRoot, "", outer);
  const segments = folder === "" ? [] : folder.split("/");
  for (const nth of segments.keys()) {
    const path = segments.slice(0, nth + 1).join("/");
    if (await isHidden(path, true, rules, pace)) return undefined;
    rules = await rulesOfFolder(realRoot, path, rules);
  }
  return rules;
}

/** Whether a file is a secret, ignored, or in a folder that is. */
export async function isSecretOrIgnored(root: RuledRoot, path: string): Promise<boolean> {
  const at = path.lastIndexOf("/");
  const rules = await rulesInside(root, at === -1 ? "" : path.slice(0, at));
  return rules === undefined || isHidden(path, false, rules, createPace());
}
