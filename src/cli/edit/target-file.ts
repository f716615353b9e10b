import { type Stats, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { CliError } from "../cli-error.ts";

/** The file to edit, as it was when it was read. */
export interface TargetFile {
  /** As the person wrote it. */
  name: string;
  /** Where it really lies: links are followed, so that they stay links. */
  path: string;
  /** Undefined if there is no such file. */
  found: { bytes: Buffer; stats: Stats; text: string } | undefined;
}

/**
 * Reads the file to edit. Its text keeps a byte-order mark.
 *
 * @throws CliError if it is no file, cannot be read, or is no UTF-8 text
 */
export function readTargetFile(name: string): TargetFile {
  const path = findPath(name);
  if (path === undefined) return { name, path: name, found: undefined };
  // Reading from a pipe or a device might never end.
  const stats = statSync(path);
  if (stats.isDirectory()) throw new CliError(`${name} is a folder. Give the path of a file.`);
  if (!stats.isFile()) throw new CliError(`${name} is not a regular file.`);
  const bytes = readFileSync(path);
  const text = decodeWhole(bytes);
  if (text === undefined)
    throw new CliError(`${name} is a binary file or not in UTF-8. It was not changed.`);
  return { name, path, found: { bytes, stats, text } };
}

/** @returns undefined if there is no such file */
function findPath(name: string): string | undefined {
  try {
    return realpathSync(name);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
    throw new CliError(`${name} is a link that leads nowhere. Remove it, or edit what it is for.`, {
      cause,
    });
  }
}

/** @returns undefined if the bytes could not be written back as they are, or hold a NUL as binary files do */
function decodeWhole(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && Reflect.get(thrown, "code") === "ENOENT";
}
