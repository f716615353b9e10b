import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { comparePaths } from "../../../code/file-map.ts";
import { succeed, systemCode } from "../../problems.ts";
import {
  type IgnoreRules,
  type SearchedFolder,
  createIgnoreRules,
  isHidden,
  rulesInside,
  rulesOfFolder,
} from "../folder-rules.node.ts";
import {
  type CompilePattern,
  type PreparedSearch,
  type SearchParts,
  findHits,
  maxSearchedLine,
  prepareSearch,
  searchPaths,
} from "../../search/prepare-search.ts";
import type { SearchFolder } from "../directory-workspace.node.ts";
import { maxLookedAt, runRipgrep } from "./ripgrep.node.ts";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { readPieces, readWhole, withFile, withFolder } from "../open-file.node.ts";
import type { SearchResult } from "../../workspace.ts";
import type { Place } from "../resolve-path.node.ts";
import { detectEncoding } from "../text-encoding.node.ts";

/** How long a search may take, in milliseconds; then it ends with what was found so far. */
export const usualSearchTime = 2_500;
/** Of that, the share in which ripgrep looks for files; in the rest their lines are read. */
const shareOfRipgrep = 0.8;

export interface SearchFolderParts {
  compile: CompilePattern;
  /** The path of ripgrep; undefined: the files are walked in JavaScript. */
  ripgrep: string | undefined;
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
  now,
  maxTime = usualSearchTime,
}: SearchFolderParts): SearchFolder {
  return async (folder, query, { signal }) => {
    const prepared = prepareSearch(query, compile);
    if (!prepared.ok) return prepared;
    const { value: search } = prepared;
    const until = now() + maxTime;
    const parts = { ...folder, signal, isOver: () => now() > until };
    const { realRoot } = folder;
    // It reads none of those above the root.
    const { isReadOtherwise } = await rulesOfFolder(realRoot, "", createIgnoreRules());
    const options = { realRoot, isReadOtherwise, maxTime: maxTime * shareOfRipgrep, signal };
    const found =
      ripgrep === undefined
        ? undefined
        : await runRipgrep(search, { ...options, program: ripgrep });
    if (found === undefined) return succeed(await searchFiles(search, walkFiles(parts), parts));
    const paths = found.paths.toSorted();
    const shown = keepShown(paths.filter(search.wants), folder, signal);
    const result = await searchFiles(search, shown, parts);
    return succeed({ ...result, isCut: result.isCut || found.isCut });
  };
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
  const known = new Map<string, IgnoreRules | undefined>();
  for (const [nth, path] of paths.entries()) {
    if (nth % pathsInOneGo === pathsInOneGo - 1) {
      await setImmediate();
      signal.throwIfAborted();
    }
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (!known.has(folder)) known.set(folder, await rulesInside(root, folder));
    const rules = known.get(folder);
    if (rules === undefined || isHidden(path, false, rules)) continue;
    if (!isClosed(join(realRoot, path))) yield path;
  }
}

/** Entries whose names are looked at between two turns of the event loop. */
const entriesOfTurn = 10;

/** Where the time is over no further folder or file is looked into. */
type FolderParts = Pick<SearchParts, "signal" | "isOver"> & Pick<SearchedFolder, "realRoot">;
type WalkParts = SearchedFolder & FolderParts;

/**
 * The paths of the files below a root that may be seen, in their order as texts. Links are passed over, as are
 * folders that cannot be read.
 */
export async function* walkFiles(
  parts: WalkParts,
  folder = "",
  above = parts.outer,
): AsyncGenerator<string, void, void> {
  const { realRoot, isClosed, signal, isOver } = parts;
  signal.throwIfAborted();
  const real = join(realRoot, folder);
  if (isOver() || isClosed(real)) return;
  const entries = await listNames(real);
  const rules = await rulesOfFolder(realRoot, folder, above);
  // A folder's place among its neighbours is that of the paths in it.
  const sorted = entries.toSorted((one, other) =>
    comparePaths(nameInOrder(one), nameInOrder(other)),
  );
  for (const [nth, entry] of sorted.entries()) {
    // Where all are ignored nothing else would let the event loop turn, and rules may be slow to look at.
    if (nth % entriesOfTurn === 0) await setImmediate();
    signal.throwIfAborted();
    if (isOver()) return;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isHidden(path, entry.isDirectory(), rules)) continue;
    if (entry.isFile() && !isClosed(join(realRoot, path))) yield path;
    else if (entry.isDirectory()) yield* walkFiles(parts, path, rules);
  }
}

async function listNames(real: string): Promise<Dirent[]> {
  try {
    return await withFolder(real, (folder) => readdir(folder.at("."), { withFileTypes: true }));
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
    return [];
  }
}

function nameInOrder(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

/** Searches files in the order in which they come, and ends with enough hits. */
export function searchFiles(
  search: PreparedSearch,
  paths: AsyncIterable<string>,
  parts: FolderParts,
): Promise<SearchResult> {
  const placeOf = (path: string) => ({ path, real: join(parts.realRoot, path) });
  return searchPaths(search, paths, {
    ...parts,
    async read(path) {
      const read = await readWhole(placeOf(path));
      if (!read.ok) return undefined;
      if (read.value === undefined) return "too-large";
      const text = decodeSearched(read.value.bytes);
      return text === undefined ? undefined : { text };
    },
    hasHit: (path) => hasHit(placeOf(path), search, parts),
  });
}

/** Whether there is a hit in a file that is too large to be searched; it is read in pieces while there is time. */
async function hasHit(
  place: Pick<Place, "path" | "real">,
  search: PreparedSearch,
  { signal, isOver }: FolderParts,
): Promise<boolean> {
  const looked = await withFile(place, async (file) => {
    let line = "";
    let decoder: TextDecoder | undefined;
    for await (const bytes of readPieces(file, maxLookedAt)) {
      signal.throwIfAborted();
      decoder ??= new TextDecoder(detectEncoding(bytes).encoding);
      const text = line + decoder.decode(bytes, { stream: true });
      const end = text.lastIndexOf("\n") + 1;
      line = text.slice(end, end + maxSearchedLine);
      const found = findHits("", text.slice(0, end), search, 1);
      if (text.includes("\0") || isOver()) return succeed(false);
      if (found.length > 0) return succeed(true);
    }
    return succeed(findHits("", line, search, 1).length > 0);
  });
  signal.throwIfAborted();
  return looked.ok && looked.value;
}

/** Text in an unknown encoding is searched as far as it is ASCII. */
function decodeSearched(bytes: Uint8Array): string | undefined {
  const hasMark = bytes[0] === 0xff || bytes[0] === 0xfe;
  // Without a mark, ripgrep takes UTF-16 for binary data.
  if (!hasMark && bytes.includes(0)) return undefined;
  const { encoding } = detectEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes("\0") ? undefined : text;
}
