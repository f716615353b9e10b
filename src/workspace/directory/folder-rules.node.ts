import { dirname, join, relative, resolve, sep } from "node:path";
import { isGitData, isSecretPath } from "../paths/guarded-names.ts";
import { type IgnoreRules, type OuterRules, createIgnoreRules } from "../search/ignore-rules.ts";
import { readWhole } from "./open-file.node.ts";
import { lstat, readFile, stat } from "node:fs/promises";

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
 * Whether an entry is left out of lists and searches; of no folder above it this may be true.
 */
export function isHidden(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isNever = isGitData(name) || isSecretPath(path, isFolder) || draftName.test(name);
  return isNever || rules.ignores(path, isFolder);
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
  let rules = await rulesOfFolder(realRoot, "", outer);
  const segments = folder === "" ? [] : folder.split("/");
  for (const nth of segments.keys()) {
    const path = segments.slice(0, nth + 1).join("/");
    if (isHidden(path, true, rules)) return undefined;
    rules = await rulesOfFolder(realRoot, path, rules);
  }
  return rules;
}

/** Whether a file is a secret, ignored, or in a folder that is. */
export async function isSecretOrIgnored(root: RuledRoot, path: string): Promise<boolean> {
  const at = path.lastIndexOf("/");
  const rules = await rulesInside(root, at === -1 ? "" : path.slice(0, at));
  return rules === undefined || isHidden(path, false, rules);
}

// The ignore rules of git that are not in the folder itself (gitignore(5)).

/** Of a file that names another, and of settings, in bytes. */
const maxSettings = 256 * 1024;

export interface GitPlaces {
  /** The folder of the person, for `~`. */
  home: string;
  /** Where programs keep settings: `$XDG_CONFIG_HOME`, or `.config` in the home. */
  configFolder: string;
}

export function findGitPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): GitPlaces {
  return { home, configFolder: environment["XDG_CONFIG_HOME"] || join(home, ".config") };
}

/**
 * What git would read beside the `.gitignore` files of a root and below: the file of the person, `info/exclude` of the
 * repository, and the `.gitignore` files above the root, those that count least first. None where there is no
 * repository, and none where they ignore the root itself: a person who works in such a folder means its files.
 */
export async function readOuterRules(
  realRoot: string,
  places: GitPlaces | undefined,
): Promise<OuterRules[]> {
  const top = await findWorkTree(realRoot);
  if (top === undefined) return [];
  const [, common] = await findDataFolders(top);
  const folders: string[] = [];
  for (let folder = realRoot; folder !== top; folder = dirname(folder))
    folders.unshift(dirname(folder));
  const files = [
    ...(places === undefined ? [] : [{ folder: top, file: await findGlobal(common, places) }]),
    { folder: top, file: join(common, "info", "exclude") },
    ...folders.map((folder) => ({ folder, file: join(folder, ".gitignore") })),
  ];
  const rules: OuterRules[] = [];
  for (const { folder, file } of files) {
    const text = await readText(file);
    const inner = relative(folder, realRoot).replaceAll(sep, "/");
    if (text !== undefined) rules.push({ inner: inner === "" ? "" : `${inner}/`, text });
  }
  return rules.some(ignoresRoot) ? [] : rules;
}

function ignoresRoot({ inner, text }: OuterRules): boolean {
  const rules = createIgnoreRules([{ inner: "", text }]);
  const names = inner.split("/").slice(0, -1);
  return names.some((_, nth) => rules.ignores(names.slice(0, nth + 1).join("/"), true));
}

/**
 * The folder of the repository that a folder is in, found without asking git: there a repository may name any other
 * folder of the disk as its own.
 */
export async function findWorkTree(realRoot: string): Promise<string | undefined> {
  for (let folder = realRoot; ; folder = dirname(folder)) {
    const found = await lstat(join(folder, ".git")).catch(() => undefined);
    if (found !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Where the data of a working tree are: in `.git`, or where a file of that name says; those that trees share last. */
export async function findDataFolders(top: string): Promise<[own: string, shared: string]> {
  const named = join(top, ".git");
  const text = await readText(named);
  const folder = text?.startsWith("gitdir:") === true ? firstLine(text.slice(7)) : undefined;
  const own = folder === undefined ? named : resolve(top, folder);
  const shared = await readText(join(own, "commondir"));
  return [own, shared === undefined ? own : resolve(own, firstLine(shared))];
}

/** The person's own ignore file, as their settings or the usual place name it. */
async function findGlobal(common: string, { home, configFolder }: GitPlaces): Promise<string> {
  let file = join(configFolder, "git", "ignore");
  const settings = [join(configFolder, "git", "config"), join(home, ".gitconfig")];
  for (const path of [...settings, join(common, "config")])
    file = readExcludesFile((await readText(path)) ?? "", home) ?? file;
  return file;
}

/** `excludesFile` of the section `core`. */
function readExcludesFile(settings: string, home: string): string | undefined {
  let found: string | undefined;
  let isCore = false;
  for (const line of settings.split("\n")) {
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) isCore = trimmed.toLowerCase().startsWith("[core]");
    const at = trimmed.indexOf("=");
    if (!isCore || at === -1) continue;
    if (trimmed.slice(0, at).trim().toLowerCase() !== "excludesfile") continue;
    const value = trimmed.slice(at + 1).trim();
    const path = value.startsWith('"')
      ? value.slice(1).split('"', 1)[0]
      : value.split(/[#;]/, 1)[0];
    const named = path?.trim() ?? "";
    if (named !== "") found = resolve(home, named.startsWith("~/") ? named.slice(2) : named);
  }
  return found;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim() ?? "";
}

/** @returns undefined for what is no file, or too large; links of the person's own are followed */
async function readText(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= maxSettings ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
