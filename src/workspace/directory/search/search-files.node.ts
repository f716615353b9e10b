import { join } from "node:path";
import {
  type PreparedSearch,
  findHits,
  maxSearchedLine,
  searchPaths,
} from "../../search/prepare-search.ts";
import { succeed } from "../../problems.ts";
import type { SearchResult } from "../../workspace.ts";
import { readPieces, readWhole, withFile } from "../open-file.node.ts";
import type { Place } from "../resolve-path.node.ts";
import { detectEncoding } from "../text-encoding.node.ts";

/** Of a file that is too large to be searched, in bytes: that it has a hit is told. */
export const maxLookedAt = 256 * 1024 * 1024;

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
  { signal, isOver }: SearchParts,
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
