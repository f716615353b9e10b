import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { syncFolder } from "../directory/put-file.node.ts";
import { systemCode } from "../directory/system-problem.node.ts";
import { type JournalEntry, readEntry, sizeOfEntry, writeEntry } from "./entry.node.ts";

/** Turns of one root; the oldest go first. */
export const maxTurns = 100;
/** Bytes of all entries of one root; the oldest turns go first. */
const maxJournal = 256 * 1024 * 1024;
/** Of the request that is kept with a turn, in UTF-16 code units. */
const maxRequest = 500;

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
    async record(turn, entry) {
      const room = sizeOfEntry(entry);
      await trim(room, turn);
      if ((size ?? 0) + room > maxSize) return false;
      size = (size ?? 0) + room;
      const nth = (counts.get(turn) ?? 0) + 1;
      counts.set(turn, nth);
      await writeEntry(join(folderOf(turn), `${nth}.entry`), entry);
      return true;
    },
    async listTurns() {
      const found: JournalTurn[] = [];
      for (const id of await listIds()) {
        const facts = await readFacts(join(folderOf(id), "turn.json"));
        if (facts === undefined) continue;
        // A process that writes may have removed the oldest turn since.
        const names = await readdir(folderOf(id)).catch((): string[] => []);
        found.push({ id, ...facts, isUndone: names.includes("undone") });
      }
      return found;
    },
    async listEntries(turn) {
      const numbers = await listNumbers(folderOf(turn), /^(\d{1,9})\.entry$/);
      const entries: JournalEntry[] = [];
      for (const nth of numbers.sort(ascending)) {
        const entry = await readEntry(join(folderOf(turn), `${nth}.entry`));
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
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
  try {
    const parsed = TurnFacts.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError || systemCode(thrown) === "ENOENT") return undefined;
    throw thrown;
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
