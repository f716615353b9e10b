// A store in Durable Objects: one for all that has the same `{id}`. What is published goes over WebSockets, which the
// object of the topic holds and may sleep by.
import { type Timers, sleep } from "../base/wire/patient-timer.ts";
import {
  type DurableObject,
  type FindObject,
  type RuntimeSocket,
  createSocketPair,
  openSocketTo,
  upgradeWith,
} from "../base/wire/worker-sockets.worker.ts";
import { type SqlTables, createSqlTables } from "./sql-tables.ts";
import { type PutOptions, type Store, askTables, storeOf, storeUnavailable } from "./store.ts";

/** What this needs of the runtime's state of an object. */
interface ObjectState {
  storage: {
    sql: {
      exec(statement: string, ...values: unknown[]): { toArray(): Record<string, unknown>[] };
    };
    transactionSync<Result>(work: () => Result): Result;
    getAlarm(): Promise<number | null>;
    setAlarm(time: number): Promise<void>;
    deleteAll(): Promise<void>;
  };
  acceptWebSocket(socket: RuntimeSocket): void;
  getWebSockets(): RuntimeSocket[];
}

/** When an object of which something was deleted looks whether it is empty, in milliseconds. */
const deleteDelay = 60_000;
/** How long messages wait for those before them, in milliseconds. */
const maxTurn = 2_000;
/** Between two tries to listen on, in milliseconds. */
const retryDelay = 1_000;

/** What an object is asked: the name of a call, its key, and the rest. */
type Call = readonly [name: string, key: string, ...rest: unknown[]];

/**
 * The class of the objects.
 *
 * @param now milliseconds since 1970
 */
export function createStoreObject(now: () => number) {
  return class StoreObject {
    readonly #state: ObjectState;
    readonly #tables: SqlTables;
    #hasTables = false;

    constructor(state: ObjectState) {
      this.#state = state;
      const { sql } = state.storage;
      this.#tables = createSqlTables((text, ...values) => sql.exec(text, ...values).toArray(), now);
    }

    async fetch(request: Request): Promise<Response> {
      if (request.headers.get("upgrade") !== null) return this.#listen(request);
      // Only this class's client calls.
      const answer = await this.#answer((await request.json()) as Call);
      return Response.json({ answer });
    }

    webSocketClose(socket: RuntimeSocket): void {
      socket.close();
    }

    /** Throws away what is over, and all where nothing is left. */
    async alarm(): Promise<void> {
      const next = this.#transact((tables) => {
        tables.sweep();
        return tables.nextEnd();
      });
      if (next !== undefined && next !== Infinity) await this.#state.storage.setAlarm(next);
      if (next !== undefined) return;
      this.#hasTables = false;
      await this.#state.storage.deleteAll();
    }

    async #answer([name, key, ...rest]: Call): Promise<unknown> {
      if (name === "publish") {
        for (const socket of this.#state.getWebSockets())
          if (socket.deserializeAttachment() === key)
            for (const message of rest) socket.send(String(message));
        return undefined;
      }
      if (name === "put" || name === "append")
        await this.#wakeIn((rest[1] as PutOptions | undefined)?.ttl);
      if (name === "delete") await this.#wakeIn(deleteDelay);
      return this.#transact((tables) => askTables(tables, name, [key, ...rest]));
    }

    #listen(request: Request): Response {
      const { 0: client, 1: server } = createSocketPair();
      this.#state.acceptWebSocket(server);
      server.serializeAttachment(new URL(request.url).searchParams.get("topic"));
      return upgradeWith(client);
    }

    #transact<Result>(work: (tables: SqlTables) => Result): Result {
      return this.#state.storage.transactionSync(() => {
        if (!this.#hasTables) this.#tables.migrate();
        this.#hasTables = true;
        return work(this.#tables);
      });
    }

    /** Has the alarm come by then. */
    async #wakeIn(ttl: number | undefined): Promise<void> {
      if (ttl === undefined) return;
      const [planned, end] = [await this.#state.storage.getAlarm(), now() + ttl];
      if (planned === null || planned > end) await this.#state.storage.setAlarm(end);
    }
  };
}

/** @param timers for a connection to an object that was lost: it is tried again */
export function createDurableStore(findObject: FindObject, timers: Timers): Store {
  const call = (name: string, [key, ...rest]: readonly unknown[]): Promise<unknown> =>
    ask(findObject(objectOf(String(key))), [name, String(key), ...rest]);
  const send = createOutbox((topic, messages) => call("publish", [topic, ...messages]), timers);
  return storeOf(call, {
    publish: (topic, message) => send(topic, message).catch(refuse),
    subscribe: (topic, listener, onGap) =>
      follow(findObject(objectOf(topic)), timers, topic, listener, onGap).catch(refuse),
    close: async () => undefined,
  });
}

function refuse(thrown: unknown): never {
  throw storeUnavailable(thrown);
}

/** The object that has a key: what is between its braces, or else all of it, names it. */
function objectOf(key: string): string {
  const start = key.indexOf("{") + 1;
  const end = key.indexOf("}", start);
  return start > 0 && end > start ? `id:${key.slice(start, end)}` : `key:${key}`;
}

async function ask(object: DurableObject, call: Call): Promise<unknown> {
  const request = new Request("https://store.invalid/", {
    method: "POST",
    body: JSON.stringify(call),
  });
  const response = await object.fetch(request);
  if (!response.ok) throw new Error(`The object answered with status ${response.status}.`);
  const { answer } = (await response.json()) as { answer: unknown };
  return answer;
}

/** Sends what waits for one topic at once, and the next when that has arrived, so that it keeps its order. */
function createOutbox(
  send: (topic: string, messages: readonly string[]) => Promise<unknown>,
  timers: Timers,
): Store["publish"] {
  const waiting = new Map<string, { messages: string[]; sent: Promise<void> }>();
  const sending = new Map<string, Promise<void>>();
  const sendAfter = async (topic: string, messages: readonly string[]): Promise<void> => {
    const done = new AbortController();
    const before = sending.get(topic)?.catch(() => undefined);
    // Of a request that was cut off nothing is heard any more.
    const patience = sleep(maxTurn, timers, done.signal).catch(() => undefined);
    await Promise.race([before, patience]);
    done.abort();
    waiting.delete(topic);
    await send(topic, messages);
  };
  return (topic, message) => {
    const batch = waiting.get(topic);
    if (batch !== undefined) {
      batch.messages.push(message);
      return batch.sent;
    }
    const messages = [message];
    const sent = sendAfter(topic, messages).finally(() => {
      if (sending.get(topic) === sent) sending.delete(topic);
    });
    waiting.set(topic, { messages, sent });
    sending.set(topic, sent);
    return sent;
  };
}

async function follow(
  object: DurableObject,
  timers: Timers,
  ...[topic, listener, onGap]: Parameters<Store["subscribe"]>
) {
  const left = new AbortController();
  const connect = async (): Promise<void> => {
    const socket = await openSocketTo(object, { topic });
    socket.addEventListener("message", ({ data }) => {
      if (!left.signal.aborted) listener(String(data));
    });
    const lost = new Promise<void>((resolve) => {
      socket.addEventListener("close", resolve);
      socket.addEventListener("error", resolve);
    });
    void lost.then(connectAgain);
    left.signal.addEventListener("abort", () => socket.close());
    socket.accept();
    if (left.signal.aborted) socket.close();
  };
  const connectAgain = async (): Promise<void> => {
    while (!left.signal.aborted) {
      try {
        await connect();
        onGap?.();
        return;
      } catch {
        await sleep(retryDelay, timers, left.signal).catch(() => undefined);
      }
    }
  };
  await connect();
  return () => left.abort();
}
