import { hashBytes } from "../hash-bytes.ts";
import { cutLines } from "../line-range.ts";
import { refusePath, succeed } from "../problems.ts";
import type { ReadOptions, WorkspaceFile, WorkspaceResult } from "../workspace.ts";
import { refuseBinary } from "./binary-kind.ts";
import { readWhole } from "./open-file.node.ts";
import { readLarge, refuseTooLarge } from "./read-large.node.ts";
import type { Place } from "./resolve-path.node.ts";
import { decodeText } from "./text-encoding.node.ts";
import { lstat } from "node:fs/promises";

/** Reads a text file, or the lines of it that are asked for. */
export async function readTextFile(
  place: Place,
  { lines, signal }: Pick<ReadOptions, "lines" | "signal">,
): Promise<WorkspaceResult<WorkspaceFile>> {
  if (!place.isThere) return refusePath("not-found", place.path);
  const read = await readWhole(place);
  signal.throwIfAborted();
  if (!read.ok) return read;
  if (read.value === undefined) {
    if (lines !== undefined) return readLarge(place, lines, signal);
    return refuseTooLarge(place.path, (await lstat(place.real)).size);
  }
  const { bytes } = read.value;
  const decoded = decodeText(bytes);
  if (decoded === undefined) return refuseBinary(place.path, bytes, bytes.length);
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
