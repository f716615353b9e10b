import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { hashBytes } from "../hash-bytes.ts";
import { isProtected } from "../paths/guarded-names.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";
import type { FileChange, WorkspaceResult } from "../workspace.ts";
import { refuseBinary } from "./binary-kind.ts";
import { findMissingFolders } from "./missing-folders.node.ts";
import { maxWholeFile, readWhole, type WholeFile } from "./open-file.node.ts";
import type { Place, ResolvePath } from "./resolve-path.node.ts";
import { refuseSystem } from "./system-problem.node.ts";
import { decodeText, encodeText, type EncodingOfText } from "./text-encoding.node.ts";

/** A change that can be made as things are. */
export interface ReadyChange {
  change: FileChange;
  place: Place;
  /** The file as it is; undefined if it does not exist. */
  old: WholeFile | undefined;
  /** The new bytes, in the encoding of the file; undefined: it goes. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  /** Folders that have to be created first, absolute, the highest first. */
  folders: string[];
}

/** Looks whether a change can be made: its path, its names, the file as it is, the permissions. Writes nothing. */
export async function checkChange(
  change: FileChange,
  resolve: ResolvePath,
  namesOf: (place: Place) => Promise<readonly string[]> = ownNames,
): Promise<WorkspaceResult<ReadyChange>> {
  const located = await resolve(change.path);
  if (!located.ok) return located;
  const place = located.value;
  const { path, isThere } = place;
  if (path === "") return refusePath("outside", change.path);
  if ((await namesOf(place)).some(isProtected)) return refusePath("protected", path);
  if (change.before === undefined && isThere) return refusePath("exists", path);
  if (change.before !== undefined && !isThere) return refusePath("not-found", path);
  const old = await readOld(place, change.before);
  if (!old.ok) return old;
  const bytes = encodeNew(path, change.after, old.value?.encoding);
  if (!bytes.ok) return bytes;
  const replaced = bytes.value === undefined ? undefined : old.value;
  // The superuser could write it all the same, and the owner of the folder could replace it.
  if (replaced !== undefined && (replaced.file.stats.mode & 0o222n) === 0n)
    return refusePath("no-permission", path);
  const permission = await findObstacle(place, replaced !== undefined);
  if (permission !== undefined) return permission;
  try {
    const folders = isThere ? [] : await findMissingFolders(place.real);
    const ready = {
      change: { ...change, path },
      place,
      old: old.value?.file,
      bytes: bytes.value,
      folders,
    };
    return succeed(ready);
  } catch (thrown) {
    return refuseSystem(thrown, path);
  }
}

function ownNames({ path, written }: Place): Promise<readonly string[]> {
  return Promise.resolve([path, written]);
}

async function readOld(
  place: Place,
  before: FileChange["before"],
): Promise<WorkspaceResult<{ file: WholeFile; encoding: EncodingOfText } | undefined>> {
  if (before === undefined) return succeed(undefined);
  const { path } = place;
  const read = await readWhole(place);
  if (!read.ok) return read;
  // Larger files are read in parts only.
  if (read.value === undefined) return refusePath("read-only", path);
  const file = read.value;
  const decoded = decodeText(file.bytes);
  if (decoded === undefined) return refuseBinary(path, file.bytes, file.bytes.length);
  const isSame = decoded.text === before.text && (await hashBytes(file.bytes)) === before.hash;
  return isSame ? succeed({ file, encoding: decoded }) : refusePath("stale", path);
}

const usualEncoding: EncodingOfText = { encoding: "utf-8", bom: false };

function encodeNew(
  path: string,
  after: string | undefined,
  encoding = usualEncoding,
): WorkspaceResult<Uint8Array<ArrayBuffer> | undefined> {
  if (after === undefined) return succeed(undefined);
  // A half of a character, and a NUL, would not come back as they are.
  if (!after.isWellFormed() || after.includes("\0")) return refuseText(path);
  const encoded = encodeText(after, encoding);
  if (!encoded.ok) return refuseCharacter(path, encoding.encoding, encoded.character);
  return encoded.bytes.length > maxWholeFile ? refuseLargeText(path) : succeed(encoded.bytes);
}

/** Why the system does not let us write there. */
async function findObstacle(
  { path, real, isThere }: Place,
  isReplaced: boolean,
): Promise<ReturnType<typeof refusePath> | undefined> {
  const missing = isThere ? [] : await findMissingFolders(real).catch(() => []);
  const folder = dirname(missing[0] ?? real);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    if (isReplaced) await access(real, constants.W_OK);
    return undefined;
  } catch (thrown) {
    return refuseSystem(thrown, path);
  }
}

function refuseText(path: string): ReturnType<typeof refuse> {
  const name = quotePath(path);
  return refuse(
    "failed",
    `The new text of ${name} holds a NUL or half of a character, which cannot be written as text.`,
    `${name} 的新内容包含 NUL 或不完整的字符，无法作为文本写入。`,
  );
}

/** @param character that the encoding lacks; undefined: what is left would be read in another encoding */
function refuseCharacter(
  path: string,
  encoding: string,
  character: string | undefined,
): ReturnType<typeof refuse> {
  const name = quotePath(path);
  if (character === undefined)
    return refuse(
      "failed",
      `The new text of ${name} has too little text left to be read again as ${encoding}, the encoding of the file. Nothing was written.`,
      `${name} 的新内容中剩余的文字过少，之后无法再识别为该文件的编码 ${encoding}。未写入任何内容。`,
    );
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return refuse(
    "failed",
    `${name} is in ${encoding}, which has no character ${JSON.stringify(character)} (${code}). Nothing was written. Write the text without it, or with an escape of the language.`,
    `${name} 使用 ${encoding} 编码，其中没有字符 ${JSON.stringify(character)}（${code}）。未写入任何内容。请不要使用该字符，或使用语言的转义写法。`,
  );
}

function refuseLargeText(path: string): ReturnType<typeof refuse> {
  const name = quotePath(path);
  return refuse(
    "too-large",
    `The new text of ${name} has more than ${maxWholeFile} bytes. Write it in several smaller files.`,
    `${name} 的新内容超过 ${maxWholeFile} 字节。请拆分为多个较小的文件。`,
  );
}
