import { AppError } from "../../base/errors/app-error.ts";
import type { Channel } from "../../base/wire/channel.ts";
import { createPatientTimer, type Timers, untilAborted } from "../../base/wire/patient-timer.ts";

/** The services of the document, with its keys, and ours. */
export interface IdeCalls {
  "/get_document_symbols": { abspath: string };
  "/find_def_locations": { abspath: string; line: number; character: number };
  "/find_type_def_locations": { abspath: string; line: number; character: number };
  /** Ours: the text of a file. */
  "/read_file": { abspath: string };
  /** Ours: the paths of the project's files below a folder, relative to it. */
  "/list_files": { abspath: string };
  /**
   * Ours: writes a file, or deletes it (`text` is null), once the person has agreed. `before_hash` is the SHA-256 of
   * the text as `/read_file` gives it; null: there is no such file yet.
   */
  "/write_file": { abspath: string; before_hash: string | null; text: string | null };
}

export type IdePath = keyof IdeCalls;

/** The services of the document come first, the one that writes last. */
export const idePaths: readonly IdePath[] = [
  "/get_document_symbols",
  "/find_def_locations",
  "/find_type_def_locations",
  "/read_file",
  "/list_files",
  "/write_file",
];

/** What a plugin answers: what it found, or why not. */
export type IdeReply = { ok: true; result: unknown } | { ok: false; error: string };

/** How long a plugin may take, in milliseconds. */
const maxWait = 10_000;
/** How long its person may think about a change, in milliseconds. */
const maxThought = 10 * 60_000;
/** How long the next tasks do without a plugin that stayed silent, in milliseconds. */
const maxRest = 60_000;
/** Calls that wait for their answers: more than a function's names need. */
const maxPending = 64;

export type IdeServices = ReturnType<typeof createIdeServices>;

/**
 * Asks the plugin at the other end of a connection: `{ide_request_id, path, params}`.
 *
 * @param onSilence is told that the plugin rests
 */
export function createIdeServices(channel: Channel, timers: Timers, onSilence?: () => void) {
  const offered = new Set<IdePath>();
  /** Those that stayed silent in the current task. */
  const silent = new Set<IdePath>();
  /** What takes the reply to each call. */
  const pending = new Map<string, (reply: IdeReply) => void>();
  let [restUntil, count] = [-Infinity, 0];
  /** The current task does without any. */
  let isResting = false;

  /**
   * Calls a service. One that stays silent is not called again in this task, and tasks that begin within the next
   * minute do without all of them, whatever the plugin announces.
   *
   * @throws AppError `ide_timeout` where no answer comes in time; the signal's reason once it is aborted
   */
  async function ask<Path extends IdePath>(
    path: Path,
    params: IdeCalls[Path],
    signal: AbortSignal,
  ): Promise<IdeReply> {
    signal.throwIfAborted();
    if (!services.has(path)) return { ok: false, error: "This service is not offered." };
    if (pending.size >= maxPending) return { ok: false, error: "Too many calls at once." };
    const id = `ide-${++count}`;
    const { promise, resolve, reject } = Promise.withResolvers<IdeReply>();
    const wait = path === "/write_file" ? maxThought : maxWait;
    const timer = createPatientTimer(timers, () => {
      silent.add(path);
      if (services.rest === 0) {
        services.rest = maxRest;
        onSilence?.();
      }
      reject(stayedSilent(path, wait));
    });
    pending.set(id, resolve);
    timer.set(wait);
    try {
      channel.send(JSON.stringify({ ide_request_id: id, path, params }));
      return await untilAborted(promise, signal);
    } finally {
      timer.stop();
      pending.delete(id);
    }
  }

  const services = {
    ask,
    /** The folder of the project, as the plugin's system writes it; "" if the plugin did not say. */
    root: "",
    /** What the plugin has announced, as far as it is known here. */
    get offered(): readonly IdePath[] {
      return [...offered];
    },
    /** Whether it may be asked in the current task. */
    has: (path: IdePath): boolean => offered.has(path) && !isResting && !silent.has(path),
    /** Milliseconds for which tasks that begin do without all services, since one stayed silent. */
    get rest(): number {
      return Math.max(0, restUntil - timers.now());
    },
    set rest(milliseconds: number) {
      restUntil = timers.now() + Math.min(milliseconds, maxRest);
    },
    /** A task begins. */
    begin(): void {
      isResting = services.rest > 0;
      silent.clear();
    },
    /** What a plugin says about itself, in a request or a hello; what it does not mention stays as it was. */
    announce(given: unknown, root: unknown): void {
      if (typeof root === "string") services.root = root;
      if (typeof given !== "boolean" && !Array.isArray(given)) return;
      const ofDocument = given === true ? idePaths.slice(0, 3) : [];
      const list: readonly unknown[] = Array.isArray(given) ? given : ofDocument;
      offered.clear();
      for (const path of idePaths)
        if (list.includes(path) || list.includes(path.slice(1))) offered.add(path);
    },
    /**
     * The result of a service as it came; undefined where the plugin does not offer it, or answers with an error.
     *
     * @throws as `ask` does
     */
    async call<Path extends IdePath>(
      path: Path,
      params: IdeCalls[Path],
      signal: AbortSignal,
    ): Promise<unknown> {
      const reply = await ask(path, params, signal);
      return reply.ok ? reply.result : undefined;
    },
    /** Takes `{ide_request_id, result | error}`; what nobody waits for, any more or yet again, is passed over. */
    take({ ide_request_id: id, result, error }: Record<string, unknown>): void {
      if (typeof id !== "string") return;
      const isFound = error === undefined || error === null;
      const reason = typeof error === "string" ? error : "";
      pending.get(id)?.(isFound ? { ok: true, result } : { ok: false, error: reason });
    },
  };
  return services;
}

function stayedSilent(path: IdePath, wait: number): AppError {
  const seconds = wait / 1_000;
  return new AppError("ide_timeout", {
    en: `The IDE offers ${path}, but did not answer it within ${seconds} seconds. Please try again: for a minute the agent goes on without the services of the IDE.`,
    zh: `IDE 提供 ${path} 服务，但在 ${seconds} 秒内没有应答。请重试：一分钟之内，智能体不会再调用 IDE 的服务。`,
  });
}
