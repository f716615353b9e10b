import { basename, dirname, join, relative, sep } from "node:path";
import {
  StaleFileError,
  type WholeFile,
  hashBytes,
  maxWholeFile,
  modeOf,
  withFile,
} from "./open-file.node.ts";
import { type Refusal, quotePath, refuse, refusePath, refuseSystem, succeed } from "../problems.ts";
import { refuseUnwritten } from "../ide/ide-workspace.ts";
import { type EditorFiles, findWriter, readShown } from "./editor-files.node.ts";
import type { Message } from "../../base/errors/app-error.ts";
import type { RootState } from "./journal/root-state.node.ts";
import type { FileChange, WorkspaceResult } from "../workspace.ts";
import { createDraftName, createFolders, findMissingFolders, putFile } from "./put-file.node.ts";
import { access, constants, readdir } from "node:fs/promises";
import { isProtected } from "../paths/guarded-names.ts";
import { type EncodingOfText, decodeText, encodeLike, refuseBinary } from "./text-encoding.node.ts";
import type { Place, ResolvePath } from "./resolve-path.node.ts";

/** A write that can be made: the file as it is, and what becomes of it. */
export interface ReadyWrite {
  /** As the journal names it: relative to the real root, with "/". */
  path: string;
  real: string;
  /** The file as it is; undefined if it does not exist. */
  old: WholeFile | undefined;
  /** The new bytes, in the encoding of the file; undefined: it goes. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  mode?: number | undefined;
}

/** Makes a write: first into the journal, then in its place, then it is read again. */
export async function writeRecorded(
  { path, real, old, bytes, mode }: ReadyWrite,
  { journal, realRoot }: Pick<RootState, "journal" | "realRoot">,
  turn: number,
  editor?: EditorFiles,
): Promise<WorkspaceResult<undefined>> {
  const draft = createDraftName();
  const after = bytes === undefined ? null : await hashBytes(bytes);
  try {
    const folders = await findMissingFolders(real);
    const before = old && { hash: await hashBytes(old.bytes), mode: modeOf(old) };
    const isRecorded = await journal.record(turn, {
      path,
      before: before ?? null,
      after,
      draft,
      folders: folders.map((folder) => relative(realRoot, folder).replaceAll(sep, "/")),
      bytes: old?.bytes ?? new Uint8Array(),
    });
    if (!isRecorded) return refuse("failed", fullJournal(quotePath(path)));
    const text = bytes && decodeText(bytes)?.text;
    const write = editor && text !== undefined && (await findWriter(real, old, editor));
    if (write) {
      await createFolders(folders);
      const refusal = await write(text);
      if (refusal !== undefined) return refuseUnwritten(path, refusal);
    } else await putFile(real, bytes, { draft, replaced: old?.stats, mode });
  } catch (thrown) {
    if (thrown instanceof StaleFileError)
      return refusePath(old === undefined ? "exists" : "stale", path);
    return refuseSystem(thrown, path);
  }
  return (await hashThere(path, real, editor)) === after
    ? succeed(undefined)
    : refuse("failed", unverified(quotePath(path)));
}

/** SHA-256 of the file; null if it does not exist, undefined if it cannot be read. */
async function hashThere(
  path: string,
  real: string,
  editor: EditorFiles | undefined,
): Promise<string | null | undefined> {
  const read = await readShown({ path, real }, editor);
  if (!read.ok) return read.problem.code === "not-found" ? null : undefined;
  return read.value === undefined ? undefined : hashBytes(read.value.bytes);
}

const unverified = (name: string): Message => ({
  en: `${name} was written, but it does not hold what was written any more: somebody else has changed it. Read it again.`,
  zh: `${name} 已写入，但其内容与写入的不一致：可能被其他程序修改。请重新读取。`,
});

const fullJournal = (name: string): Message => ({
  en: `${name} was not written: this run has changed so much that undo cannot keep it. Start a new run.`,
  zh: `${name} 未写入：本次运行的修改过多，无法再保存撤销记录。请重新开始一次运行。`,
});

/** Looks whether a change can be made: its path, its names, the file as it is, the permissions. Writes nothing. */
export async function checkChange(
  change: FileChange,
  resolve: ResolvePath,
  namesOf: (place: Place) => Promise<readonly string[]>,
  editor?: EditorFiles,
): Promise<WorkspaceResult<ReadyWrite & { change: FileChange }>> {
  const located = await resolve(change.path);
  if (!located.ok) return located;
  const place = located.value;
  const { path, isThere } = place;
  if (path === "") return refusePath("outside", change.path);
  if ((await namesOf(place)).some(isProtected)) return refusePath("protected", path);
  if (change.before === undefined && isThere) return refusePath("exists", path);
  if (change.before !== undefined && !isThere) return refusePath("not-found", path);
  const old = await readOld(place, change.before, editor);
  if (!old.ok) return old;
  const bytes = encodeNew(path, change.after, old.value?.encoding);
  if (!bytes.ok) return bytes;
  const replaced = bytes.value === undefined ? undefined : old.value;
  // The superuser could write it all the same, and the owner of the folder could replace it.
  if (replaced !== undefined && (replaced.file.stats.mode & 0o222n) === 0n)
    return refusePath("no-permission", path);
  const permission = await findObstacle(place, replaced !== undefined);
  if (permission !== undefined) return permission;
  const { real } = place;
  const isScript = !isThere && bytes.value !== undefined && beginsAsScript(bytes.value);
  const mode = isScript ? await modeOfScript(real) : undefined;
  return succeed({
    change: { ...change, path },
    path,
    real,
    old: old.value?.file,
    bytes: bytes.value,
    mode,
  });
}

async function readOld(
  place: Place,
  before: FileChange["before"],
  editor: EditorFiles | undefined,
): Promise<WorkspaceResult<{ file: WholeFile; encoding: EncodingOfText } | undefined>> {
  if (before === undefined) return succeed(undefined);
  const { path } = place;
  const read = await readShown(place, editor);
  if (!read.ok) return read;
  // Larger files are read in parts only.
  if (read.value === undefined) return refusePath("read-only", path);
  const file = read.value;
  const decoded = decodeText(file.bytes);
  if (decoded === undefined) return refuseBinary(path, file.bytes.length);
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
  if (!after.isWellFormed() || after.includes("\0"))
    return refuse("failed", notText(quotePath(path)));
  const encoded = encodeLike(after, encoding);
  if (!encoded.ok) return refuseCharacter(path, encoding.encoding, encoded.character);
  return encoded.bytes.length > maxWholeFile
    ? refuse("too-large", largeText(quotePath(path)))
    : succeed(encoded.bytes);
}

/** Why the system does not let us write there. */
async function findObstacle(
  { path, real, isThere }: Place,
  isReplaced: boolean,
): Promise<Refusal | undefined> {
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

const notText = (name: string): Message => ({
  en: `The new text of ${name} holds a NUL or half of a character, which cannot be written as text.`,
  zh: `${name} 的新内容包含 NUL 或不完整的字符，无法作为文本写入。`,
});

/** @param character that the encoding lacks; undefined: what is left would be read in another encoding */
function refuseCharacter(path: string, encoding: string, character: string | undefined): Refusal {
  const name = quotePath(path);
  if (character === undefined)
    return refuse("failed", {
      en: `The new text of ${name} has too little text left to be read again as ${encoding}, the encoding of the file. Nothing was written.`,
      zh: `${name} 的新内容中剩余的文字过少，之后无法再识别为该文件的编码 ${encoding}。未写入任何内容。`,
    });
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return refuse("failed", {
    en: `${name} is in ${encoding}, which has no character ${JSON.stringify(character)} (${code}). Nothing was written. Write the text without it, or with an escape of the language.`,
    zh: `${name} 使用 ${encoding} 编码，其中没有字符 ${JSON.stringify(character)}（${code}）。未写入任何内容。请不要使用该字符，或使用语言的转义写法。`,
  });
}

const largeText = (name: string): Message => ({
  en: `The new text of ${name} has more than ${maxWholeFile} bytes. Write it in several smaller files.`,
  zh: `${name} 的新内容超过 ${maxWholeFile} 字节。请拆分为多个较小的文件。`,
});

/** Of the neighbours, so many are looked at. */
const maxLooked = 100;

/**
 * The mode of a new script, which can be run where most scripts of its folder can.
 *
 * @param real of the file that is not there yet
 * @returns undefined: what the process gives to new files
 */
async function modeOfScript(real: string): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  const folder = dirname(real);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name !== basename(real));
  let [runs, all] = [0, 0];
  for (const { name } of names.slice(0, maxLooked)) {
    const mode = await modeOfNeighbour(join(folder, name));
    if (mode === undefined) continue;
    all += 1;
    if ((mode & 0o111) !== 0) runs += 1;
  }
  if (runs * 2 <= all) return undefined;
  const mode = 0o666 & ~process.umask();
  // Who may read it may run it.
  return mode | ((mode & 0o444) >> 2);
}

/** Undefined for what is not a script, or cannot be read. */
async function modeOfNeighbour(real: string): Promise<number | undefined> {
  const read = await withFile({ path: "", real }, async (file) => {
    const head = new Uint8Array(2);
    await file.handle.read(head, 0, 2, 0);
    return succeed(beginsAsScript(head) ? modeOf(file) : undefined);
  });
  return read.ok ? read.value : undefined;
}

function beginsAsScript(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}
