import { join } from "node:path";
import type { Slices } from "../../../turn/slices.ts";
import { succeed } from "../../problems.ts";
import { BestHits } from "../../search/best-hits.ts";
import { showLine } from "../../search/find-hits.ts";
import type { IgnoreRules } from "../../search/ignore-rules.ts";
import {
  type CompilePattern,
  maxSearchedLine,
  prepareSearch,
} from "../../search/prepare-search.ts";
import type { PreparedSearch } from "../../search/prepare-search.ts";
import type { SearchHit, SearchResult, WorkspaceResult } from "../../workspace.ts";
import type { SearchFolder } from "../directory-workspace.node.ts";
import { isHidden, rulesInside } from "../folder-rules.node.ts";
import { type RipgrepFile, runRipgrep } from "./ripgrep.node.ts";
import { walkSearch } from "./walk-search.node.ts";

/** How long a search may take, in milliseconds; then it ends with what was found so far. */
export const usualSearchTime = 2_500;

export interface SearchFolderParts {
  compile: CompilePattern;
  /** The path of ripgrep; undefined: the files are walked in JavaScript. */
  ripgrep: string | undefined;
  slices: Slices;
  /** Milliseconds; need not be the time of day. */
  now: () => number;
  maxTime?: number;
}

/** Searches a folder: with ripgrep where there is one, else in JavaScript; both find the same. */
export function createFolderSearch({
  compile,
  ripgrep,
  slices,
  now,
  maxTime = usualSearchTime,
}: SearchFolderParts): SearchFolder {
  return async (realRoot, isClosed, query, { signal }) => {
    const prepared = prepareSearch(query, compile);
    if (!prepared.ok) return prepared;
    const until = now() + maxTime;
    const isOver = (): boolean => now() > until;
    if (ripgrep !== undefined) {
      const parts = { realRoot, isClosed, program: ripgrep, maxTime, signal };
      const found = await ripgrepSearch(prepared.value, parts);
      if (found !== undefined) return found;
    }
    return walkSearch(prepared.value, { realRoot, isClosed, slices, signal, isOver });
  };
}

interface RipgrepParts {
  realRoot: string;
  isClosed: (real: string) => boolean;
  program: string;
  maxTime: number;
  signal: AbortSignal;
}

/** @returns undefined if ripgrep does not take the pattern, or cannot be run */
async function ripgrepSearch(
  search: PreparedSearch,
  { realRoot, isClosed, ...options }: RipgrepParts,
): Promise<WorkspaceResult<SearchResult> | undefined> {
  const best = new BestHits(search.maxHits + 1);
  const rules = createRuleCache(realRoot);
  const isWanted = (path: string): boolean => best.wants(path) && search.wants(path);
  const run = runRipgrep(search, { ...options, realRoot, isWanted });
  for (;;) {
    const step = await run.next();
    if (step.done === true) {
      if (step.value === "failed") return undefined;
      const hits = best.list();
      return succeed({
        hits: hits.slice(0, search.maxHits),
        hasMore: hits.length > search.maxHits,
        isCut: step.value === "cut",
        isPlain: search.isPlain,
      });
    }
    const hits = toHits(step.value, search);
    const { path } = step.value;
    if (hits.length === 0 || isClosed(join(realRoot, path))) continue;
    if (await rules.isShown(path)) best.add(path, hits);
  }
}

/** Each line is looked at once more by our own matcher, so that one rule says what is found. */
function toHits({ path, lines }: RipgrepFile, { fits }: PreparedSearch): SearchHit[] {
  return lines.flatMap(({ number, text }) => {
    const line = text.slice(0, maxSearchedLine);
    return fits(line) ? [{ file: path, line: number, content: showLine(line) }] : [];
  });
}

interface RuleCache {
  isShown(path: string): Promise<boolean>;
}

/** The rules of folders, read once for each search. */
function createRuleCache(realRoot: string): RuleCache {
  const known = new Map<string, Promise<IgnoreRules | undefined>>();
  return {
    async isShown(path) {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      let rules = known.get(folder);
      if (rules === undefined) known.set(folder, (rules = rulesInside(realRoot, folder)));
      const inside = await rules;
      return inside !== undefined && !isHidden(path, false, inside);
    },
  };
}
