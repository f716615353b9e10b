import type { Workspace } from "../../../workspace/workspace.ts";
import { foldPath } from "./guard-of.ts";
import type { Recipe } from "./read-recipes.ts";
import { placesOf, wordsOf } from "./words-of-command.ts";

/** Words of a command and its recipes that are looked at. */
const maxWords = 4_000;

/** Whether the check runs or reads a file: that one is asked for like configuration. */
export type IsCheckFile = (path: string) => boolean;

/**
 * The files that a command and its recipes name, as themselves or in a word (`--config=x.json`,
 * `sh -c "./a && ./b"`). They need not be there yet. An ending may be missing, as in `node test/check`, and a
 * folder means what would be run of it.
 *
 * @param locate finds where a path leads, through links
 */
export async function filesOfCheck(
  command: readonly string[],
  locate: Workspace["locate"],
  recipes: readonly Recipe[] = [],
): Promise<{ isCheckFile: IsCheckFile; paths: readonly string[] }> {
  const named = new Set([
    ...wordsOf(command),
    ...recipes.flatMap(({ path, folders, words }) => [
      path,
      ...words.flatMap((word) => placesOf(word, folders)),
    ]),
  ]);
  const paths = new Set<string>();
  for (const word of [...named].slice(0, maxWords)) {
    const located = await locate(word);
    if (located.ok && located.value !== "") paths.add(located.value);
  }
  const folded = new Set([...paths].map(foldPath));
  return {
    paths: [...paths],
    isCheckFile: (path) => spellings(foldPath(path)).some((one) => folded.has(one)),
  };
}

/** A path as a command may write it: whole, without its ending, as its folder. */
function spellings(path: string): string[] {
  const slash = path.lastIndexOf("/");
  const dot = path.lastIndexOf(".");
  const stem = dot > slash + 1 ? path.slice(0, dot) : path;
  const name = stem.slice(slash + 1);
  const folder = path.slice(0, Math.max(slash, 0));
  const isMain = name === "index" || name === "__main__";
  return isMain && folder !== "" ? [path, stem, folder] : [path, stem];
}
