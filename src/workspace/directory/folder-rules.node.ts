import { dirname, join, relative, resolve, sep } from "node:path";
import { isGitData, isSecretPath } from "../paths/guarded-names.ts";
import { draftName } from "./put-file.node.ts";
import { readWhole } from "./open-file.node.ts";
import { lstat, readFile, stat } from "node:fs/promises";
import { type PathTest, parsePattern } from "../search/match-glob.ts";

/** A root, and what is ignored in it whatever its own files say. */
export interface RuledRoot {
  realRoot: string;
  outer: IgnoreRules;
}

export interface SearchedFolder extends RuledRoot {
  /** Names folders and files that nobody may look into. */
  isClosed: (real: string) => boolean;
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
 * repository, and the `.gitignore` files above the root. None where there is no repository, and none where they ignore
 * the root itself: a person who works in such a folder means its files.
 */
export async function readOuterRules(
  realRoot: string,
  places: GitPlaces | undefined,
): Promise<IgnoreRules> {
  const none = createIgnoreRules();
  const top = await findWorkTree(realRoot);
  if (top === undefined) return none;
  const [, common] = await findDataFolders(top);
  const way = relative(top, realRoot).split(sep).filter(Boolean);
  const global = places && (await readText(await findGlobal(common, places)));
  const exclude = await readText(join(common, "info", "exclude"));
  let rules = none.below("", global ?? "").below("", exclude ?? "");
  for (const nth of way.keys()) {
    const folder = way.slice(0, nth).join("/");
    rules = rules.below(folder, (await readText(join(top, folder, ".gitignore"))) ?? "");
    if (rules.ignores(way.slice(0, nth + 1).join("/"), true)) return none;
  }
  return rules.inside(way.join("/"));
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
async function findGlobal(common: string, places: GitPlaces): Promise<string> {
  const settings = await readGitSettings(places, common);
  const isNamed = ([name, path]: GitSetting): boolean =>
    name === "core.excludesfile" && path !== "";
  const [, named] = settings.findLast(isNamed) ?? [];
  return named === undefined
    ? join(places.configFolder, "git", "ignore")
    : resolve(places.home, named.replace(/^~\//, ""));
}

/** A name and a value of git's settings, such as `remote.origin.url`. */
export type GitSetting = readonly [name: string, value: string];

/**
 * The settings of git in their order, those of the person first. Git itself is never started: a hostile folder names
 * programs that it would run.
 *
 * @param common the folder with the data of a repository
 */
export async function readGitSettings(
  { home, configFolder }: GitPlaces,
  common: string | undefined,
): Promise<GitSetting[]> {
  const files = [join(configFolder, "git", "config"), join(home, ".gitconfig")];
  if (common !== undefined) files.push(join(common, "config"));
  const texts = await Promise.all(files.map(readText));
  return texts.flatMap((text = "") => parseGitSettings(text));
}

const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const setting = /^\s*([a-z][\w-]*)\s*=(.*)$/i;
/** Of a value: what is quoted, escaped, a comment, or as it is. */
const valueParts = /"((?:[^"\\]|\\.)*)"?|\\(.)|[#;].*|([^"\\#;]+)/g;

/** The settings of a file of git in their order (git-config(1), "Syntax"); other files that it includes are not read. */
function parseGitSettings(text: string): GitSetting[] {
  let section = "";
  return text
    .replaceAll(/\\\r?\n/g, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const [start = "", name, below] = head.exec(line) ?? [];
      if (name !== undefined)
        section = name.toLowerCase() + (below === undefined ? "" : `.${unescape(below)}`);
      const [, key, raw = ""] = setting.exec(line.slice(start.length)) ?? [];
      if (key === undefined) return [];
      const value = [...raw.matchAll(valueParts)]
        .map(([, quoted, escaped, plain]) => plain ?? unescape(quoted ?? `\\${escaped ?? ""}`))
        .join("");
      return [[`${section}.${key.toLowerCase()}`, value.trim()]];
    });
}

function unescape(text: string): string {
  return text.replace(/\\(.?)/g, (_, sign: string) => ({ n: "\n", t: "\t" })[sign] ?? sign);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim() ?? "";
}

/** @returns undefined for what is no file, or too large; links of the person's own are followed */
export async function readText(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= maxSettings ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

// The lines of `.gitignore` files, read as git does (gitignore(5), dir.c, wildmatch.c).

/** Rules of one ignore file; of one with more nothing is known, and all is ignored. */
const maxRules = 50_000;

/** The rules of the ignore files of a folder and of those above it. */
export interface IgnoreRules {
  /** Whether ripgrep reads some of them otherwise than git. */
  readonly isReadOtherwise: boolean;
  /** The same with the rules of an ignore file in a folder. */
  below(folder: string, text: string): IgnoreRules;
  /** The same for paths that begin in a folder. */
  inside(folder: string): IgnoreRules;
  /** Whether an entry is ignored, of which no folder above is. */
  ignores(path: string, isFolder: boolean): boolean;
}

interface RuleFile {
  /** The path of its folder with a "/" after it; "" for the top. */
  prefix: string;
  /** The last one that fits counts. */
  rules: readonly IgnoreRule[];
  isReadOtherwise: boolean;
}

interface IgnoreRule {
  fits: PathTest;
  /** It is meant below the folder of the file, and not for a name at any depth. */
  isAnchored: boolean;
  /** `!pattern`: takes back what an earlier rule ignored. */
  isIgnored: boolean;
  foldersOnly: boolean;
}

/**
 * @param files those that count least first
 * @param base what comes before each path that is asked for
 */
export function createIgnoreRules(files: readonly RuleFile[] = [], base = ""): IgnoreRules {
  const prefixOf = (folder: string): string => base + (folder === "" ? "" : `${folder}/`);
  return {
    isReadOtherwise: files.some((file) => file.isReadOtherwise),
    below: (folder, text) => createIgnoreRules([...files, readRules(prefixOf(folder), text)], base),
    inside: (folder) => createIgnoreRules(files, prefixOf(folder)),
    ignores(path, isFolder) {
      for (const { prefix, rules } of files.toReversed()) {
        const below = toByteText((base + path).slice(prefix.length));
        const name = below.slice(below.lastIndexOf("/") + 1);
        const rule = rules.findLast(
          ({ fits, isAnchored, foldersOnly }) =>
            (isFolder || !foldersOnly) && fits(isAnchored ? below : name),
        );
        if (rule !== undefined) return rule.isIgnored;
      }
      return false;
    },
  };
}

/** Reads a `.gitignore`. */
function readRules(prefix: string, text: string): RuleFile {
  const lines = toByteText(text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
  const rules: IgnoreRule[] = [];
  let isReadOtherwise = false;
  for (const ended of lines.length > maxRules ? ["*"] : lines) {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (line.startsWith("#")) continue;
    const rule = parseRule(line);
    if (rule !== undefined) rules.push(rule);
    // As alternatives, or as a bracket that means itself.
    const isLost = rule === undefined && /[[\\]/.test(line);
    isReadOtherwise ||= isLost || /[{]|\[:|\/\/|\*\*\*/.test(line);
  }
  return { prefix, rules, isReadOtherwise };
}

/**
 * @param line without its end, each character a byte as `toByteText` gives them
 * @returns undefined for what can never fit: nothing, a bracket that is not closed
 */
function parseRule(line: string): IgnoreRule | undefined {
  const parts = /^(!?)(\/?)(.*?)(\/?)$/s.exec(withoutEndSpaces(line)) ?? [];
  const [, not, first, path = "", last] = parts;
  if (path === "") return undefined;
  const [isIgnored, foldersOnly] = [not === "", last === "/"];
  const isAnchored = first === "/" || path.includes("/");
  // `a/**` is what is inside of `a`, and not the folder itself.
  const fits = parsePattern(/\/\*{2,}$/.test(path) ? `${path}/*` : path, true);
  return fits && { fits, isAnchored, isIgnored, foldersOnly };
}

/** The bytes of a text in UTF-8, a character for each: git's wildcards are for bytes. */
function toByteText(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Spaces at the end count only behind a backslash, which itself may follow another one. */
function withoutEndSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === " ") continue;
    end = at + 1;
  }
  return line.endsWith("\\") ? line : line.slice(0, end);
}
