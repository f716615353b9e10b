// Conversations of the terminal, as they are kept: a record, the messages, and the answer that is on its way.
import { parseJson } from "../../base/text/json.ts";
import { cutText } from "../../base/text/lines.ts";
import * as z from "zod";
import type { Timers } from "../../base/wire/patient-timer.ts";
import { type Store, readLog } from "../../store/store.ts";

const Facts = z.object({
  title: z.string(),
  /** The real path of the folder that it is held in. */
  folder: z.string(),
  agent: z.string(),
  /** The one that was asked for. */
  model: z.string().optional(),
  created: z.number(),
  changed: z.number(),
  /** That models have counted. */
  tokens: z.number(),
  /** Of them those of the last prompt and its answer: what the next one begins with. */
  used: z.number().default(0),
  /** The last turn in the folder's journal when it began: what came after it can be taken back. */
  lastTurn: z.number(),
});
export type Facts = z.infer<typeof Facts>;

const Entry = z.object({
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  time: z.number(),
  /** An answer that was stopped, or that its process did not live to end. */
  isCut: z.literal(true).optional(),
  /** Nobody typed it: it tells the model what has happened meanwhile. */
  isNote: z.literal(true).optional(),
});
export type Entry = z.infer<typeof Entry>;

const Part = z.object({ after: z.number(), text: z.string() });

/** How often the answer so far is saved at most, in milliseconds. */
const saveInterval = 250;
const maxTitle = 80;

export interface Listed extends Facts {
  id: string;
}

export interface ConversationsParts {
  store: Store;
  now: () => number;
  timers: Timers;
  createId: () => string;
  process: string;
  isAlive: (process: string) => boolean;
}

export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(parts: ConversationsParts) {
  const { store, now, createId, process, isAlive } = parts;
  const held = new Set<string>();
  const readFacts = async (id: string): Promise<Facts | undefined> => {
    const found = await store.get(keyOf(id));
    return Facts.safeParse(parseJson(found ?? "")).data;
  };
  const isOther = (holder: string | undefined): boolean =>
    holder !== undefined && holder !== process && isAlive(holder);
  /** @returns false where another process has it open */
  const hold = async (id: string): Promise<boolean> => {
    const holder = await store.get(holderOf(id));
    const options = { ifValue: holder ?? null, ttl: longestHold };
    if (isOther(holder) || !(await store.put(holderOf(id), process, options))) return false;
    held.add(id);
    return true;
  };
  return {
    /** A new conversation; nothing is kept of it before its first message. */
    async begin(facts: Pick<Facts, "folder" | "agent" | "model" | "lastTurn">) {
      const id = createId().slice(0, shownId);
      await hold(id);
      const rest = { title: "", created: now(), changed: now(), tokens: 0, used: 0 };
      return createConversation(parts, id, { ...facts, ...rest }, []);
    },

    isOpen: async (id: string): Promise<boolean> => isOther(await store.get(holderOf(id))),

    /** This process has it open no more. @param id of all where absent */
    async close(id?: string): Promise<void> {
      for (const one of id === undefined ? [...held] : [id])
        if (held.delete(one)) await store.delete(holderOf(one));
    },

    async list(): Promise<Listed[]> {
      const found: Listed[] = [];
      for (const id of await readLog(store, allIds)) {
        const facts = await readFacts(id);
        if (facts !== undefined) found.push({ id, ...facts });
      }
      return found.sort((one, other) => other.changed - one.changed);
    },

    /** @returns a copy, with an id of its own, where another process has it open; undefined where there is none of this id */
    async open(id: string): Promise<StoredConversation | undefined> {
      const facts = await readFacts(id);
      if (facts === undefined) return undefined;
      const texts = await readLog(store, keyOf(id));
      const entries = texts.map((text) => Entry.safeParse(parseJson(text)).data ?? unreadable);
      if (!(await hold(id))) {
        const copy = createId().slice(0, shownId);
        await hold(copy);
        await store.put(keyOf(copy), JSON.stringify(facts));
        await enlist(store, copy);
        if (texts.length > 0) await store.append(keyOf(copy), texts, { id: createId() });
        return createConversation(parts, copy, facts, entries);
      }
      const conversation = createConversation(parts, id, facts, entries);
      const part = Part.safeParse(parseJson((await store.get(partOf(id))) ?? "")).data;
      // Its process did not live to end the answer.
      if (part?.after === entries.length)
        await conversation.add({ role: "assistant", text: part.text, isCut: true });
      return conversation;
    },

    async remove(id: string): Promise<void> {
      await store.delete(keyOf(id));
      await store.delete(partOf(id));
    },
  };
}

/** What a message that cannot be read is in a history: nothing. */
const unreadable: Entry = { role: "user", text: "", time: 0, isNote: true };
const shownId = 8;
/** The log of all ids, those that were removed, too. */
const allIds = "chats";
const keyOf = (id: string): string => `chat:{${id}}`;
const partOf = (id: string): string => `chat-part:{${id}}`;
const holderOf = (id: string): string => `chat-open:{${id}}`;

async function enlist(store: Store, id: string): Promise<void> {
  await store.append(allIds, [id], { id });
}

/** A terminal that is open for longer is not looked for, in milliseconds. */
const longestHold = 30 * 86_400_000;

export type StoredConversation = ReturnType<typeof createConversation>;

/** One conversation. What `add` has returned from is kept, whatever becomes of the process. */
function createConversation(
  { store, now, createId, timers }: ConversationsParts,
  id: string,
  begun: Facts,
  entries: Entry[],
) {
  let facts = begun;
  let cancel: (() => void) | undefined;
  let saving: Promise<unknown> = Promise.resolve();
  const put = async (changed: Partial<Facts>): Promise<void> => {
    facts = { ...facts, ...changed };
    await store.put(keyOf(id), JSON.stringify(facts));
  };
  return {
    id,
    entries: entries as readonly Entry[],

    get facts(): Facts {
      return facts;
    },

    /** The messages as a model gets them; what says nothing is left out. */
    get history(): { role: string; content: string }[] {
      return entries
        .filter(({ text }) => text.trim() !== "")
        .map(({ role, text }) => ({ role, content: text }));
    },

    async add(message: Omit<Entry, "time">): Promise<void> {
      const entry = { ...message, time: now() };
      cancel?.();
      cancel = undefined;
      await saving;
      const isFirst = facts.title === "" && message.isNote !== true;
      const title = isFirst ? titleOf(message.text) : facts.title;
      // Before the message: one that nothing is known of would not be found.
      await put({ title, changed: entry.time });
      if (entries.length === 0) await enlist(store, id);
      await store.append(keyOf(id), [JSON.stringify(entry)], { id: createId() });
      entries.push(entry);
      if (message.role === "assistant") await store.delete(partOf(id));
    },

    async change(changed: Partial<Facts>): Promise<void> {
      // Without a message it is nothing that anybody would look for.
      if (entries.length > 0) await put(changed);
      else facts = { ...facts, ...changed };
    },

    /** Saves the answer so far, where that is not too soon after the last time. @param text gives all of it */
    keep(text: () => string): void {
      cancel ??= timers.start(() => {
        cancel = undefined;
        const part = JSON.stringify({ after: entries.length, text: text() });
        // `add` tells what is wrong with the store.
        saving = saving.then(() => store.put(partOf(id), part)).catch(() => undefined);
      }, saveInterval);
    },
  };
}

function titleOf(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > maxTitle ? cutText(line, maxTitle - 1) : line.trimEnd();
}
