import {
  type BigIntStats,
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { StaleFileError } from "../../workspace/directory/open-file.node.ts";
import {
  createFolders,
  findMissingFolders,
  putFile,
} from "../../workspace/directory/put-file.node.ts";
import {
  type EncodingOfText,
  decodeText,
  encodeText,
} from "../../workspace/directory/text-encoding.node.ts";
import { CliError } from "../cli-error.ts";

/** What is written: the bytes, and the name of the draft that becomes the file. */
export interface PreparedWrite {
  bytes: Uint8Array<ArrayBuffer>;
  draft: string;
}

/** @throws CliError if the file is read-only, has come since, or its encoding lacks a character */
export function prepareWrite(target: TargetFile, text: string): PreparedWrite {
  const { name, path, found } = target;
  if (found !== undefined && isReadOnly(path, found.stats))
    throw new CliError(
      `${name} is read-only. Make it writable first (chmod u+w). Nothing was written.`,
    );
  if (found === undefined && existsSync(path)) throw changedSince(name);
  return { bytes: encodeFor(target, text), draft: `.rightseat-${crypto.randomUUID()}.tmp` };
}

/**
 * Replaces the file with this text, or creates it and the folders above it, as a workspace does: in one step.
 *
 * @throws CliError if the file is read-only or is not what was read any more; then it is left as it is
 */
export async function writeTarget(
  target: TargetFile,
  text: string,
  { bytes, draft }: PreparedWrite = prepareWrite(target, text),
): Promise<void> {
  const { name, path, found } = target;
  try {
    const real = found === undefined ? placeOfNew(path) : path;
    await createFolders(await findMissingFolders(real));
    await putFile(real, bytes, { draft, replaced: found?.stats });
  } catch (cause) {
    const isGone = found !== undefined && isMissing(cause);
    throw isGone || cause instanceof StaleFileError ? changedSince(name, cause) : cause;
  }
}

/** Without links, as far as it is there. */
function placeOfNew(path: string): string {
  const whole = resolve(path);
  let folder = dirname(whole);
  while (!existsSync(folder)) folder = dirname(folder);
  return join(realpathSync(folder), relative(folder, whole));
}

/** The superuser may write everything, but what is marked as read-only is not to be edited. */
function isReadOnly(path: string, { mode }: BigIntStats): boolean {
  if ((mode & 0o222n) === 0n) return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (thrown) {
    // One that has gone in the meantime is found out later.
    return !isMissing(thrown);
  }
}

/** @throws CliError that names the character which the encoding of the file lacks */
function encodeFor({ name, found }: TargetFile, text: string): Uint8Array<ArrayBuffer> {
  if (found === undefined) return Buffer.from(text);
  const encoded = encodeText(text, found.encoding);
  if (encoded.ok) return encoded.bytes;
  const { encoding } = found.encoding;
  throw new CliError(
    encoded.character === undefined
      ? `${name} would not be read again as ${encoding}, its encoding. Nothing was written.`
      : `${name} is in ${encoding}, which has no character ${JSON.stringify(encoded.character)}. Nothing was written.`,
  );
}

function changedSince(name: string, cause?: unknown): CliError {
  return new CliError(
    `${name} was changed by somebody else in the meantime. Nothing was written; read it again and repeat the edit.`,
    { cause },
  );
}

/** The file to edit, as it was when it was read. */
export interface TargetFile {
  /** As the person wrote it. */
  name: string;
  /** Where it really lies: links are followed, so that they stay links. */
  path: string;
  /** Undefined if there is no such file. */
  found:
    | { bytes: Buffer<ArrayBuffer>; stats: BigIntStats; text: string; encoding: EncodingOfText }
    | undefined;
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
  const stats = statSync(path, { bigint: true });
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
