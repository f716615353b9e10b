import { readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { systemCode } from "../../problems.ts";
import { hashBytes, maxWholeFile } from "../open-file.node.ts";
import { createLocks } from "../../locks.ts";
import { createDraftName, createFolders, putFile } from "../put-file.node.ts";
import { cutText } from "../../../base/text/lines.ts";

/** Turns of one root, and bytes of all their entries; the oldest turns go first. */
const maxTurns = 100;
const maxJournal = 256 * 1024 * 1024;
/** Of the request that is kept with a turn, in UTF-16 code units. */
const maxRequest = 500;
/** Of what is kept of a turn beside its entries, and of the line before the old bytes of an entry, in bytes. */
const [maxFacts, maxHead] = [64 * 1024, 1024 * 1024];

const TurnFacts = z.object({
  /** Milliseconds since 1970. */
  time: z.number(),
  /** What the person asked for, cut. */
  request: z.string(),
});

/** One run of the agent that has written something. */
export interface JournalTurn extends z.infer<typeof TurnFacts> {
  /** Counts up. */
  id: number;
  isUndone: boolean;
}

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

/** What a file was before it was written. */
export interface JournalEntry extends z.infer<typeof Head> {
  /** The old bytes; empty where there was no file. */
  bytes: Uint8Array<ArrayBuffer>;
}

export type Journal = ReturnType<typeof createJournal>;

/**
 * Write-ahead: what is recorded here is on the disk before a file is touched.
 *
 * @param folder as `createRootFolder` gives it
 * @param now milliseconds since 1970
 * @param maxSize in bytes
 */
export function createJournal(folder: string, now: () => number, maxSize = maxJournal) {
  const turns = join(folder, "turns");
  const inTurn = (turn: number, name = "."): string => join(turns, String(turn), name);
  const writeNew = (path: string, content: string | Uint8Array): Promise<void> => {
    const options = { draft: createDraftName(), replaced: undefined, mode: 0o600 };
    return putFile(path, Buffer.from(content), options);
  };
  const counts = new Map<number, number>();
  const locks = createLocks();
  /** Undefined until it was counted. */
  let size: number | undefined;

  const listIds = (): Promise<number[]> => listNumbers(turns, /^(\d{1,9})$/);
  const trim = async (room: number, current?: number): Promise<number> => {
    size ??= await sizeOf(turns);
    const ids = await listIds();
    while (ids.length > maxTurns || size + room > maxSize) {
      const oldest = ids.shift();
      if (oldest === undefined || oldest === current) break;
      size -= await sizeOf(inTurn(oldest));
      await rm(inTurn(oldest), { recursive: true, force: true });
    }
    return size;
  };

  return {
    /** Begins a turn. */
    async start(request: string): Promise<number> {
      await trim(0);
      const id = ((await listIds()).at(-1) ?? 0) + 1;
      await createFolders([inTurn(id)], 0o700);
      const cut = cutText(request, maxRequest);
      await writeNew(inTurn(id, "turn.json"), JSON.stringify({ time: now(), request: cut }));
      return id;
    },
    /**
     * One after the other: so only the last one can be torn.
     *
     * @returns false: the journal is full, of this turn alone. Then nothing may be written.
     */
    record: (turn: number, entry: JournalEntry): Promise<boolean> =>
      locks.run("record", async () => {
        const { bytes, ...head } = entry;
        const encoded = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
        const before = await trim(encoded.length, turn);
        if (before + encoded.length > maxSize) return false;
        const nth = (counts.get(turn) ?? 0) + 1;
        await writeNew(inTurn(turn, `${nth}.entry`), encoded);
        counts.set(turn, nth);
        size = before + encoded.length;
        return true;
      }),
    /** The oldest first. */
    async listTurns(): Promise<JournalTurn[]> {
      const found: JournalTurn[] = [];
      for (const id of await listIds()) {
        // A process that writes may have removed the oldest turn since.
        const names = await readdir(inTurn(id)).catch((): string[] => []);
        const facts = parseBytes(await readSmall(inTurn(id, "turn.json"), maxFacts), TurnFacts);
        if (facts === undefined && !names.includes("1.entry")) continue;
        const isUndone = names.includes("undone");
        found.push({ id, ...(facts ?? { time: 0, request: "" }), isUndone });
      }
      return found;
    },
    /**
     * The entries in the order of the writes. The last is left out where it was not recorded to its end: then nothing
     * was written. If another one is missing, or cannot be read, the turn is damaged: its file was written.
     */
    async readTurn(turn: number): Promise<{ entries: JournalEntry[]; isDamaged: boolean }> {
      const nths = await listNumbers(inTurn(turn), /^(\d{1,9})\.entry$/);
      let isDamaged = nths.some((nth, at) => nth !== at + 1);
      const entries: JournalEntry[] = [];
      for (const nth of nths) {
        const entry = await readEntry(inTurn(turn, `${nth}.entry`));
        if (entry !== undefined) entries.push(entry);
        else isDamaged ||= nth !== nths.at(-1);
      }
      return { entries, isDamaged };
    },
    markUndone: (turn: number): Promise<void> => writeNew(inTurn(turn, "undone"), ""),
  };
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  return size;
}

/** @returns undefined if it was not written to its end: then the file was not touched either. Or if it is none of ours. */
async function readEntry(path: string): Promise<JournalEntry | undefined> {
  const all = await readSmall(path, maxHead + maxWholeFile);
  const end = all?.indexOf(0x0a) ?? -1;
  if (all === undefined || end === -1) return undefined;
  const head = parseBytes(all.subarray(0, end), Head);
  if (head === undefined) return undefined;
  const bytes = all.slice(end + 1);
  const isWhole =
    head.before === null ? bytes.length === 0 : (await hashBytes(bytes)) === head.before.hash;
  return isWhole ? { ...head, bytes } : undefined;
}

/**
 * Reads a file of ours that is never large.
 *
 * @returns undefined if it is missing, larger than it can be, or not a file: to open a pipe may take forever
 */
export async function readSmall(path: string, maxBytes: number) {
  try {
    const found = await stat(path);
    const isSmall = found.isFile() && found.size <= maxBytes;
    return isSmall ? new Uint8Array(await readFile(path)) : undefined;
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw thrown;
    return undefined;
  }
}

/** @returns undefined for bytes that are not JSON of this shape */
export function parseBytes<Value>(
  bytes: Uint8Array | undefined,
  schema: z.ZodType<Value>,
): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** The numbers in the names of a folder, in ascending order. */
export async function listNumbers(folder: string, name: RegExp): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((one) => name.exec(one)?.[1] ?? []);
  return numbers.map(Number).sort((one, other) => one - other);
}
