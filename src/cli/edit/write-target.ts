import {
  type Stats,
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
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

/** @throws CliError if the file is read-only, was changed, or its encoding lacks a character */
export function prepareWrite(target: TargetFile, text: string): PreparedWrite {
  const { name, path, found } = target;
  if (found !== undefined && isReadOnly(path, found.stats))
    throw new CliError(
      `${name} is read-only. Make it writable first (chmod u+w). Nothing was written.`,
    );
  const bytes = encodeFor(target, text);
  assertAsRead(target);
  return { bytes, draft: `.rightseat-${crypto.randomUUID()}.tmp` };
}

/**
 * Replaces the file with this text, or creates it and the folders above it: whoever reads the file sees
 * the old text or the new one, also after a crash. Mode and, where allowed, owner stay.
 *
 * @throws CliError if the file is read-only or is not what was read any more; then it is left as it is
 */
export function writeTarget(
  target: TargetFile,
  text: string,
  prepared: PreparedWrite = prepareWrite(target, text),
): void {
  const { path, found } = target;
  const folder = dirname(path);
  if (found === undefined) mkdirSync(folder, { recursive: true });
  // In the same folder, since only within one file system a rename replaces in one step.
  const draft = join(folder, prepared.draft);
  try {
    writeDurably(draft, prepared.bytes, found?.stats);
    assertAsRead(target);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The superuser may write everything, but what is marked as read-only is not to be edited. */
function isReadOnly(path: string, { mode }: Stats): boolean {
  if ((mode & 0o222) === 0) return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (thrown) {
    // One that has gone in the meantime is found out later.
    return !(thrown instanceof Error && Reflect.get(thrown, "code") === "ENOENT");
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

function writeDurably(path: string, bytes: Uint8Array, like: Stats | undefined): void {
  // Until it has the mode of the file that it replaces, nobody else may open it.
  const file = openSync(path, "wx", like === undefined ? 0o666 : 0o600);
  try {
    if (like !== undefined) keepOwnerAndMode(file, like);
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Only the superuser may give files away. Bits that lend out an owner's rights stay with the owner. */
function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file);
  let isOwned = own.uid === uid && own.gid === gid;
  if (!isOwned) {
    try {
      fchownSync(file, uid, gid);
      isOwned = true;
    } catch {
      // The edit counts more than the owner.
    }
  }
  fchmodSync(file, mode & (isOwned ? 0o7777 : 0o777));
}

/** @throws CliError */
function assertAsRead({ name, path, found }: TargetFile): void {
  const isThere = existsSync(path);
  if (found === undefined ? !isThere : isThere && readFileSync(path).equals(found.bytes)) return;
  throw new CliError(
    `${name} was changed by somebody else in the meantime. Nothing was written; read it again and repeat the edit.`,
  );
}

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
