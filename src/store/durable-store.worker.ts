// A store in Durable Objects: one for all that has the same `{id}`, and one that knows the names of all values. What is
// published goes over WebSockets, which the object of the topic holds and may sleep by.
import { type Timers, sleep } from "../base/wire/patient-timer.ts";
import {
  type RuntimeSocket,
  createSocketPair,
  upgradeWith,
} from "../base/wire/worker-sockets.worker.ts";
import { SqlTables } from "./sql-tables.ts";
import {
  type AppendOptions,
  type PutOptions,
  type Store,
  leaseOf,
  storeUnavailable,
} from "./store.ts";

/** A Durable Object from outside. */
interface Stub {
  fetch(request: Request): Promise<Response>;
}

/** Finds an object by its name. */
type FindObject = (name: string) => Stub;

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

/** The object that knows the names of all values. */
const namesObject = "names";
/** When an object of which something was deleted looks whether it is empty, in milliseconds. */
const deleteDelay = 60_000;
/** How long messages wait for those before them, in milliseconds. */
const maxTurn = 2_000;
/** Between two tries to listen on, in milliseconds. */
const retryDelay = 1_000;

/** What an object is asked: the name of a call, its key, and the rest. */
type Call = readonly [name: string, key: string, ...rest: unknown[]];

/** Calls that go to the tables as they are. */
const tableCalls = [
  "get",
  "list",
  "append",
  "read",
  "lengthOf",
  "lease",
  "renew",
  "release",
  "isLeased",
] as const;

interface StoreObjectParts {
  /** Finds the other objects of the class. */
  findObject: (env: object) => FindObject | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The class of the objects. */
export function createStoreObject({ findObject, now }: StoreObjectParts) {
  return class StoreObject {
    readonly #state: ObjectState;
    readonly #env: object;
    readonly #tables: SqlTables;
    #hasTables = false;
    /** Values that come and go, one after the other, each with its name. */
    #naming: Promise<unknown> = Promise.resolve();

    constructor(state: ObjectState, env: object) {
      this.#state = state;
      this.#env = env;
      const { sql } = state.storage;
      this.#tables = new SqlTables((text, ...values) => sql.exec(text, ...values).toArray(), now);
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
      await this.#inTurn(async () => {
        const gone = this.#transact((tables) => tables.sweep());
        for (const key of gone) await this.#tellNames("forget", key);
        const next = this.#transact((tables) => tables.nextEnd());
        if (next !== undefined && next !== Infinity) await this.#state.storage.setAlarm(next);
        if (next !== undefined) return;
        this.#hasTables = false;
        await this.#state.storage.deleteAll();
      });
    }

    async #answer([name, key, ...rest]: Call): Promise<unknown> {
      switch (name) {
        case "publish":
          for (const socket of this.#state.getWebSockets())
            if (socket.deserializeAttachment() === key)
              for (const message of rest) socket.send(String(message));
          return undefined;
        case "put":
          return this.#put(key, String(rest[0]), rest[1] as PutOptions);
        case "delete":
          return this.#inTurn(async () => {
            this.#transact((tables) => tables.delete(key));
            await this.#wakeIn(deleteDelay);
            await this.#tellNames("forget", key);
          });
        case "remember":
          return this.#transact((tables) => tables.put(key, ""));
        case "forget":
          return this.#transact((tables) => tables.delete(key));
      }
      const call = tableCalls.find((known) => known === name);
      if (call === undefined) throw new Error(`There is no call ${name}.`);
      if (call === "append") await this.#wakeIn((rest[1] as AppendOptions).ttl);
      return this.#transact((tables) =>
        (tables[call] as (...given: unknown[]) => unknown).call(tables, key, ...rest),
      );
    }

    async #put(key: string, value: string, options: PutOptions): Promise<number | undefined> {
      await this.#wakeIn(options.ttl);
      const put = (): number | undefined =>
        this.#transact((tables) => tables.put(key, value, options));
      const isKnown = this.#transact((tables) => tables.get(key)) !== undefined;
      if (isKnown || (options.ifVersion ?? 0) !== 0) return put();
      // The name comes first: where one of both is missing, it is the value.
      return this.#inTurn(async () => {
        await this.#tellNames("remember", key);
        return put();
      });
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

    #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
      const done = this.#naming.then(work);
      this.#naming = done.catch(() => undefined);
      return done;
    }

    async #tellNames(name: "remember" | "forget", key: string): Promise<void> {
      const names = findObject(this.#env)?.(namesObject);
      if (names !== undefined) await ask(names, [name, key]);
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
  /** @throws AppError `store_unavailable` */
  const call = async (...[name, key, ...rest]: Call): Promise<unknown> => {
    try {
      return await ask(findObject(objectOf(key)), [name, key, ...rest]);
    } catch (thrown) {
      throw storeUnavailable(thrown);
    }
  };
  // What comes back is what the tables answer.
  return {
    get: async (key) => (await call("get", key)) as Awaited<ReturnType<Store["get"]>>,
    put: async (key, value, options = {}) =>
      (await call("put", key, value, options)) as number | undefined,
    delete: async (key) => void (await call("delete", key)),
    async list(prefix, cursor = "") {
      try {
        const page = await ask(findObject(namesObject), ["list", prefix, cursor]);
        return page as Awaited<ReturnType<Store["list"]>>;
      } catch (thrown) {
        throw storeUnavailable(thrown);
      }
    },
    append: async (log, entries, { id, ttl, lease }) => {
      const given = lease && { key: lease.key, token: lease.token };
      return (await call("append", log, entries, { id, ttl, lease: given })) as number | undefined;
    },
    read: async (log, from, limit) => (await call("read", log, from, limit)) as string[],
    lengthOf: async (log) => (await call("lengthOf", log)) as number,
    lease: async (key, milliseconds) =>
      leaseOf(key, (await call("lease", key, milliseconds)) as number | undefined, {
        renew: async (...lease) => (await call("renew", ...lease)) as boolean,
        release: async (...lease) => void (await call("release", ...lease)),
      }),
    isLeased: async (key) => (await call("isLeased", key)) as boolean,
    publish: createOutbox((topic, messages) => call("publish", topic, ...messages), timers),
    async subscribe(topic, listener, onGap) {
      try {
        return await follow(findObject(objectOf(topic)), { topic, listener, onGap, timers });
      } catch (thrown) {
        throw storeUnavailable(thrown);
      }
    },
    close: async () => undefined,
  };
}

/** The object that has a key: what is between its braces, or else all of it, names it. */
function objectOf(key: string): string {
  const start = key.indexOf("{") + 1;
  const end = key.indexOf("}", start);
  return start > 0 && end > start ? `id:${key.slice(start, end)}` : `key:${key}`;
}

async function ask(stub: Stub, call: Call): Promise<unknown> {
  const request = new Request("https://store.invalid/", {
    method: "POST",
    body: JSON.stringify(call),
  });
  const response = await stub.fetch(request);
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

interface Following {
  topic: string;
  listener: (message: string) => void;
  onGap: (() => void) | undefined;
  timers: Timers;
}

async function follow(stub: Stub, { topic, listener, onGap, timers }: Following) {
  const left = new AbortController();
  const connect = async (): Promise<void> => {
    const url = new URL("https://store.invalid/");
    url.searchParams.set("topic", topic);
    const response = await stub.fetch(new Request(url, { headers: { upgrade: "websocket" } }));
    // A field of this runtime's responses.
    const socket = Reflect.get(response, "webSocket") as RuntimeSocket | null | undefined;
    if (!socket) throw new Error(`The object answered with status ${response.status}.`);
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
