import { isUtf8 } from "node:buffer";
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
  yield* walk(root, [root], "");
}

/**
 * @param trail the real paths of the folders down to this one
 * @param prefix their names below the root, each with a `/` after it
 */
async function* walk(
  folder: string,
  trail: readonly string[],
  prefix: string,
): AsyncIterable<WalkedFile | WalkedProblem> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const fileName = `${prefix}${entry.name}`;
    try {
      const here = join(entry.parentPath, entry.name);
      const path = entry.isSymbolicLink() ? await realpath(here) : here;
      const facts = await stat(path, { bigint: true });
      const { ino, size, mtimeNs, ctimeNs } = facts;
      const version = [ino, size, mtimeNs, ctimeNs].join(":");
      if (isOutside(trail[0] ?? folder, path))
        yield { fileName, problem: "links out of the folder" };
      else if (facts.isFile()) yield { fileName, path, size: Number(size), version };
      else if (facts.isDirectory() && !trail.includes(path))
        yield* walk(path, [...trail, path], `${fileName}/`);
    } catch {
      // It is gone since it was listed, or not ours to read, or a link to nothing.
      yield { fileName, problem: "cannot be read" };
    }
  }
}

function isOutside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** In characters: data and minified code have longer lines; there is nothing in them to cite. */
const maxLine = 20_000;

/** Reads a file of text, or says why it is none. */
export async function readDocument(path: string): Promise<{ text: string } | { problem: string }> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return { problem: "cannot be read" };
  if (bytes.includes(0)) return { problem: "is binary" };
  if (!isUtf8(bytes)) return { problem: "is not UTF-8" };
  const text = new TextDecoder().decode(bytes);
  const hasLongLine = text.split("\n").some(({ length }) => length > maxLine);
  return hasLongLine ? { problem: "has a line of over 20,000 characters" } : { text };
}
