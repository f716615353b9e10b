import { parsePath } from "../paths/parse-path.ts";
import { refusePath, succeed } from "../problems.ts";
import { type HeldFile, holdText } from "../source/held-file.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { MemoryFile } from "./files-of-context.ts";

/** Finds the held file that a path means, or says where a new one would be. */
export interface PathBook {
  locate(written: string): WorkspaceResult<string>;
}

/** Gives each file its path: relative, with "/". Of two with one name, the later gets another. */
export async function holdFiles(files: readonly MemoryFile[]): Promise<HeldFile[]> {
  const held = new Map<string, HeldFile>();
  for (const { name, text, startLine, isPart } of files) {
    const path = freePath(pathOf(name), startLine, held);
    if (path === undefined) continue;
    held.set(path, { ...(await holdText(path, text)), startLine, isPart });
  }
  return [...held.values()];
}

/** @param has whether there is a file at a path */
export function createPathBook(
  files: readonly MemoryFile[],
  paths: () => Iterable<string>,
  has: (path: string) => boolean,
): PathBook {
  const folders = files.flatMap(({ name }) => folderOfAbsolute(name));
  return {
    locate(written) {
      const exact = pathOf(written);
      if (exact !== "" && has(exact) && !written.includes("..")) return succeed(exact);
      const isAbsolute = /^[\\/](?![\\/])/.test(written);
      if (isAbsolute && written.length === 1) return succeed("");
      const parsed = parsePath(isAbsolute ? written.slice(1) : written, {
        roots: [],
        isWindows: false,
      });
      if (!parsed.ok) return refusePath("outside", written);
      const path = parsed.value;
      if (path === "" || has(path)) return parsed;
      const isNear = folders.some((folder) => path.startsWith(`${folder}/`));
      // What the client names by its absolute path lies somewhere on its disk, of which only that place is known.
      if (isAbsolute)
        return isNear || isFolder(path, paths()) ? parsed : refusePath("outside", written);
      const ends = [...paths()].filter((known) => known.endsWith(`/${path}`));
      return ends.length === 1 && ends[0] !== undefined ? succeed(ends[0]) : parsed;
    },
  };
}

function isFolder(path: string, known: Iterable<string>): boolean {
  for (const other of known) if (other.startsWith(`${path}/`)) return true;
  return false;
}

/** A client's name for a file as a path below "/": drives stay as a first segment, "." and ".." go. */
function pathOf(name: string): string {
  const slashed = name
    .replace(/^file:\/\//, "")
    .replaceAll("\\", "/")
    .replaceAll("\0", "");
  const segments = slashed.split("/");
  return segments
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..")
    .join("/");
}

function folderOfAbsolute(name: string): string[] {
  if (!/^(?:file:\/\/)?[\\/]/.test(name)) return [];
  const path = pathOf(name);
  return path.includes("/") ? [path.slice(0, path.lastIndexOf("/"))] : [];
}

/** A path that no other file has; undefined where a name says nothing, or too many share it. */
function freePath(
  path: string,
  startLine: number,
  held: ReadonlyMap<string, HeldFile>,
): string | undefined {
  if (path === "") return undefined;
  const tries = [path, `${path}#L${startLine}`];
  for (let nth = 2; nth <= maxSameName; nth += 1) tries.push(`${path}#L${startLine}-${nth}`);
  return tries.find((name) => !held.has(name));
}

/** Passages of one name that begin on one line. */
const maxSameName = 20;
