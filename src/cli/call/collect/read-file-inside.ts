import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { isSecretPath } from "../../../workspace/paths/guarded-names.ts";
import { decodeFile } from "../../read/read-text-file.ts";

export type InsideProblem = "missing" | "outside" | "too-large" | "no-file" | "no-text";

export type InsideFile =
  | {
      ok: true;
      /** Absolute, without links. */
      path: string;
      content: string;
      /** Its own name, or that of a folder on its way, says that there may be secrets. */
      isSecret: boolean;
    }
  | { ok: false; problem: InsideProblem };

/**
 * Reads a text file that must be inside of a folder, even after all links are followed.
 *
 * @param path absolute, or from the folder
 * @param maxSize in bytes
 */
export async function readFileInside(
  folder: string,
  path: string,
  maxSize: number,
): Promise<InsideFile> {
  let real: string;
  try {
    real = await realpath(resolve(folder, path));
  } catch {
    return refuse(isInside(resolve(folder), resolve(folder, path)) ? "missing" : "outside");
  }
  const realFolder = await realpath(folder);
  if (!isInside(realFolder, real)) return refuse("outside");
  try {
    // A pipe would wait for a writer, and a link may have taken the file's place since.
    const handle = await open(
      real,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const found = await handle.stat();
      if (!found.isFile()) return refuse("no-file");
      if (found.size > maxSize) return refuse("too-large");
      const content = decodeFile(await handle.readFile());
      if (content === undefined) return refuse("no-text");
      const isSecret = isSecretPath(relative(realFolder, real).split(sep).join("/"));
      return { ok: true, path: real, content, isSecret };
    } finally {
      await handle.close();
    }
  } catch {
    return refuse("no-file");
  }
}

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function refuse(problem: InsideProblem): InsideFile {
  return { ok: false, problem };
}
