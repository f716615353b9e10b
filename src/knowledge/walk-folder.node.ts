import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { readFile, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

export interface WalkedFile {
  /** The path below the folder, with `/`. */
  fileName: string;
  path: string;
  size: number;
  /** Another one whenever the file was changed or replaced. */
  version: string;
}

export interface WalkedProblem {
  fileName: string;
  problem: string;
}

/**
 * Lists the files of a folder in the order of their names, hidden ones and node_modules left out.
 * Links are followed, but neither out of the folder nor in circles.
 *
 * @throws the error of the file system if the folder itself cannot be read
 */
export async function* walkFolder(folder: string): AsyncIterable<WalkedFile | WalkedProblem> {
  const root = await realpath(folder);
  yield* walk({ root, prefix: "", trail: [root] }, await list(root));
}

interface Place {
  root: string;
  /** The names of the folders down to here, each with a `/` after it. */
  prefix: string;
  /** The real paths of the folders down to here. */
  trail: readonly string[];
}

async function* walk(
  { root, prefix, trail }: Place,
  entries: readonly Dirent[],
): AsyncIterable<WalkedFile | WalkedProblem> {
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const fileName = `${prefix}${entry.name}`;
    try {
      const here = join(entry.parentPath, entry.name);
      const path = entry.isSymbolicLink() ? await realpath(here) : here;
      const facts = await stat(path, { bigint: true });
      const { ino, size, mtimeNs, ctimeNs } = facts;
      const version = [ino, size, mtimeNs, ctimeNs].join(":");
      if (isOutside(root, path)) yield { fileName, problem: "links out of the folder" };
      else if (facts.isFile()) yield { fileName, path, size: Number(size), version };
      else if (facts.isDirectory() && !trail.includes(path))
        yield* walk({ root, prefix: `${fileName}/`, trail: [...trail, path] }, await list(path));
    } catch {
      // It is gone since it was listed, or not ours to read, or a link to nothing.
      yield { fileName, problem: "cannot be read" };
    }
  }
}

async function list(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function isOutside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** In characters: data and minified code have longer lines; there is nothing in them to cite. */
const maxLine = 20_000;

/** Reads a file of text, or says why it is none. */
export async function readDocument(path: string): Promise<{ text: string } | { problem: string }> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch {
    return { problem: "cannot be read" };
  }
  if (bytes.includes(0)) return { problem: "is binary" };
  if (!isUtf8(bytes)) return { problem: "is not UTF-8" };
  const text = new TextDecoder().decode(bytes);
  return hasLongLine(text) ? { problem: "has a line of over 20,000 characters" } : { text };
}

function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start > maxLine;) {
    const end = text.lastIndexOf("\n", start + maxLine);
    if (end < start) return true;
    start = end + 1;
  }
  return false;
}
