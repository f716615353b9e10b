import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Slices } from "../../../turn/slices.ts";
import { findHits } from "../../search/find-hits.ts";
import { maxSearchedFile, type PreparedSearch } from "../../search/prepare-search.ts";
import type { SearchHit, SearchResult } from "../../workspace.ts";
import { isOpenAt } from "../held-folder.node.ts";
import { systemCode } from "../system-problem.node.ts";
import { detectEncoding } from "../text-encoding.ts";

/** Files that are read at once. */
const filesAtOnce = 16;
/** Files whose names are looked at between two turns of the event loop. */
const filesOfTurn = 200;

export interface SearchParts {
  realRoot: string;
  slices: Slices;
  signal: AbortSignal;
  /** Whether the time is over. */
  isOver: () => boolean;
}

/** Searches files in the order in which they come, and ends with enough hits. */
export async function searchFiles(
  search: PreparedSearch,
  paths: AsyncIterable<string>,
  { realRoot, slices, signal, isOver }: SearchParts,
): Promise<SearchResult> {
  const most = search.maxHits + 1;
  const hits: SearchHit[] = [];
  let isCut = false;
  for await (const group of inGroups(paths, search)) {
    signal.throwIfAborted();
    const texts = await Promise.all(group.map((path) => readSearched(join(realRoot, path))));
    for (const [nth, path] of group.entries()) {
      const text = texts[nth];
      if (text === undefined || hits.length >= most) continue;
      const found = findHits(path, text, search, most - hits.length);
      hits.push(...(await slices.run("search", found, signal)));
    }
    isCut = hits.length < most && isOver();
    if (hits.length >= most || isCut) break;
  }
  return {
    hits: hits.slice(0, search.maxHits),
    hasMore: hits.length > search.maxHits,
    isCut,
    isPlain: search.isPlain,
  };
}

/** Some files at a time. A group may be empty: so the time is looked at where few files are wanted, too. */
async function* inGroups(
  paths: AsyncIterable<string>,
  { wants }: PreparedSearch,
): AsyncGenerator<string[], void, void> {
  let group: string[] = [];
  let seen = 0;
  for await (const path of paths) {
    seen += 1;
    if (wants(path)) group.push(path);
    // Where no file is wanted, nothing else would let the event loop turn.
    if (seen % filesOfTurn === 0) await setImmediate();
    if (group.length < filesAtOnce && seen % filesOfTurn !== 0) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** @returns undefined for what is not searched: too large, binary, not to be read, not a file any more */
async function readSearched(real: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > maxSearchedFile) return undefined;
      if (!(await isOpenAt(handle, real))) return undefined;
      const bytes = new Uint8Array(stats.size);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return decodeSearched(bytes.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
    return undefined;
  }
}

/** Text in an unknown encoding is searched as far as it is ASCII. */
function decodeSearched(bytes: Uint8Array): string | undefined {
  const { encoding } = detectEncoding(bytes);
  if (encoding === "utf-8" && bytes.includes(0)) return undefined;
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes("\0") ? undefined : text;
}
