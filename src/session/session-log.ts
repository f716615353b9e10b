// The log of one session since it was last cleared, and how it is followed while it grows.
import { type AppendOptions, type Lease, type Store, pageLength, readLog } from "../store/store.ts";
import { type Timers, onAbort } from "../base/wire/patient-timer.ts";
import { type Entry, type Line, isEnd, listOpen, sayStatus } from "./entry.ts";

/** What is published of a session. */
type Live =
  /** There is more in the log. */
  | { kind: "more" }
  /** The last entry once more, for whoever has asked for it. */
  | { kind: "again"; at: number; entry: Entry }
  | ({ kind: "delta"; task: string } & Piece)
  | { kind: "stop"; task?: string }
  /** `isExpired`: nobody has cleared it, but nothing was said for too long. */
  | { kind: "clear"; isExpired?: true };

/** How often the session was cleared: what is older concerns nobody. */
type Dated = Live & { epoch: number };

/** A piece of an answer that is being written. */
interface Piece {
  /** Which answer of its task it belongs to. */
  answer: number;
  /** Where it begins in that answer. */
  from: number;
  text: string;
}

/** What who follows a session hears. `at` is the position in the log: it counts from 0, without gaps. */
export type Told =
  | { kind: "entry"; at: number; entry: Entry }
  | { kind: "delta"; task: string; text: string }
  /** Nothing more comes: the session was cleared, by somebody or since nothing was said for too long. */
  | { kind: "over"; isCleared: boolean };

export interface LogParts {
  store: Store;
  timers: Timers;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface FollowOptions {
  /** The position after which entries are told; absent: only what comes from now on. */
  after?: number | undefined;
  /** The only task that is wanted; it begins after that position. Other open tasks are not looked for. */
  task?: string | undefined;
  /** Whether pieces of answers are told that are being written. */
  hasDeltas?: boolean;
  signal: AbortSignal;
  /** When it is aborted, what is there by then is told, and no more. */
  finish?: AbortSignal;
}

/** So long a task is held without a sign of life of the process that runs it. */
export const leaseTime = 8_000;
const renewInterval = 2_000;
/** How often who follows a task looks whether it is still held. */
const watchInterval = 1_000;
/** Messages that wait to be told; who is slower reads the log instead. */
const maxWaiting = 200;

/**
 * Renews a lease, so that the other processes see that this one lives.
 *
 * @param onLost called as long as it is lost; does not throw
 * @returns ends it
 */
export function keepLease(
  lease: Lease,
  timers: Timers,
  onLost: () => void | Promise<unknown>,
): () => void {
  let isOver = false;
  const renew = async (): Promise<void> => {
    // A store that is away may be there again in time.
    const isHeld = await lease.renew(leaseTime).catch(() => true);
    if (!isHeld && !isOver) await onLost();
    if (!isOver) stop = timers.start(() => void renew(), renewInterval);
  };
  let stop = timers.start(() => void renew(), renewInterval);
  return () => {
    isOver = true;
    stop();
  };
}

/** The keys of a session in the store; the braces keep them in one slot of a cluster. */
export const keysOf = (id: string) => ({
  head: `session:{${id}}`,
  options: `options:{${id}}`,
  topic: `live:{${id}}`,
});

/** How much of the current answer of each task was told. */
type ToldTexts = Map<string, { answer: number; length: number }>;

export type SessionLog = ReturnType<typeof createSessionLog>;

/** @param ttl milliseconds after the last append */
export function createSessionLog(id: string, epoch: number, ttl: number, parts: LogParts) {
  const { store, timers, now } = parts;
  const { topic } = keysOf(id);
  const name = `log:{${id}}:${epoch}`;
  const keyOf = (kind: "task" | "stop" | "part", task: string): string =>
    `${kind}:{${id}}:${epoch}:${task}`;

  /** The entries from a position on, `limit` at most. */
  async function read(from?: number, limit?: number): Promise<Entry[]> {
    const texts = await readLog(store, name, from, limit);
    // Nobody else writes there.
    return texts.map((text) => JSON.parse(text) as Entry);
  }

  /** The tasks that have begun and not ended; of a long log no more than a page is held. */
  async function findOpen(): Promise<string[]> {
    const marks: Entry[] = [];
    for (let from = 0; ; from += pageLength) {
      const page = await read(from, pageLength);
      marks.push(...page.filter(({ type }) => type === "status"));
      if (page.length < pageLength) return listOpen(marks, id);
    }
  }

  /**
   * Adds entries, once for each id, and tells who follows.
   *
   * @returns the position of the first; undefined where the lease is held no longer
   */
  async function append(
    entries: readonly Entry[],
    given: Pick<AppendOptions, "id" | "lease">,
  ): Promise<number | undefined> {
    const texts = entries.map((one) => JSON.stringify(one));
    const at = await store.append(name, texts, { ...given, ttl });
    if (at !== undefined) await publish({ kind: "more" });
    return at;
  }

  function entry(task: string, line: Line, parent?: string): Entry {
    return { ...line, session: id, task, ...(parent && { parent }), time: now() };
  }

  /** Whether a process runs the task. */
  async function isHeld(task: string): Promise<boolean> {
    return (await store.get(keyOf("task", task))) !== undefined;
  }

  /** The tasks that have begun, have not ended, and are run. Those whose process has died end here. */
  async function findRunning(): Promise<string[]> {
    const running: string[] = [];
    for (const task of await findOpen())
      if (await isHeld(task)) running.push(task);
      else {
        const line = sayStatus("exception", { code: 500, message: lost });
        // Of several ends the first counts.
        await append([entry(task, line)], { id: `end:${task}` });
      }
    return running;
  }

  function publish({ kind, ...rest }: Live): Promise<void> {
    return store.publish(topic, JSON.stringify({ kind, epoch, ...rest }));
  }

  /**
   * Tells the entries after a position and then what comes, in order, each once. It ends when the session is cleared
   * or the signal is aborted. Of a task whose process has died it tells the end.
   *
   * @param isCleared whether the session was cleared meanwhile
   * @throws AppError `store_unavailable`
   */
  async function* follow(
    { after, task: only, hasDeltas = false, signal, finish }: FollowOptions,
    isCleared: () => Promise<boolean>,
  ): AsyncGenerator<Told, void, void> {
    const inbox = createInbox(epoch, hasDeltas, timers);
    const leave = await store.subscribe(
      topic,
      (text) => inbox.take(text),
      () => inbox.miss(),
    );
    const forget = [
      onAbort(signal, inbox.wake),
      ...(finish === undefined ? [] : [onAbort(finish, () => inbox.finish())]),
    ];
    const texts: ToldTexts = new Map();
    /** When it is time to see whether the tasks are still held. */
    let due = timers.now() + watchInterval;
    try {
      const length = await store.lengthOf(name);
      const open = new Set(only === undefined ? await findOpen() : [only]);
      let next = after === undefined ? length : Math.max(0, Math.min(after + 1, length));
      inbox.add({ kind: "more" });
      for (const task of hasDeltas ? open : []) inbox.add({ kind: "text", task });
      const tell = (told: Entry): Told => {
        if (told.session === id && isEnd(told)) open.delete(told.task);
        else if (told.session === id) open.add(told.task);
        // Its text is whole: pieces of it that come late say nothing new.
        if (told.answer !== undefined)
          texts.set(told.task, { answer: told.answer, length: Infinity });
        return { kind: "entry", at: next++, entry: told };
      };
      while (!signal.aborted) {
        if (inbox.takeMissed() || (open.size > 0 && timers.now() >= due)) {
          due = timers.now() + watchInterval;
          if (await isCleared()) return yield { kind: "over", isCleared: false };
          const held = await Promise.all([...open].map(isHeld));
          if (held.includes(false)) await findRunning();
          inbox.add({ kind: "more" });
        }
        const live = inbox.next();
        switch (live?.kind) {
          case undefined:
            if (inbox.isFinishing()) return;
            await inbox.wait(open.size > 0 ? due - timers.now() : undefined);
            break;
          case "more":
            for (let isMore = true; isMore && !signal.aborted;) {
              const page = await read(next, pageLength);
              for (const one of page) yield tell(one);
              isMore = page.length === pageLength;
            }
            break;
          case "text":
            yield* tellText(live.task, texts);
            break;
          case "delta":
            // Of a piece whose beginning was missed, what was saved comes first; without that it waits for the whole answer.
            if (live.from > lengthTold(texts, live)) yield* tellText(live.task, texts);
            yield* tellPiece(live, texts);
            break;
          case "again":
            if (live.at < next) yield { kind: "entry", at: live.at, entry: live.entry };
            break;
          case "clear":
            return yield { kind: "over", isCleared: live.isExpired !== true };
        }
      }
    } finally {
      for (const stop of forget) stop();
      leave();
    }
  }

  async function* tellText(task: string, texts: ToldTexts): AsyncGenerator<Told, void, void> {
    const found = await store.get(keyOf("part", task));
    const saved = found && (JSON.parse(found) as { answer: number; text: string });
    if (saved) yield* tellPiece({ task, from: 0, ...saved }, texts);
  }

  return {
    id,
    epoch,
    read,
    append,
    entry,
    isHeld,
    findRunning,
    publish,
    follow,
    length: () => store.lengthOf(name),
    /** All is gone that the log holds. */
    drop: () => store.delete(name),
    leaseKey: (task: string) => keyOf("task", task),
    /** What begins from now on waits until this task is over. */
    noteStop: (task: string) => store.put(keyOf("stop", task), "", { ttl }),
    /** Whether a task that has not ended was told to stop. */
    wasStopped: async (task: string) => (await store.get(keyOf("stop", task))) !== undefined,
    /** Nobody has to wait any more. */
    forgetStop: (task: string) => store.delete(keyOf("stop", task)),
    /** Keeps the text so far of an answer that is being written, for who comes later. */
    saveText: (task: string, answer: number, text: string) =>
      store.put(keyOf("part", task), JSON.stringify({ answer, text }), { ttl }),
    dropText: (task: string) => store.delete(keyOf("part", task)),
    /** Hears of stops, wherever they are asked for. @returns ends it */
    onStop: (listener: (task: string | undefined) => void) =>
      store.subscribe(topic, (text) => {
        // Most messages are something else, and long.
        if (!text.startsWith('{"kind":"stop"')) return;
        const live = JSON.parse(text) as Extract<Dated, { kind: "stop" }>;
        if (live.epoch === epoch) listener(live.task);
      }),
  };
}

/** What nobody has told yet of an answer that is being written. */
function* tellPiece(
  { task, answer, from, text }: { task: string } & Piece,
  texts: ToldTexts,
): Generator<Told, void, void> {
  const length = lengthTold(texts, { task, answer });
  if (from > length || from + text.length <= length) return;
  texts.set(task, { answer, length: from + text.length });
  yield { kind: "delta", task, text: text.slice(length - from) };
}

/** How much of an answer was told: all of it where a later one has begun. */
function lengthTold(texts: ToldTexts, { task, answer }: { task: string; answer: number }): number {
  const known = texts.get(task);
  if (known === undefined || known.answer < answer) return 0;
  return known.answer === answer ? known.length : Infinity;
}

const lost = "The server that ran this task has gone away. Please ask again.";

/** What was published and nobody has told yet. `text`: of a task the answer so far, as it was saved. */
type Waiting = Exclude<Live, { kind: "stop" }> | { kind: "text"; task: string };

function createInbox(epoch: number, hasDeltas: boolean, timers: Timers) {
  let waiting: Waiting[] = [];
  let clear: Waiting | undefined;
  let [isFinishing, hasMissed] = [false, false];
  let resume: (() => void) | undefined;
  const wake = (): void => resume?.();
  const add = (live: Waiting): void => {
    // Whoever is too slow hears of answers when they are whole.
    if (waiting.length >= maxWaiting)
      waiting = [...waiting.filter(({ kind }) => kind === "again"), { kind: "more" }];
    else if (live.kind !== "more" || waiting.at(-1)?.kind !== "more") waiting.push(live);
  };
  return {
    add,
    wake,
    take(text: string): void {
      if (text.startsWith('{"kind":"delta"') && !hasDeltas) return;
      const live = JSON.parse(text) as Dated;
      if (live.kind === "clear" && live.epoch >= epoch) clear = live;
      else if (live.kind === "clear" || live.kind === "stop" || live.epoch !== epoch) return;
      else add(live);
      wake();
    },
    miss(): void {
      hasMissed = true;
      wake();
    },
    /** Whether messages may have been lost since it was asked last. */
    takeMissed(): boolean {
      const had = hasMissed;
      hasMissed = false;
      return had;
    },
    next: (): Waiting | undefined => waiting.shift() ?? clear,
    isFinishing: (): boolean => isFinishing,
    finish(): void {
      isFinishing = true;
      add({ kind: "more" });
      wake();
    },
    /** Resolves when something has come, or after so many milliseconds. */
    async wait(milliseconds: number | undefined): Promise<void> {
      const stop = milliseconds === undefined ? undefined : timers.start(wake, milliseconds);
      await new Promise<void>((resolve) => (resume = resolve));
      stop?.();
      resume = undefined;
    },
  };
}
