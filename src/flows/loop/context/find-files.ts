// The files of a workspace, and which of them hold what a request says.
import { comparePaths } from "../../../code/file-map.ts";
import type { Workspace, WorkspaceEntry } from "../../../workspace/workspace.ts";
import type { RequestTerms } from "./request-terms.ts";
import { isCode } from "./weigh-files.ts";

export interface ListedFile {
  path: string;
  /** In bytes; undefined where the workspace does not say. */
  size: number | undefined;
}

/** Of a larger repository the files that are nearest to its root. */
const [maxFiles, maxFolders] = [10_000, 3_000];
/** What others have written, and what programs write. */
const foreign: ReadonlySet<string> = new Set([".git", "node_modules", "__pycache__", ".venv"]);

/** The files of a workspace, folder by folder from its root. What cannot be listed is left out. */
export async function listFiles(workspace: Workspace, signal: AbortSignal): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const folders = [""];
  const take = (folder: string, entries: readonly WorkspaceEntry[]): void => {
    const sorted = entries.toSorted((one, other) => comparePaths(one.name, other.name));
    for (const { name, kind, size, inside } of sorted) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "file" && files.length < maxFiles) files.push({ path, size });
      if (kind !== "folder" || foreign.has(name)) continue;
      // What was cut there is listed on its own.
      if (inside?.more === 0) take(path, inside.entries);
      else folders.push(path);
    }
  };
  for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
    if (files.length >= maxFiles) break;
    signal.throwIfAborted();
    const folder = folders[at] ?? "";
    const options = { maxEntries: maxFiles, depth: 1, signal };
    const listed = await workspace.list(folder === "" ? "." : folder, options);
    if (listed.ok) take(folder, listed.value.entries);
  }
  return files;
}

/** Words that are looked for in texts before any is read; a shorter one is everywhere. */
const [maxSearched, leastSearched] = [10, 4];
/** A text on more lines than this is common; more we need not know about it. */
const maxHits = 200;

/** The files with a line that fits an expression, and whether there are more; none where it cannot be searched. */
async function search(
  workspace: Workspace,
  query: string,
  signal: AbortSignal,
  isCaseSensitive: boolean,
): Promise<{ files: ReadonlySet<string>; hasMore: boolean }> {
  const asked = { query, isCaseSensitive, include: [], exclude: [], maxHits };
  const result = await workspace.search(asked, { signal });
  const { hits, hasMore } = result.ok ? result.value : { hits: [], hasMore: false };
  return { files: new Set(hits.map(({ file }) => file)), hasMore };
}

/** The files that hold the texts, by text; of none that is common. */
export async function searchTexts(
  workspace: Workspace,
  texts: Iterable<string>,
  signal: AbortSignal,
  isCaseSensitive = true,
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const query = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const { files, hasMore } = await search(workspace, query, signal, isCaseSensitive);
    if (!hasMore) found.set(text, files);
  }
  return found;
}

/** The files that hold the first words of a request, by stem: for a repository of which not all is read. */
export function searchWords(
  workspace: Workspace,
  { words }: RequestTerms,
  signal: AbortSignal,
): Promise<Map<string, ReadonlySet<string>>> {
  const long = [...words.keys()].filter((stem) => stem.length >= leastSearched);
  return searchTexts(workspace, long.slice(0, maxSearched), signal, false);
}

/**
 * The files with a line that may define what a request names, in most languages: a name after another word, or at
 * the beginning of a line, and before what opens its parameters, value or body.
 */
export async function searchDefiners(
  workspace: Workspace,
  { names, spoken }: RequestTerms,
  signal: AbortSignal,
): Promise<string[]> {
  const plain = [...spoken].flatMap(([name, isCommon]) => (isCommon ? [] : [name]));
  const wanted = [...names.flatMap(({ path }) => path.at(-1) ?? []), ...plain];
  const words = [...new Set(wanted)].filter((name) => /^\w+$/.test(name)).slice(0, maxSearched);
  if (words.length === 0) return [];
  const query = `(?:^\\s*|[\\w>\\])*&]\\s+[*&]*)(?:${words.join("|")})\\s*(?:[(<=:{]|$|extends\\b|implements\\b)`;
  const { files } = await search(workspace, query, signal, true);
  return [...files].filter(isCode);
}
