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
  const folders = findFolders(files.map(({ name }) => name));
  return {
    locate(written) {
      const exact = pathOf(written);
      if (exact !== "" && has(exact) && !written.includes("..")) return succeed(exact);
      const isAbsolute = isAbsoluteName(written);
      if (isAbsolute && written.length === 1) return succeed("");
      const parsed = parseAbsolute(written);
      if (!parsed.ok) return refusePath("outside", written);
      const path = parsed.value;
      if (path === "" || has(path)) return parsed;
      const isNear = folderAbove(path, folders) !== undefined;
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
  const slashed = name.replace(fileScheme, "").replaceAll("\\", "/").replaceAll("\0", "");
  const segments = slashed.split("/");
  return segments
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..")
    .join("/");
}

const fileScheme = /^file:\/\//;
const drive = /^[a-z]:(?=[\\/])/i;

function isAbsoluteName(name: string): boolean {
  const path = name.replace(fileScheme, "");
  return /^[\\/](?![\\/])/.test(path) || drive.test(path);
}

/** The path below "/" of what a model has written: a drive stays as a first segment. */
function parseAbsolute(written: string): WorkspaceResult<string> {
  const path = written.replace(fileScheme, "");
  const [root = ""] = drive.exec(path) ?? [];
  const below = path.slice(root.length);
  const isAbsolute = isAbsoluteName(path) && below.length > 1;
  const parsed = parsePath(isAbsolute ? below.slice(1) : below, { roots: [], isWindows: false });
  return root === "" || !parsed.ok ? parsed : succeed(`${root}/${parsed.value}`);
}

/** How a client writes the paths of a folder that it names absolutely. */
interface NamedFolder {
  /** What stands before the path. */
  start: string;
  hasBackslashes: boolean;
}

type NamedFolders = ReadonlyMap<string, NamedFolder>;

/**
 * How the client names the file of a path: with its own root, drive and slashes. A new file is named as one
 * beside or above it is.
 */
export function createNaming(names: readonly string[]): (path: string) => string {
  const known = new Map(names.toReversed().map((name) => [pathOf(name), name]));
  const folders = findFolders(names);
  return (path) => {
    const name = known.get(path);
    if (name !== undefined) return name;
    const folder = folderAbove(path, folders);
    if (folder === undefined) return path;
    return folder.start + (folder.hasBackslashes ? path.replaceAll("/", "\\") : path);
  };
}

function findFolders(names: readonly string[]): NamedFolders {
  return new Map(names.flatMap(folderOfAbsolute));
}

function folderAbove(path: string, folders: NamedFolders): NamedFolder | undefined {
  for (const [folder, named] of folders) if (path.startsWith(`${folder}/`)) return named;
  return undefined;
}

function folderOfAbsolute(name: string): [string, NamedFolder][] {
  const path = pathOf(name);
  if (!isAbsoluteName(name) || !path.includes("/")) return [];
  const scheme = fileScheme.exec(name)?.[0] ?? "";
  const slash = /^[\\/]/.exec(name.slice(scheme.length))?.[0] ?? "";
  const hasBackslashes = name.includes("\\") && !name.includes("/");
  return [[path.slice(0, path.lastIndexOf("/")), { start: scheme + slash, hasBackslashes }]];
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
