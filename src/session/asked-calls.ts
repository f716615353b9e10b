// What a task asks the client of its session, and the one answer to it, whichever process that comes to.
import { AppError, type Message } from "../base/errors/app-error.ts";
import { untilAborted } from "../base/wire/patient-timer.ts";
import { changeValue } from "../store/store.ts";
import type { LogParts, SessionLog } from "./session-log.ts";

/** What came of a call that the client made itself, or whether a call may be made. */
export type ClientAnswer =
  | { id: string; result: unknown }
  | { id: string; hash: string; allow: boolean };

interface AskedCall {
  /** As the model named the call. */
  id: string;
  task: string;
  /** Of what the person is shown, where they are asked whether it may be done. */
  hash?: string;
}

interface Kept extends AskedCall {
  isOpen: boolean;
  answer?: ClientAnswer;
}

/** Milliseconds that the client has for an answer. */
const patience = 60_000;
/** Milliseconds in which an answer that is late, or the second one, is told so. */
const memory = 3_600_000;
/** Of an id of the model's, in characters. */
const maxId = 100;

export type AskedCalls = ReturnType<typeof createAskedCalls>;

export function createAskedCalls(log: SessionLog, { store, timers }: LogParts) {
  const keyOf = (id: string): string => `asked:{${log.id}}:${log.epoch}:${id}`;
  const change = (
    id: string,
    next: (kept: Kept | undefined) => Kept | undefined | Promise<Kept | undefined>,
  ): Promise<boolean> => changeValue(store, keyOf(id), next, memory);

  /** Models number their calls anew with each answer, so an id may be known. */
  async function keep(asked: AskedCall): Promise<string> {
    const wanted = asked.id.slice(0, maxId).toWellFormed() || "call";
    for (let nth = 1; ; nth++) {
      const id = nth === 1 ? wanted : `${wanted}-${asked.task}-${nth}`;
      if (await change(id, (kept) => (kept ? undefined : { ...asked, id, isOpen: true })))
        return id;
    }
  }

  /** From now on no answer counts; one that has come does. */
  async function close(id: string): Promise<ClientAnswer | undefined> {
    let answer: ClientAnswer | undefined;
    await change(id, (kept) => {
      answer = kept?.answer;
      return kept?.isOpen === true ? { ...kept, isOpen: false } : undefined;
    });
    return answer;
  }

  return {
    /**
     * @param tell tells the client of the call, by an id that no other call of the session has
     * @returns undefined where no answer came in time
     * @throws the signal's reason; AppError `store_unavailable`
     */
    async ask(
      asked: AskedCall,
      tell: (id: string) => Promise<unknown>,
      signal: AbortSignal,
    ): Promise<ClientAnswer | undefined> {
      const id = await keep(asked);
      let wake: (isLate: boolean) => void = () => undefined;
      let isLate = false;
      const look = (): void => wake(false);
      const leave = await store.subscribe(keyOf(id), look, look);
      const cancel = timers.start(() => wake(true), patience);
      try {
        await tell(id);
        while (!isLate) {
          const woken = new Promise<boolean>((resolve) => (wake = resolve));
          const kept = await store.get(keyOf(id));
          if (kept === undefined || !(JSON.parse(kept) as Kept).isOpen) break;
          isLate = await untilAborted(woken, signal);
        }
        signal.throwIfAborted();
        return await close(id);
      } catch (thrown) {
        await close(id).catch(() => undefined);
        throw thrown;
      } finally {
        cancel();
        leave();
      }
    },
    /** @throws AppError `not_found`, `call_settled` */
    async answer(answer: ClientAnswer): Promise<void> {
      const hash = "allow" in answer ? answer.hash : undefined;
      await change(answer.id, async (kept) => {
        if (kept === undefined || (kept.hash === undefined) !== (hash === undefined))
          throw new AppError("not_found", unknown, { param: "id" });
        if (!kept.isOpen || !(await log.isHeld(kept.task)))
          throw new AppError("call_settled", settled, { param: "id" });
        if (kept.hash !== hash) throw new AppError("call_settled", changed, { param: "hash" });
        return { ...kept, isOpen: false, answer };
      });
      await store.publish(keyOf(answer.id), "");
    },
  };
}

const unknown: Message = {
  en: "No call of this id was asked in this session. Answer with the id and at the session that the functionCall message names.",
  zh: "该会话中没有此 id 的调用。请使用 functionCall 消息中的 id，并在该消息所属的会话中答复。",
};
const settled: Message = {
  en: "This call waits for no answer any more: it was answered, came to its time limit of 60 s, or its task has ended.",
  zh: "该调用不再等待答复：已答复、已超过 60 秒，或任务已结束。",
};
const changed: Message = {
  en: "The hash is not that of the call that was shown. Send the hash of its functionCall message.",
  zh: "hash 与所显示的调用不符，请发送其 functionCall 消息中的 hash。",
};
