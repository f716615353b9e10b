import { type Stats, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { decodeText, type EncodingOfText } from "../../workspace/directory/text-encoding.node.ts";
import { CliError } from "../cli-error.ts";

/** The file to edit, as it was when it was read. */
export interface TargetFile {
  /** As the person wrote it. */
  name: string;
  /** Where it really lies: links are followed, so that they stay links. */
  path: string;
  /** Undefined if there is no such file. */
  found: { bytes: Buffer; stats: Stats; text: string; encoding: EncodingOfText } | undefined;
}

/**
 * Reads the file to edit. Its text keeps a byte-order mark.
 *
 * @throws CliError if it is no file, cannot be read, or is not text in a known encoding
 */
export function readTargetFile(name: string): TargetFile {
  const path = findPath(name);
  if (path === undefined) return { name, path: name, found: undefined };
  // Reading from a pipe or a device might never end.
  const stats = statSync(path);
  if (stats.isDirectory()) throw new CliError(`${name} is a folder. Give the path of a file.`);
  if (!stats.isFile()) throw new CliError(`${name} is not a regular file.`);
  const bytes = readFileSync(path);
  const decoded = decodeText(bytes);
  if (decoded === undefined)
    throw new CliError(`${name} is a binary file or not in UTF-8. It was not changed.`);
  const { bom, encoding } = decoded;
  const text = (bom ? "\ufeff" : "") + decoded.text;
  return { name, path, found: { bytes, stats, text, encoding: { encoding, bom: false } } };
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

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && Reflect.get(thrown, "code") === "ENOENT";
}
