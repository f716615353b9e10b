import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { syncFolder } from "../directory/put-file.node.ts";
import { createPathLocks } from "../path-locks.ts";
import { readSmall } from "./read-small.node.ts";
import { type JournalEntry, readEntry, sizeOfEntry, writeEntry } from "./entry.node.ts";

/** Turns of one root; the oldest go first. */
export const maxTurns = 100;
/** Bytes of all entries of one root; the oldest turns go first. */
const maxJournal = 256 * 1024 * 1024;
/** Of the request that is kept with a turn, in UTF-16 code units. */
const maxRequest = 500;

/** Of what is kept of a turn beside its entries, in bytes. */
const maxFacts = 64 * 1024;

const TurnFacts = z.object({
  /** Milliseconds since 1970. */
  time: z.number(),
  /** What the person asked for, cut. */
  request: z.string(),
});

/** Of a turn whose entries can be read, and nothing else. */
const lostFacts: z.infer<typeof TurnFacts> = { time: 0, request: "" };

/** One run of the agent that has written something. */
export interface JournalTurn extends z.infer<typeof TurnFacts> {
  /** Counts up. */
  id: number;
  isUndone: boolean;
}

/** Write-ahead: what is recorded here is on the disk before a file is touched. */
export interface Journal {
  /** Begins a turn. */
  start(request: string): Promise<number>;
  /** @returns false: the journal is full, of this turn alone. Then nothing may be written. */
  record(turn: number, entry: JournalEntry): Promise<boolean>;
  /** The oldest first. */
  listTurns(): Promise<JournalTurn[]>;
  /** In the order of the writes. What was not recorded to its end is left out: then nothing was written. */
  listEntries(turn: number): Promise<JournalEntry[]>;
  /** Whether an entry is missing or cannot be read, other than the last: its file was written all the same. */
  isDamaged(turn: number): Promise<boolean>;
  markUndone(turn: number): Promise<void>;
}

export interface JournalParts {
  /** As `createRootFolder` gives it. */
  folder: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** In bytes. */
  maxSize?: number;
}

export function createJournal({ folder, now, maxSize = maxJournal }: JournalParts): Journal {
  const turns = join(folder, "turns");
  const folderOf = (turn: number): string => join(turns, String(turn));
  const counts = new Map<number, number>();
  /** Undefined until it was counted. */
  let size: number | undefined;

  const locks = createPathLocks();
  const listNths = async (turn: number): Promise<number[]> =>
    (await listNumbers(folderOf(turn), /^(\d{1,9})\.entry$/)).sort(ascending);
  const readNth = (turn: number, nth: number): Promise<JournalEntry | undefined> =>
    readEntry(join(folderOf(turn), `${nth}.entry`));

  const listIds = async (): Promise<number[]> =>
    (await listNumbers(turns, /^(\d{1,9})$/)).sort(ascending);
  const trim = async (room: number, current: number | undefined): Promise<void> => {
    size ??= await sizeOf(turns);
    const ids = await listIds();
    while (ids.length > 0 && (ids.length > maxTurns || size + room > maxSize)) {
      const oldest = ids.shift();
      if (oldest === undefined || oldest === current) return;
      size -= await sizeOf(folderOf(oldest));
      await rm(folderOf(oldest), { recursive: true, force: true });
    }
  };

  return {
    async start(request) {
      await trim(0, undefined);
      const id = ((await listIds()).at(-1) ?? 0) + 1;
      await mkdir(folderOf(id), { mode: 0o700 });
      const facts = { time: now(), request: cutText(request) };
      await writeFile(join(folderOf(id), "turn.json"), JSON.stringify(facts), {
        mode: 0o600,
        flush: true,
      });
      await syncFolder(folderOf(id));
      await syncFolder(turns);
      return id;
    },
    // One after the other: so only the last one can be torn.
    record: (turn, entry) =>
      locks.run("record", async () => {
        const room = sizeOfEntry(entry);
        await trim(room, turn);
        if ((size ?? 0) + room > maxSize) return false;
        const nth = (counts.get(turn) ?? 0) + 1;
        await writeEntry(join(folderOf(turn), `${nth}.entry`), entry);
        counts.set(turn, nth);
        size = (size ?? 0) + room;
        return true;
      }),
    async listTurns() {
      const found: JournalTurn[] = [];
      for (const id of await listIds()) {
        // A process that writes may have removed the oldest turn since.
        const names = await readdir(folderOf(id)).catch((): string[] => []);
        const facts = await readFacts(join(folderOf(id), "turn.json"));
        if (facts === undefined && !names.includes("1.entry")) continue;
        found.push({ id, ...(facts ?? lostFacts), isUndone: names.includes("undone") });
      }
      return found;
    },
    async listEntries(turn) {
      const entries: JournalEntry[] = [];
      for (const nth of await listNths(turn)) {
        const entry = await readNth(turn, nth);
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
    },
    async isDamaged(turn) {
      const numbers = await listNths(turn);
      if (numbers.some((nth, at) => nth !== at + 1)) return true;
      for (const nth of numbers.slice(0, -1))
        if ((await readNth(turn, nth)) === undefined) return true;
      return false;
    },
    async markUndone(turn) {
      await writeFile(join(folderOf(turn), "undone"), "", { mode: 0o600, flush: true });
      await syncFolder(folderOf(turn));
    },
  };
}

function ascending(one: number, other: number): number {
  return one - other;
}

async function listNumbers(folder: string, name: RegExp): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((one) => {
    const number = name.exec(one)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** @returns undefined if the turn was not begun to its end */
async function readFacts(path: string): Promise<z.infer<typeof TurnFacts> | undefined> {
  const bytes = await readSmall(path, maxFacts);
  if (bytes === undefined) return undefined;
  try {
    return TurnFacts.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  return size;
}

function cutText(text: string): string {
  return text.length > maxRequest ? `${text.slice(0, maxRequest)}…` : text;
}
