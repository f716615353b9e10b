import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sortInSteps } from "../../../turn/context/sort-in-steps.ts";
import type { Slices } from "../../../turn/slices.ts";
import { succeed } from "../../problems.ts";
import { createPace, type IgnoreRules } from "../../search/ignore-rules.ts";
import { type CompilePattern, prepareSearch } from "../../search/prepare-search.ts";
import type { SearchedFolder, SearchFolder } from "../directory-workspace.node.ts";
import { isHidden, rulesInside, rulesOfFolder } from "../folder-rules.node.ts";
import { runRipgrep } from "./ripgrep.node.ts";
import { searchFiles } from "./search-files.node.ts";
import { walkFiles } from "./walk-files.node.ts";

/** How long a search may take, in milliseconds; then it ends with what was found so far. */
export const usualSearchTime = 2_500;
/** Of that, the share in which ripgrep looks for files; in the rest their lines are read. */
const shareOfRipgrep = 0.8;

export interface SearchFolderParts {
  compile: CompilePattern;
  /** The path of ripgrep; undefined: the files are walked in JavaScript. */
  ripgrep: string | undefined;
  slices: Slices;
  /** Milliseconds; need not be the time of day. */
  now: () => number;
  maxTime?: number;
}

/**
 * Searches a folder. Where there is ripgrep, it says which files are worth reading; else all are read. Both find the
 * same.
 */
export function createFolderSearch({
  compile,
  ripgrep,
  slices,
  now,
  maxTime = usualSearchTime,
}: SearchFolderParts): SearchFolder {
  return async (folder, query, { signal }) => {
    const prepared = prepareSearch(query, compile);
    if (!prepared.ok) return prepared;
    const { value: search } = prepared;
    const until = now() + maxTime;
    const parts = { ...folder, slices, signal, isOver: () => now() > until };
    const { realRoot, outer } = folder;
    const { isReadOtherwise } = await rulesOfFolder(realRoot, "", outer);
    const options = { realRoot, isReadOtherwise, maxTime: maxTime * shareOfRipgrep, signal };
    const found =
      ripgrep === undefined
        ? undefined
        : await runRipgrep(search, { ...options, program: ripgrep });
    if (found === undefined) return succeed(await searchFiles(search, walkFiles(parts), parts));
    const paths = await slices.run("sort", sortInSteps(found.paths, compareTexts), signal);
    const shown = keepShown(paths.filter(search.wants), folder, signal);
    const result = await searchFiles(search, shown, parts);
    return succeed({ ...result, isCut: result.isCut || found.isCut });
  };
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** Paths that are looked at before others get their turn. */
const pathsInOneGo = 64;

/** The files that the walker would have come to. */
async function* keepShown(
  paths: readonly string[],
  root: SearchedFolder,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const { realRoot, isClosed } = root;
  const pace = createPace();
  const known = new Map<string, IgnoreRules | undefined>();
  for (const [nth, path] of paths.entries()) {
    if (nth % pathsInOneGo === pathsInOneGo - 1) {
      await setImmediate();
      signal.throwIfAborted();
    }
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (!known.has(folder)) known.set(folder, await rulesInside(root, folder));
    const rules = known.get(folder);
    if (rules === undefined || (await isHidden(path, false, rules, pace))) continue;
    if (!isClosed(join(realRoot, path))) yield path;
  }
}
