// One file of the journal: what a file was before it was written.
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { hashBytes } from "../hash-bytes.ts";
import { maxWholeFile } from "../directory/open-file.node.ts";
import { syncFolder } from "../directory/put-file.node.ts";
import { readSmall } from "./read-small.node.ts";

/** Of the line before the old bytes, in bytes. */
const maxHead = 1024 * 1024;
const lineFeed = 10;

const Head = z.object({
  /** Relative to the real root, with "/". */
  path: z.string(),
  /** The file as it was; null: there was none. */
  before: z.object({ hash: z.string(), mode: z.int() }).nullable(),
  /** SHA-256 of the new bytes; null: the file goes. */
  after: z.string().nullable(),
  /** The name of the draft beside the file. */
  draft: z.string(),
  /** Folders that are created for the file, the highest first; relative, with "/". */
  folders: z.array(z.string()),
});
type Head = z.infer<typeof Head>;

export interface JournalEntry extends Head {
  /** The old bytes; empty where there was no file. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes that the entry takes. */
export function sizeOfEntry(entry: JournalEntry): number {
  return encodeHead(entry).length + entry.bytes.length;
}

/** Writes an entry so that it outlasts a crash; where that fails, nothing is left of it. */
export async function writeEntry(path: string, entry: JournalEntry): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(Buffer.concat([encodeHead(entry), entry.bytes]));
    await handle.sync();
  } catch (thrown) {
    await rm(path, { force: true });
    throw thrown;
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(path));
}

/**
 * @returns undefined if the entry was not written to its end: then the file was not touched either. Or if it is
 *   none of ours.
 */
export async function readEntry(path: string): Promise<JournalEntry | undefined> {
  const all = await readSmall(path, maxHead + maxWholeFile);
  const end = all?.indexOf(lineFeed) ?? -1;
  if (all === undefined || end === -1) return undefined;
  const head = parseHead(all.subarray(0, end));
  if (head === undefined) return undefined;
  const bytes = all.slice(end + 1);
  const isWhole =
    head.before === null ? bytes.length === 0 : (await hashBytes(bytes)) === head.before.hash;
  return isWhole ? { ...head, bytes } : undefined;
}

function parseHead(bytes: Uint8Array): Head | undefined {
  try {
    return Head.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

function encodeHead({ path, before, after, draft, folders }: Head): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ path, before, after, draft, folders })}\n`);
}
