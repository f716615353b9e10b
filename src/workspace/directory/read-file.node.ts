import type { Message } from "../../base/errors/app-error.ts";
import { hashBytes, isSameState, maxWholeFile, readPieces, withFile } from "./open-file.node.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { cutLines } from "../line-operations.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";
import type { ReadOptions, WorkspaceFile, WorkspaceResult } from "../workspace.ts";
import { decodeText, detectEncoding, refuseBinary } from "./text-encoding.node.ts";
import type { Place } from "./resolve-path.node.ts";
import { type EditorFiles, readShown } from "./editor-files.node.ts";
import { lstat } from "node:fs/promises";
import { createHash } from "node:crypto";

/** Reads a text file, or the lines of it that are asked for. */
export async function readFileAt(
  place: Place,
  { lines, signal }: Pick<ReadOptions, "lines" | "signal">,
  editor?: EditorFiles,
): Promise<WorkspaceResult<WorkspaceFile>> {
  if (!place.isThere) return refusePath("not-found", place.path);
  const read = await readShown(place, editor);
  signal.throwIfAborted();
  if (!read.ok) return read;
  if (read.value === undefined) {
    if (lines !== undefined) return readLarge(place, lines, signal);
    const { size } = await lstat(place.real);
    return refuse("too-large", tooLarge(quotePath(place.path), size));
  }
  const { bytes } = read.value;
  const decoded = decodeText(bytes);
  if (decoded === undefined) return refuseBinary(place.path, bytes.length);
  const { text, encoding, bom } = decoded;
  const hash = await hashBytes(bytes);
  return succeed({
    path: place.path,
    ...cutLines(text, lines),
    hash,
    encoding,
    bom,
    size: bytes.length,
  });
}

/** Of a larger file only so many bytes are looked at: its hash, lines and their number end there. */
const maxStreamed = 256 * 1024 * 1024;
/** Lines that are asked for may have so many characters together. */
const maxAskedText = 512 * 1024;
/** Bytes that say in which encoding the file is. */
const headSize = 64 * 1024;

/** Reads lines of a file that is too large to be read as a whole, in pieces, and hashes it on the way. */
function readLarge(
  place: Place,
  { startLine, endLine }: LineRange,
  signal: AbortSignal,
): Promise<WorkspaceResult<WorkspaceFile>> {
  return withFile(place, async (file) => {
    const { handle, stats } = file;
    const size = Number(stats.size);
    const head = new Uint8Array(headSize);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    const found = detectEncoding(wholeLines(head.subarray(0, bytesRead)));
    const decoder = new TextDecoder(found.encoding, { fatal: true });
    const hash = createHash("sha256");
    let [text, line, isOpen] = ["", 1, false];
    const add = (piece: string): void => {
      if (piece.includes("\0")) throw new TypeError("A text holds no NUL.");
      for (let start = 0, end = 0; start < piece.length; start = end) {
        const feed = piece.indexOf("\n", start);
        isOpen = feed === -1;
        end = isOpen ? piece.length : feed + 1;
        const isAsked = line >= startLine && line <= endLine;
        if (isAsked && text.length <= maxAskedText) text += piece.slice(start, end);
        if (!isOpen) line += 1;
      }
    };
    const end = Math.min(size, maxStreamed);
    try {
      for await (const bytes of readPieces(file, end)) {
        signal.throwIfAborted();
        hash.update(bytes);
        add(decoder.decode(bytes, { stream: true }));
      }
      // A character may have been cut where the part that is looked at ends.
      if (end === size) add(decoder.decode());
    } catch (thrown) {
      if (thrown instanceof TypeError) return refuseBinary(place.path, size);
      throw thrown;
    }
    if (text.length > maxAskedText) return refuse("too-large", longRange(quotePath(place.path)));
    if (!isSameState(stats, await handle.stat({ bigint: true })))
      return refusePath("stale", place.path);
    return succeed({
      path: place.path,
      text,
      startLine: Math.max(startLine, 1),
      totalLines: isOpen ? line : line - 1,
      hash: hash.digest("hex"),
      ...found,
      size,
      isPart: true,
    });
  });
}

/** Without the line that was cut, in which a character may be cut. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  // After the line end in UTF-16 there may be its second byte.
  const end = bytes.lastIndexOf(0x0a) + 1;
  return bytes.subarray(0, end === 0 ? undefined : end + (end % 2 && bytes[end] === 0 ? 1 : 0));
}

const tooLarge = (name: string, size: number): Message => ({
  en: `${name} has ${size} bytes; files over ${maxWholeFile} bytes are read in ranges only. Ask for lines of it.`,
  zh: `${name} 有 ${size} 字节；超过 ${maxWholeFile} 字节的文件只能按行范围读取。请指定行号范围。`,
});

const longRange = (name: string): Message => ({
  en: `The lines of ${name} that were asked for have more than ${maxAskedText} characters. Ask for fewer lines.`,
  zh: `请求的 ${name} 的行超过 ${maxAskedText} 个字符。请减少行数。`,
});
