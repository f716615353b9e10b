import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type PreparedSearch,
  findHits,
  maxSearchedFile,
  maxSearchedLine,
  type SearchedText,
  searchGroups,
} from "../../search/prepare-search.ts";
import type { SearchResult } from "../../workspace.ts";
import { isOpenAt } from "../open-file.node.ts";
import { systemCode } from "../../problems.ts";
import { detectEncoding } from "../text-encoding.node.ts";

/** Of a file that is too large to be searched, in bytes: that it has a hit is told. */
export const maxLookedAt = 256 * 1024 * 1024;
const pieceSize = 256 * 1024;
/** Files that are read at once. */
const filesAtOnce = 16;
/** Files whose names are looked at between two turns of the event loop. */
const filesOfTurn = 200;

export interface SearchParts {
  realRoot: string;
  signal: AbortSignal;
  /** Whether the time is over. */
  isOver: () => boolean;
}

/** Searches files in the order in which they come, and ends with enough hits. */
export function searchFiles(
  search: PreparedSearch,
  paths: AsyncIterable<string>,
  parts: SearchParts,
): Promise<SearchResult> {
  const { realRoot } = parts;
  return searchGroups(search, inGroups(paths, search), {
    ...parts,
    read: (path) => readSearched(join(realRoot, path)),
    hasHit: (path) => hasHit(join(realRoot, path), search, parts),
  });
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

/** Whether there is a hit in a file that is too large to be searched; it is read in pieces while there is time. */
async function hasHit(
  real: string,
  search: PreparedSearch,
  { signal, isOver }: SearchParts,
): Promise<boolean> {
  let line = "";
  const pieces = readPieces(real);
  for await (const piece of pieces) {
    signal.throwIfAborted();
    const text = line + piece;
    const end = text.lastIndexOf("\n") + 1;
    line = text.slice(end, end + maxSearchedLine);
    const found = findHits("", text.slice(0, end), search, 1);
    if (text.includes("\0") || isOver()) return false;
    if (found.length > 0) return true;
  }
  return findHits("", line, search, 1).length > 0;
}

/** The text of a file, as far as it can be read. */
async function* readPieces(real: string): AsyncGenerator<string, void, void> {
  try {
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const buffer = new Uint8Array(pieceSize);
      let decoder: TextDecoder | undefined;
      for (let offset = 0; offset < maxLookedAt;) {
        const { bytesRead } = await handle.read(buffer, 0, pieceSize, offset);
        if (bytesRead === 0) return;
        offset += bytesRead;
        const bytes = buffer.subarray(0, bytesRead);
        decoder ??= new TextDecoder(detectEncoding(bytes).encoding);
        yield decoder.decode(bytes, { stream: true });
      }
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
  }
}

/** @returns undefined for what is not searched: binary, not to be read, not a file any more */
async function readSearched(real: string): Promise<SearchedText | "too-large" | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || !(await isOpenAt(handle, real))) return undefined;
      if (stats.size > maxSearchedFile) return "too-large";
      const bytes = new Uint8Array(stats.size);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      const text = decodeSearched(bytes.subarray(0, bytesRead));
      return text === undefined ? undefined : { text };
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
  const hasMark = bytes[0] === 0xff || bytes[0] === 0xfe;
  // Without a mark, ripgrep takes UTF-16 for binary data.
  if (!hasMark && bytes.includes(0)) return undefined;
  const { encoding } = detectEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes("\0") ? undefined : text;
}
