// The log of one session since it was last cleared, and how it is followed while it grows.
import { type AppendOptions, type Lease, type Store, pageLength, readLog } from "../store/store.ts";
import type { Timers } from "../base/wire/patient-timer.ts";
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

export class SessionLog {
  readonly id: string;
  readonly epoch: number;
  readonly #parts: LogParts;
  readonly #topic: string;
  readonly #name: string;
  /** Milliseconds after the last append. */
  readonly #ttl: number;

  constructor(id: string, epoch: number, ttl: number, parts: LogParts) {
    this.id = id;
    this.epoch = epoch;
    this.#ttl = ttl;
    this.#parts = parts;
    this.#topic = keysOf(id).topic;
    this.#name = `log:{${id}}:${epoch}`;
  }

  length(): Promise<number> {
    return this.#parts.store.lengthOf(this.#name);
  }

  /** The entries from a position on, `limit` at most. */
  async read(from?: number, limit?: number): Promise<Entry[]> {
    const texts = await readLog(this.#parts.store, this.#name, from, limit);
    // Nobody else writes there.
    return texts.map((text) => JSON.parse(text) as Entry);
  }

  /** The tasks that have begun and not ended; of a long log no more than a page is held. */
  async #listOpen(): Promise<string[]> {
    const marks: Entry[] = [];
    for (let from = 0; ; from += pageLength) {
      const page = await this.read(from, pageLength);
      marks.push(...page.filter(({ type }) => type === "status"));
      if (page.length < pageLength) return listOpen(marks, this.id);
    }
  }

  /**
   * Adds entries, once for each id, and tells who follows.
   *
   * @returns the position of the first; undefined where the lease is held no longer
   */
  async append(
    entries: readonly Entry[],
    given: Pick<AppendOptions, "id" | "lease">,
  ): Promise<number | undefined> {
    const texts = entries.map((entry) => JSON.stringify(entry));
    const options = { ...given, ttl: this.#ttl };
    const at = await this.#parts.store.append(this.#name, texts, options);
    if (at !== undefined) await this.publish({ kind: "more" });
    return at;
  }

  entry(task: string, line: Line, parent?: string): Entry {
    const ofParent = parent === undefined ? {} : { parent };
    return { ...line, session: this.id, task, ...ofParent, time: this.#parts.now() };
  }

  leaseKey(task: string): string {
    return `task:{${this.id}}:${this.epoch}:${task}`;
  }

  /** Whether a process runs the task. */
  async isHeld(task: string): Promise<boolean> {
    return (await this.#parts.store.get(this.leaseKey(task))) !== undefined;
  }

  /** What begins from now on waits until this task is over. */
  async noteStop(task: string): Promise<void> {
    await this.#parts.store.put(this.#stopKey(task), "", { ttl: this.#ttl });
  }

  /** Whether a task that has not ended was told to stop. */
  async wasStopped(task: string): Promise<boolean> {
    return (await this.#parts.store.get(this.#stopKey(task))) !== undefined;
  }

  /** Nobody has to wait any more. */
  async forgetStop(task: string): Promise<void> {
    await this.#parts.store.delete(this.#stopKey(task));
  }

  #stopKey(task: string): string {
    return `stop:{${this.id}}:${this.epoch}:${task}`;
  }

  /** The tasks that have begun, have not ended, and are run. Those whose process has died end here. */
  async findRunning(): Promise<string[]> {
    const running: string[] = [];
    for (const task of await this.#listOpen())
      if (await this.isHeld(task)) running.push(task);
      else await this.#endLost(task);
    return running;
  }

  async #endLost(task: string): Promise<void> {
    const line = sayStatus("exception", { code: 500, message: lost });
    // Of several ends the first counts.
    await this.append([this.entry(task, line)], { id: `end:${task}` });
  }

  /** Keeps the text so far of an answer that is being written, for who comes later. */
  async saveText(task: string, answer: number, text: string): Promise<void> {
    const value = JSON.stringify({ answer, text });
    await this.#parts.store.put(this.#textKey(task), value, { ttl: this.#ttl });
  }

  async dropText(task: string): Promise<void> {
    await this.#parts.store.delete(this.#textKey(task));
  }

  #textKey(task: string): string {
    return `part:{${this.id}}:${this.epoch}:${task}`;
  }

  async #readText(task: string): Promise<{ answer: number; text: string } | undefined> {
    const found = await this.#parts.store.get(this.#textKey(task));
    return found === undefined
      ? undefined
      : (JSON.parse(found) as { answer: number; text: string });
  }

  async publish({ kind, ...rest }: Live): Promise<void> {
    const text = JSON.stringify({ kind, epoch: this.epoch, ...rest });
    await this.#parts.store.publish(this.#topic, text);
  }

  /** Hears of stops, wherever they are asked for. @returns ends it */
  onStop(listener: (task: string | undefined) => void): Promise<() => void> {
    return this.#parts.store.subscribe(this.#topic, (text) => {
      // Most messages are something else, and long.
      if (!text.startsWith('{"kind":"stop"')) return;
      const live = JSON.parse(text) as Extract<Dated, { kind: "stop" }>;
      if (live.epoch === this.epoch) listener(live.task);
    });
  }

  /** All is gone that the log holds. */
  async drop(): Promise<void> {
    await this.#parts.store.delete(this.#name);
  }

  /**
   * Tells the entries after a position and then what comes, in order, each once. It ends when the session is cleared
   * or the signal is aborted. Of a task whose process has died it tells the end.
   *
   * @param isCleared whether the session was cleared meanwhile
   * @throws AppError `store_unavailable`
   */
  async *follow(
    { after, task: only, hasDeltas = false, signal, finish }: FollowOptions,
    isCleared: () => Promise<boolean>,
  ): AsyncGenerator<Told, void, void> {
    const { store, timers } = this.#parts;
    const inbox = new LiveInbox(this.epoch, hasDeltas, timers);
    const leave = await store.subscribe(this.#topic, inbox.take, inbox.miss);
    const wake = (): void => inbox.wake();
    const hurry = (): void => inbox.finish();
    signal.addEventListener("abort", wake);
    finish?.addEventListener("abort", hurry);
    if (finish?.aborted === true) hurry();
    const texts = new Map<string, { answer: number; length: number }>();
    /** When it is time to see whether the tasks are still held. */
    let due = timers.now() + watchInterval;
    try {
      const length = await this.length();
      const open = new Set(only === undefined ? await this.#listOpen() : [only]);
      let next = after === undefined ? length : Math.max(0, Math.min(after + 1, length));
      inbox.add({ kind: "more" });
      for (const task of hasDeltas ? open : []) inbox.add({ kind: "text", task });
      const tell = (entry: Entry): Told => {
        if (entry.session === this.id && isEnd(entry)) open.delete(entry.task);
        else if (entry.session === this.id) open.add(entry.task);
        // Its text is whole: pieces of it that come late say nothing new.
        if (entry.answer !== undefined)
          texts.set(entry.task, { answer: entry.answer, length: Infinity });
        return { kind: "entry", at: next++, entry };
      };
      while (!signal.aborted) {
        if (inbox.takeMissed() || (open.size > 0 && timers.now() >= due)) {
          due = timers.now() + watchInterval;
          if (await isCleared()) return yield { kind: "over", isCleared: false };
          const held = await Promise.all([...open].map((task) => this.isHeld(task)));
          if (held.includes(false)) await this.findRunning();
          inbox.add({ kind: "more" });
        }
        const live = inbox.next();
        switch (live?.kind) {
          case undefined:
            if (inbox.isFinishing) return;
            await inbox.wait(open.size > 0 ? due - timers.now() : undefined);
            break;
          case "more":
            for (let isMore = true; isMore && !signal.aborted;) {
              const page = await this.read(next, pageLength);
              for (const entry of page) yield tell(entry);
              isMore = page.length === pageLength;
            }
            break;
          case "text":
            yield* this.#tellText(live.task, texts);
            break;
          case "delta":
            yield* this.#tellPiece(live, texts);
            break;
          case "again":
            if (live.at < next) yield { kind: "entry", at: live.at, entry: live.entry };
            break;
          case "clear":
            return yield { kind: "over", isCleared: live.isExpired !== true };
        }
      }
    } finally {
      signal.removeEventListener("abort", wake);
      finish?.removeEventListener("abort", hurry);
      leave();
    }
  }

  async *#tellText(
    task: string,
    texts: Map<string, { answer: number; length: number }>,
  ): AsyncGenerator<Told, void, void> {
    const saved = await this.#readText(task);
    if (saved === undefined) return;
    const length = lengthTold(texts.get(task), saved.answer);
    if (saved.text.length <= length) return;
    texts.set(task, { answer: saved.answer, length: saved.text.length });
    yield { kind: "delta", task, text: saved.text.slice(length) };
  }

  /** Of a piece whose beginning was missed, what was saved comes first; without that it waits for the whole answer. */
  async *#tellPiece(
    { task, answer, from, text }: { task: string } & Piece,
    texts: Map<string, { answer: number; length: number }>,
  ): AsyncGenerator<Told, void, void> {
    if (from > lengthTold(texts.get(task), answer)) yield* this.#tellText(task, texts);
    const length = lengthTold(texts.get(task), answer);
    if (from > length || from + text.length <= length) return;
    texts.set(task, { answer, length: from + text.length });
    yield { kind: "delta", task, text: text.slice(length - from) };
  }
}

/** How much of an answer was told: all of it where a later one has begun. */
function lengthTold(known: { answer: number; length: number } | undefined, answer: number): number {
  if (known === undefined || known.answer < answer) return 0;
  return known.answer === answer ? known.length : Infinity;
}

const lost = "The server that ran this task has gone away. Please ask again.";

/** What was published and nobody has told yet. `text`: of a task the answer so far, as it was saved. */
type Waiting = Exclude<Live, { kind: "stop" }> | { kind: "text"; task: string };

class LiveInbox {
  readonly #epoch: number;
  readonly #hasDeltas: boolean;
  readonly #timers: Timers;
  #waiting: Waiting[] = [];
  #clear: Waiting | undefined;
  #isFinishing = false;
  #hasMissed = false;
  #wake: (() => void) | undefined;

  constructor(epoch: number, hasDeltas: boolean, timers: Timers) {
    this.#epoch = epoch;
    this.#hasDeltas = hasDeltas;
    this.#timers = timers;
  }

  readonly take = (text: string): void => {
    if (text.startsWith('{"kind":"delta"') && !this.#hasDeltas) return;
    const live = JSON.parse(text) as Dated;
    if (live.kind === "clear" && live.epoch >= this.#epoch) this.#clear = live;
    else if (live.kind === "clear" || live.kind === "stop" || live.epoch !== this.#epoch) return;
    else this.add(live);
    this.wake();
  };

  readonly miss = (): void => {
    this.#hasMissed = true;
    this.wake();
  };

  /** Whether messages may have been lost since it was asked last. */
  takeMissed(): boolean {
    const hasMissed = this.#hasMissed;
    this.#hasMissed = false;
    return hasMissed;
  }

  add(live: Waiting): void {
    // Whoever is too slow hears of answers when they are whole.
    if (this.#waiting.length >= maxWaiting)
      this.#waiting = [...this.#waiting.filter(({ kind }) => kind === "again"), { kind: "more" }];
    else if (live.kind !== "more" || this.#waiting.at(-1)?.kind !== "more")
      this.#waiting.push(live);
  }

  next(): Waiting | undefined {
    return this.#waiting.shift() ?? this.#clear;
  }

  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  finish(): void {
    this.#isFinishing = true;
    this.add({ kind: "more" });
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  /** Resolves when something has come, or after so many milliseconds. */
  async wait(milliseconds: number | undefined): Promise<void> {
    const stop =
      milliseconds === undefined ? undefined : this.#timers.start(() => this.wake(), milliseconds);
    await new Promise<void>((resolve) => (this.#wake = resolve));
    stop?.();
    this.#wake = undefined;
  }
}
