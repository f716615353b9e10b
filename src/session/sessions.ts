// Conversations that are kept in a store: whose they are, their tasks, how they are stopped, cleared and followed.
import { AppError } from "../base/errors/app-error.ts";
import { cutName } from "../base/errors/names.ts";
import { type Caller, nameCaller } from "../turn/chat-model.ts";
import { invalidRequest } from "../turn/agents/resolve-turn.ts";
import { type TextSeal, hashText } from "../turn/state/sealed-state.ts";
import { sleep } from "../base/wire/patient-timer.ts";
import { type Connections, ownerOf } from "../run/admissions.ts";
import { type Lease, type Store, changeValue, takeLease } from "../store/store.ts";
import { type ClientAnswer, createAskedCalls } from "./asked-calls.ts";
import { type Entry, type Line, isStart, listOpen, sayContents, sayStatus } from "./entry.ts";
import { type House, type TaskRun, beginTask } from "./task-run.ts";
import {
  type FollowOptions,
  type Told,
  createSessionLog,
  keepLease,
  keysOf,
  leaseTime,
} from "./session-log.ts";
import type {
  AskedTask,
  Head,
  OtherSessions,
  ParentTask,
  Session,
  SessionLimits,
  SessionOptions,
  StartedTask,
  SubAgent,
} from "./session.ts";
import { maxDepth } from "./sub-agents.ts";

export interface SessionParts extends House {
  store: Store;
  seal: TextSeal;
  limits: SessionLimits;
}

const hour = 3_600_000;
const day = 24 * hour;
/** How long a session is kept that nobody uses, in milliseconds, and longer where its time-out is. */
const lifetime = 7 * day;
/** What was said is kept for so much longer than the time-out, for tasks that take long. */
const grace = day;
/** How long `stop` waits for tasks to end, in milliseconds. */
const maxStopWait = 400;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(parts: SessionParts) {
  const { store, seal, limits, createId, timers, now } = parts;
  /** Those that run or wait here. */
  const runs = new Set<TaskRun>();
  /** By the list of an owner: the last session that is being added to it. */
  const enlisting = new Map<string, Promise<unknown>>();
  const runsOf = ({ id }: Session): TaskRun[] =>
    [...runs].filter(({ session }) => session.id === id);
  const toSession = (id: string, head: Head): Session => {
    return { id, head, log: createSessionLog(id, head.epoch, head.timeout + grace, parts) };
  };

  /**
   * @returns its id, which nobody can guess
   * @throws AppError `invalid_request` with the path, `host_forbidden`, `rate_limited` for too many sessions
   */
  async function init(options: SessionOptions, caller: Caller): Promise<string> {
    const owner = ownerOf(caller);
    const depth = await measureDepth(options.sessionList, caller);
    // What cannot be used is told now, not with the first task.
    parts.openModel(options.llmConfig);
    for (const { llmConfig } of options.reflectors ?? []) parts.openModel(llmConfig);
    await parts.openTools(options.openSpecList, {
      narrowed: options.toolPolicy,
      mcpServers: options.mcpServers,
      askClient: async () => undefined,
    });
    const id = createId();
    const { timeoutSeconds, strategy } = options;
    const timeout = timeoutSeconds * 1_000;
    const head: Head = { format: 1, owner, used: now(), epoch: 0, timeout, strategy, depth };
    const keys = keysOf(id);
    const ttl = lifetimeOf(head);
    await store.put(keys.options, await seal.seal(JSON.stringify(options), bindingOf(id)), { ttl });
    await store.put(keys.head, JSON.stringify(head), { ttl });
    try {
      // Last: one of the list that is not there yet would be taken for one that is gone.
      await enlist(owner, id);
    } catch (thrown) {
      await Promise.allSettled([store.delete(keys.head), store.delete(keys.options)]);
      throw thrown;
    }
    return id;
  }

  /** @throws AppError `not_found`, also for sessions of others */
  async function find(id: string, caller: Caller): Promise<Session> {
    const session = await lookUp(id);
    if (session === undefined || session.head.owner !== ownerOf(caller)) throw unknownSession();
    return expire(session);
  }

  /** @throws AppError `store_unavailable` where it was sealed with a key that is not known here */
  async function readOptions({ id }: Pick<Session, "id">): Promise<SessionOptions> {
    const found = await store.get(keysOf(id).options);
    if (found === undefined) throw unknownSession();
    const text = await seal.open(found, bindingOf(id)).catch(foreignKey);
    return JSON.parse(text) as SessionOptions;
  }

  /**
   * Begins a task; one that is known by its name already, and asks the same, is not begun again.
   *
   * @param parent the task that this one works for
   * @throws AppError `rate_limited` where there are too many, or the session is full; `session_busy`; `invalid_request`
   *   where the name is that of a task that asked something else
   */
  async function start(
    session: Session,
    asked: AskedTask,
    parent?: ParentTask,
  ): Promise<StartedTask> {
    const { log, head } = session;
    const task = asked.task ?? createId();
    const ofEpoch = runsOf(session).filter((run) => run.session.log.epoch === log.epoch);
    const here = ofEpoch.find((run) => run.task === task);
    const known = async (at: number, run?: TaskRun): Promise<StartedTask> => {
      const first = (await log.read())[at + 1];
      const said = JSON.stringify(sayContents(asked.contents).message);
      if (first?.task === task && JSON.stringify(first.message) !== said) throw isAnother(task);
      return { task, at, ...(run === undefined ? {} : { run }) };
    };
    if (here !== undefined) return known(await here.begun, here);
    const lease = await takeLease(store, log.leaseKey(task), createId(), leaseTime);
    if (lease === undefined) return known(await findStart(session, task));
    let isKept = false;
    try {
      const length = await log.length();
      // Only a task with a name of its client's can have been begun before.
      const told = asked.task === undefined ? [] : await log.read();
      const before = told.findIndex((entry) => isStartOf(entry, session, task));
      if (before >= 0) {
        await lease.release();
        // Whoever ran it may have died.
        if (listOpen(told, session.id).includes(task)) await log.findRunning();
        return await known(before);
      }
      if (length >= limits.maxHistory) throw isFull(limits.maxHistory);
      if (head.strategy === "reject")
        if (runsOf(session).length > 0 || (await log.findRunning()).length > 0) throw isBusy();
      checkTasks(head.owner);
      const options = { task, lease, admission: parts.admit(asked.caller), parent };
      const run = beginTask({ ...parts, sessions: others }, session, asked, options);
      isKept = true;
      void serve(run);
      return { task, at: await run.begun, run };
    } finally {
      if (!isKept) await lease.release();
    }
  }

  /**
   * Stops one task of a session, or all, also those that wait, in whichever process. Where nothing runs, who follows
   * hears once more that the last task has stopped. It takes half a second at most.
   */
  async function stop(session: Session, task?: string): Promise<void> {
    const { log } = session;
    const running = (await log.findRunning()).filter((one) => task === undefined || one === task);
    if (running.length === 0) return tellStopped(session, task);
    await Promise.all(running.map(log.noteStop));
    await log.publish(task === undefined ? { kind: "stop" } : { kind: "stop", task });
    const here = runsOf(session).filter((run) => running.includes(run.task));
    const waited = new AbortController();
    const late = sleep(maxStopWait, timers, waited.signal).catch(() => undefined);
    await Promise.race([Promise.all(here.map(({ done }) => done)), late]);
    waited.abort();
  }

  /** Stops everything, forgets what was said, and ends whoever follows. */
  async function clear(session: Session): Promise<void> {
    if ((await session.log.findRunning()).length > 0) await stop(session);
    await advance(session);
    await session.log.publish({ kind: "clear" });
  }

  /** Tells the messages of a session, as its log does. */
  function follow(session: Session, options: FollowOptions): AsyncGenerator<Told, void, void> {
    return session.log.follow(options, async () => {
      const found = await lookUp(session.id);
      return found?.head.epoch !== session.head.epoch;
    });
  }

  async function serve(run: TaskRun): Promise<void> {
    const { session } = run;
    // What a task that was stopped still writes is known to the next one.
    const before = runsOf(session).filter(
      ({ isStopped }) => session.head.strategy === "serial" || isStopped,
    );
    runs.add(run);
    try {
      await run.serve(before.map(({ done }) => done));
      await keep(session);
    } catch {
      // The store is gone: whoever follows hears of that by themselves.
    } finally {
      runs.delete(run);
    }
  }

  async function lookUp(id: string): Promise<Session | undefined> {
    if (!/^[\w-]{1,64}$/.test(id)) return undefined;
    const found = await store.get(keysOf(id).head);
    return found === undefined ? undefined : toSession(id, JSON.parse(found) as Head);
  }

  /** What was said is forgotten when nothing was for too long. */
  async function expire(session: Session): Promise<Session> {
    const { log, head } = session;
    const { length, last } = await readLast(session);
    if (last === undefined || now() - last.time < head.timeout) return session;
    if ((await log.findRunning()).length > 0) return session;
    // A task that was found dead has ended just now.
    if ((await log.length()) > length) return session;
    const next = await advance(session);
    await log.publish({ kind: "clear", isExpired: true });
    return next;
  }

  async function readLast({ log }: Session): Promise<{ length: number; last?: Entry | undefined }> {
    const length = await log.length();
    return { length, last: length === 0 ? undefined : (await log.read(length - 1, 1))[0] };
  }

  async function advance({ id, head, log }: Session): Promise<Session> {
    let kept = head;
    const forget = (found: Head | undefined): Head | undefined => {
      if (found === undefined) throw unknownSession();
      kept = found;
      // Somebody else may have done the same.
      return found.epoch === head.epoch ? { ...found, epoch: head.epoch + 1 } : undefined;
    };
    const isForgotten = await changeValue(store, keysOf(id).head, forget, lifetimeOf(head));
    if (!isForgotten) return toSession(id, kept);
    await log.drop();
    return toSession(id, { ...kept, epoch: head.epoch + 1 });
  }

  /** A session that is used is kept on; to write that with each task would cost as much as the task. */
  async function keep({ id, head }: Session): Promise<void> {
    const used = now();
    if (used - (head.used ?? -Infinity) < hour) return;
    const { head: key, options } = keysOf(id);
    const ttl = lifetimeOf(head);
    await changeValue<Head>(store, key, (kept) => kept && { ...kept, used }, ttl);
    const sealed = await store.get(options);
    if (sealed !== undefined) await store.put(options, sealed, { ttl });
  }

  /**
   * Of one owner one after the other, since many at once would each make all others try again. What one fails of, those
   * behind it would fail of, too.
   *
   * @throws AppError `rate_limited`
   */
  async function enlist(owner: string, id: string): Promise<void> {
    const key = `owner:{${await hashText(owner)}}`;
    const add = async (kept: readonly string[] = []): Promise<string[]> => {
      const ids = kept.length < limits.maxSessions ? kept : await listKept(kept);
      if (ids.length >= limits.maxSessions) throw tooManySessions(limits.maxSessions);
      return [...ids, id];
    };
    const before = enlisting.get(key);
    const enlisted = Promise.resolve(before).then(() => changeValue(store, key, add));
    enlisting.set(key, enlisted);
    try {
      await enlisted;
    } finally {
      if (enlisting.get(key) === enlisted) enlisting.delete(key);
    }
  }

  async function listKept(ids: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    for (const id of ids) if ((await store.get(keysOf(id).head)) !== undefined) kept.push(id);
    return kept;
  }

  /** @throws AppError `invalid_request` for sessions that are not there, or lie too deep */
  async function measureDepth(list: readonly SubAgent[], caller: Caller): Promise<number> {
    let depth = 0;
    for (const [nth, { id }] of list.entries()) {
      const path = `sessionList[${nth}].id`;
      const found = await find(id, caller).catch((thrown: unknown) => {
        if (thrown instanceof AppError && thrown.code === "not_found") return undefined;
        throw thrown;
      });
      if (found === undefined)
        throw invalidRequest([{ path, message: "no such session", zh: "没有这个会话" }]);
      depth = Math.max(depth, found.head.depth + 1);
      if (depth > maxDepth) {
        const message = `sub-agents nest at most ${maxDepth} deep`;
        throw invalidRequest([{ path, message, zh: `子智能体最多嵌套 ${maxDepth} 层` }]);
      }
    }
    return depth;
  }

  /** The position of a task's first message, which another process is just writing. */
  async function findStart(session: Session, task: string): Promise<number> {
    const signal = AbortSignal.timeout(maxStopWait);
    for await (const told of follow(session, { after: -1, task, signal }))
      if (told.kind === "entry" && isStartOf(told.entry, session, task)) return told.at;
    throw isBusy();
  }

  async function tellStopped(session: Session, wanted: string | undefined): Promise<void> {
    const { id, log } = session;
    const { length, last } = await readLast(session);
    if (last === undefined) return;
    const task = wanted ?? (last.session === id ? last.task : (last.parent ?? last.task));
    if (isStop(last) && last.task === task)
      return log.publish({ kind: "again", at: length - 1, entry: last });
    if (wanted !== undefined && !(await log.read()).some((entry) => entry.task === wanted)) return;
    await log.append([log.entry(task, sayStatus("stop"))], { id: `stopped:${length}` });
  }

  /** @throws AppError `rate_limited` */
  function checkTasks(owner: string): void {
    const { maxSessionTasks: most } = limits;
    if ([...runs].filter(({ session }) => session.head.owner === owner).length < most) return;
    const message = {
      en: `You have ${most} tasks running or waiting, and no more are allowed at once.`,
      zh: `您有 ${most} 个任务正在运行或排队，已达到上限。`,
    };
    throw new AppError("rate_limited", message, { retryAfter: 1 });
  }

  const others: OtherSessions = { limits, find, readOptions, start };
  return {
    ...others,
    init,
    stop,
    clear,
    follow,
    /** Takes a client's answer to a call; see {@link createAskedCalls}. */
    answer: ({ log }: Session, answer: ClientAnswer) => createAskedCalls(log, parts).answer(answer),
    /** Resolves when all tasks of this process are over. */
    async settled(): Promise<void> {
      for (const { done } of runs) await done;
    },
  };
}

function bindingOf(id: string): string[] {
  return ["session", id];
}

function foreignKey(cause: unknown): never {
  const message = {
    en: "This session was sealed with a key that this server does not have. Give all servers the same RIGHTSEAT_STATE_KEYS.",
    zh: "该会话使用此服务没有的密钥加密。请为所有服务设置相同的 RIGHTSEAT_STATE_KEYS。",
  };
  throw new AppError("store_unavailable", message, { cause });
}

function lifetimeOf({ timeout }: Pick<Head, "timeout">): number {
  return Math.max(lifetime, timeout + grace);
}

function isStartOf(entry: Entry, { id }: Pick<Session, "id">, task: string): boolean {
  return entry.session === id && entry.task === task && isStart(entry);
}

function isStop(entry: Line): boolean {
  return entry.type === "status" && entry.message.status === "stop";
}

function unknownSession(): AppError {
  return new AppError(
    "not_found",
    {
      en: "There is no such session. Begin one by POST /api/init.",
      zh: "没有这个会话，请通过 POST /api/init 新建会话。",
    },
    { param: "id" },
  );
}

function isBusy(): AppError {
  return new AppError("session_busy", {
    en: "This session runs another task, and takes one at a time.",
    zh: "该会话正在执行另一个任务，一次只接受一个任务。",
  });
}

function isAnother(task: string): AppError {
  const message = {
    en: `The taskId ${cutName(task)} is that of a task that asked something else. Choose another one.`,
    zh: `taskId ${cutName(task)} 属于另一个内容不同的任务，请换一个。`,
  };
  return new AppError("invalid_request", message, { param: "taskId" });
}

function isFull(most: number): AppError {
  return new AppError("rate_limited", {
    en: `This session has ${most} messages, and no more are allowed. Clear it, or begin another one.`,
    zh: `该会话已有 ${most} 条消息，已达到上限。请清空会话，或新建会话。`,
  });
}

function tooManySessions(most: number): AppError {
  return new AppError("rate_limited", {
    en: `You have ${most} sessions, and no more are allowed.`,
    zh: `您已有 ${most} 个会话，已达到上限。`,
  });
}

/**
 * Counts the connections of all processes of a store: a caller has as many places as connections are allowed, and a
 * connection holds the lease of one. Those of a process that has died are free after a while.
 *
 * @param most of one caller that is known by key or token; callers that nobody knows are not counted
 */
export function createSharedConnections(
  most: number,
  { store, timers, createId }: Pick<SessionParts, "store" | "timers" | "createId">,
) {
  /** What gives back each place that is taken. */
  const taken = new Set<() => Promise<void>>();
  /** The place that is tried first: those before it are likely to be taken. */
  let next = 0;

  async function take(owner: string): Promise<Lease | undefined> {
    const [token, first] = [createId(), next++];
    for (let nth = 0; nth < most; nth += 1) {
      const key = `connection:{${owner}}:${(first + nth) % most}`;
      const lease = await takeLease(store, key, token, leaseTime);
      if (lease !== undefined) return lease;
    }
    return undefined;
  }

  const connections: Connections & { close(): Promise<void> } = {
    /** @throws AppError `store_unavailable` */
    async open(caller) {
      const who = nameCaller(caller);
      if (who === undefined) return () => undefined;
      const lease = await take(await hashText(who));
      if (lease === undefined) return undefined;
      const { key, token } = lease;
      // Where a store came back empty, the place is taken again.
      const takeAgain = () => takeLease(store, key, token, leaseTime).catch(() => undefined);
      const stop = keepLease(lease, timers, takeAgain);
      const leave = async (): Promise<void> => {
        if (!taken.delete(leave)) return;
        stop();
        // Where the store is away, it ends by itself.
        await lease.release().catch(() => undefined);
      };
      taken.add(leave);
      return () => void leave();
    },
    /** What this process has open counts no more. */
    close: async () => void (await Promise.all([...taken].map((leave) => leave()))),
  };
  return connections;
}
