import { isPause, type Steps } from "../../edit/steps.ts";
import type { Slices } from "../../turn/slices.ts";
import { isGitData, isSecretPath } from "../paths/guarded-names.ts";
import { succeed } from "../problems.ts";
import { findHits } from "../search/find-hits.ts";
import { nameTooLarge, type PreparedSearch } from "../search/prepare-search.ts";
import type { SearchHit, SearchResult, WorkspaceResult } from "../workspace.ts";
import type { FileSource, ListedFile } from "./file-source.ts";

/** Files that are asked for at once, and files, characters and milliseconds of one search. */
const filesAtOnce = 16;
const maxFiles = 2_000;
const maxCharacters = 16 * 1024 * 1024;
const maxTime = 10_000;

interface SearchParts {
  slices: Slices;
  signal: AbortSignal;
  /** Milliseconds; need not be the time of day. */
  now: () => number;
}

/** Looks through the files of a source in their order, until there are enough hits or a limit is reached. */
export async function searchSource(
  search: PreparedSearch,
  source: FileSource,
  { slices, signal, now }: SearchParts,
): Promise<WorkspaceResult<SearchResult>> {
  const until = now() + maxTime;
  const listed = await source.list("", signal);
  const paths = await slices.run("search", choosePaths(listed.files, search), signal);
  const most = search.maxHits + 1;
  const hits: SearchHit[] = [];
  const tooLarge: string[] = [];
  let isCut = listed.isCut;
  let left = maxCharacters;
  for (let nth = 0; nth < paths.length && hits.length < most; nth += filesAtOnce) {
    if (nth >= maxFiles || left <= 0 || now() > until) {
      isCut = true;
      break;
    }
    const group = paths.slice(nth, nth + filesAtOnce);
    const all = await Promise.all(group.map((path) => source.find(path, signal)));
    for (const [at, found] of all.entries()) {
      if (!found.ok && found.problem.code === "too-large") tooLarge.push(group[at] ?? "");
      if (!found.ok || found.value === undefined || hits.length >= most) continue;
      const { path, text, startLine } = found.value;
      left -= text.length;
      const steps = findHits(path, text, search, most - hits.length);
      const inFile = await slices.run("search", steps, signal);
      hits.push(...inFile.map((hit) => ({ ...hit, line: hit.line + startLine - 1 })));
    }
  }
  return succeed({
    hits: hits.slice(0, search.maxHits),
    hasMore: hits.length > search.maxHits,
    isCut: isCut && hits.length <= search.maxHits,
    isPlain: search.isPlain,
    ...nameTooLarge(tooLarge),
  });
}

function* choosePaths(files: readonly ListedFile[], { wants }: PreparedSearch): Steps<string[]> {
  const paths: string[] = [];
  for (const [nth, { path }] of files.entries()) {
    if (isShown(path) && wants(path)) paths.push(path);
    if (isPause(nth)) yield;
  }
  return paths.sort();
}

/** Whether a file is listed and searched unasked. */
export function isShown(path: string): boolean {
  return !isSecretPath(path) && !isGitData(path);
}
