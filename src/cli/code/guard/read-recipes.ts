import { isRecipe, recipeNamesOf } from "./recipes-of-check.ts";
import { hasPackages, scriptsOfCheck } from "./scripts-of-check.ts";
import { placesOf, wordsOf, wordsOfText } from "./words-of-command.ts";

/** What a file says that a check runs. */
export interface Recipe {
  path: string;
  /** What its words may start from: its own folder, and the one that it is run in. */
  folders: readonly string[];
  words: readonly string[];
}

/** The files of the folder, as far as they are looked at. */
export interface KnownFiles {
  paths: ReadonlySet<string>;
  read: (path: string) => Promise<string | undefined>;
}

/** Recipes that are followed, manifests of packages among them, and characters of one. */
const [maxRecipes, maxPackages, maxText] = [100, 50, 100_000];

type Caller = Pick<Recipe, "folders" | "words">;

/**
 * Reads what a check runs beyond what its command names: Makefiles and the like, shell scripts and scripts of
 * `package.json`, in the folders and packages that are named, and what these run in turn.
 */
export async function readRecipes(
  command: readonly string[],
  { paths, read }: KnownFiles,
): Promise<Recipe[]> {
  const folders = new Set([...paths].flatMap(foldersAbove));
  const found = new Map<string, Recipe>();
  const callers: Caller[] = [{ folders: [""], words: wordsOf(command) }];
  const take = (path: string, text: string, caller: Caller): void => {
    const key = `${path}\n${text}`;
    if (found.has(key) || found.size === maxRecipes) return;
    const own = [...new Set([folderOf(path), ...caller.folders])];
    const recipe = { path, folders: own, words: wordsOfText(text.slice(0, maxText)) };
    found.set(key, recipe);
    callers.push(recipe);
  };
  for (const caller of callers) {
    const places = caller.words.flatMap((word) => placesOf(word, caller.folders)).map(tidy);
    const near = [...new Set([...caller.folders, ...places.filter((one) => folders.has(one))])];
    for (const path of listRecipes(caller, places, near)) {
      if (!paths.has(path)) continue;
      const text = (await read(path)) ?? "";
      if (isRecipe(path, text)) take(path, text, caller);
    }
    for (const path of await listManifests(near, { paths, read }))
      for (const script of scriptsOfCheck(caller.words, (await read(path)) ?? ""))
        take(path, script, caller);
  }
  return [...found.values()];
}

/** What is named, and what programs that are named look for in the folders around. */
function listRecipes({ words }: Caller, places: readonly string[], near: readonly string[]) {
  const names = recipeNamesOf(words);
  const looked = near.flatMap((folder) => names.map((name) => join(folder, name)));
  return new Set([...places, ...looked]);
}

/** The manifests of folders, and those of all packages where one has some. */
async function listManifests(near: readonly string[], { paths, read }: KnownFiles) {
  const own = near.map((folder) => join(folder, "package.json")).filter((path) => paths.has(path));
  const texts = await Promise.all(own.map(read));
  const isParent =
    paths.has("pnpm-workspace.yaml") ||
    texts.some((text) => text !== undefined && hasPackages(text));
  if (!isParent) return own;
  const all = [...paths].filter((path) => path.endsWith("/package.json"));
  return [...new Set([...own, ...all.slice(0, maxPackages)])];
}

function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, nth) => parts.slice(0, nth + 1).join("/"));
}

/** `./a/` as paths are listed; what leads up and down again is not looked for. */
function tidy(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.join("/");
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
