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
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { encodeText } from "../../workspace/directory/text-encoding.node.ts";
import { CliError } from "../cli-error.ts";
import type { TargetFile } from "./target-file.ts";

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
