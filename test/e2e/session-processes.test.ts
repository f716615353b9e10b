// Sessions that several processes serve: two servers before one Redis, and several processes on one port.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { type Program, addressOf, spawnServe } from "../helpers/e2e-process.ts";
import { type RedisServer, startRedis } from "../helpers/e2e-redis.ts";
import { type Upstream, eventStream, startUpstream } from "../helpers/e2e-upstream.ts";
import { get, history, init, line, post, readEvents, task } from "../helpers/session-client.ts";
import { chunk, frame } from "../helpers/upstream.ts";

/** A test that waits fails because it is stuck, never because the machine is slow. */
const patience = { timeout: 30_000 };
const stateKeys = `k1:${btoa("x".repeat(32))}`;

/** The app behind an address; every request has a connection of its own, so that any process may get it. */
function appAt(url: string): App {
  return {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("connection", "close");
      const body = request.method === "POST" ? { body: await request.text() } : {};
      return fetch(url + pathname + search, { method: request.method, headers, ...body });
    },
    drain: () => Promise.resolve(),
    readTools: () => Promise.resolve(),
  };
}

/** A model that says one word and then nothing more. */
function startSilent(): Promise<Upstream> {
  return startUpstream(async ({ socket, closed }) => {
    socket.write(eventStream + frame(chunk({ role: "assistant", content: "One" })));
    await closed;
  });
}

async function linesOf(response: Promise<Response>): Promise<string[]> {
  return (await readEvents(await response)).map(({ message }) => line(message));
}

/** Does something so many times, twenty at a time. */
async function eachOf(count: number, act: (nth: number) => Promise<void>): Promise<void> {
  const left = Array.from({ length: count }, (_, nth) => nth);
  const work = async (): Promise<void> => {
    for (let nth = left.pop(); nth !== undefined; nth = left.pop()) await act(nth);
  };
  await Promise.all(Array.from({ length: 20 }, work));
}

/** What a task with a plain answer tells, whatever the answer is. */
const whole = [
  "agent>client [TASK_START]",
  "user>agent",
  "agent>llm",
  "llm>agent",
  "agent>user",
  "agent>client [TASK_DONE]",
];

function shapeOf(messages: readonly Record<string, unknown>[]): string[] {
  return messages.map((message) => {
    const { from, to } = message;
    return to === "client" ? line(message) : `${String(from)}>${String(to)}`;
  });
}

describe("two servers before one Redis", () => {
  let redis: RedisServer;
  let silent: Upstream;
  const start = async (more: Record<string, string> = {}): Promise<[Program, App]> => {
    const program = spawnServe({
      RIGHTSEAT_STORE: redis.url,
      RIGHTSEAT_STATE_KEYS: stateKeys,
      ...more,
    });
    return [program, appAt(await addressOf(program))];
  };
  beforeAll(async () => {
    redis = await startRedis();
    silent = await startSilent();
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    await silent[Symbol.asyncDispose]();
  });
  const askSilent = () => ({ OPENAI_BASE_URL: silent.url, OPENAI_API_KEY: "key" });

  test("a stop on one ends the task of the other, and both followers hear it", async () => {
    await using stack = new AsyncDisposableStack();
    const [[one, first], [two, second]] = await Promise.all([
      start(askSilent()),
      start(askSilent()),
    ]);
    stack.use(one);
    stack.use(two);
    const id = await init(first);
    const asked = linesOf(post(first, `/api/chat?id=${id}`, task("Hi", "a")));
    const followed = get(second, `/api/chat?id=${id}&after=-1`).then((response) =>
      readEvents(response, 4),
    );
    await vi.waitFor(async () => expect(await history(second, id)).toHaveLength(3), patience);
    const stopped = await get(second, `/api/stop?id=${id}`);
    expect(await stopped.json()).toEqual({ id });
    expect((await asked).at(-1)).toBe("agent>client [TASK_STOP]");
    expect(line((await followed)[3]?.message ?? {})).toBe("agent>client [TASK_STOP]");
    expect(await history(first, id)).toHaveLength(4);
  });

  test("of one that is killed in mid answer the other tells the end, once", async () => {
    await using stack = new AsyncDisposableStack();
    const [[one, first], [two, second]] = await Promise.all([start(askSilent()), start()]);
    stack.use(one);
    stack.use(two);
    const id = await init(first);
    const asked = linesOf(post(first, `/api/chat?id=${id}`, task("Hi", "a"))).catch(() => []);
    const followers = [0, 1].map(async () =>
      readEvents(await get(second, `/api/chat?id=${id}&after=-1`), 4),
    );
    await vi.waitFor(async () => expect(await history(second, id)).toHaveLength(3), patience);
    one.child.kill("SIGKILL");
    await asked;
    for (const events of await Promise.all(followers))
      expect(line(events[3]?.message ?? {})).toMatch(/^agent>client \[TASK_STOP\]\{"code":500,/);
    expect(await history(second, id)).toHaveLength(4);
  });

  test("the sessions and the connections of a key are counted over both", async () => {
    await using stack = new AsyncDisposableStack();
    const more = { RIGHTSEAT_API_KEYS: "one,two", RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "1" };
    const [[one, first], [two, second]] = await Promise.all([start(more), start(more)]);
    stack.use(one);
    stack.use(two);
    const headers = { "x-api-key": "one" };
    const id = await init(first, {}, headers);
    const statuses: number[] = [];
    await eachOf(1_009, async (nth) => {
      const response = await post(nth % 2 === 0 ? first : second, "/api/init", {}, headers);
      await response.text();
      statuses.push(response.status);
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(999);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    await init(second, {}, { "x-api-key": "two" });
    const connect = async (program: Program): Promise<WebSocket> => {
      const url = (await addressOf(program)).replace("http", "ws");
      const socket = new WebSocket(`${url}/api/chat?id=${id}&api_key=one`);
      await new Promise((resolve, reject) => {
        socket.addEventListener("open", resolve);
        socket.addEventListener("error", () => reject(new Error("It was refused.")));
      });
      return socket;
    };
    const socket = await connect(one);
    await expect(connect(two)).rejects.toThrow("It was refused.");
    socket.close();
    (await vi.waitFor(() => connect(two), patience)).close();
  });

  test("no secret of a session is in what Redis writes to its disk", async () => {
    const planted = "sk-planted-0123456789";
    await using stack = new AsyncDisposableStack();
    const more = { RIGHTSEAT_MODEL_ORDER: "offline", RIGHTSEAT_SESSION_HOSTS: "127.0.0.1:1" };
    const [program, app] = await start({ ...more, RIGHTSEAT_API_KEYS: `${planted}-of-the-door` });
    stack.use(program);
    const spec = { openapi: "3.0.0", info: { title: "Pets", version: "1" }, paths: {} };
    const servers = [{ url: "http://127.0.0.1:1" }];
    const apiKey = { type: "bearer", apiKey: planted };
    const headers = { "x-api-key": `${planted}-of-the-door` };
    const body = {
      systemPrompt: `Be kind. ${planted}`,
      openSpecList: [{ openSpec: { ...spec, servers }, protocol: "openapi", apiKey }],
    };
    const id = await init(app, body, headers);
    const lines = linesOf(post(app, `/api/chat?id=${id}`, task("Say it"), headers));
    expect((await lines).at(-1)).toBe("agent>client [TASK_DONE]");
    const dump = await redis.dump();
    expect(dump).toContain(`session:{${id}}`);
    expect(dump).toContain("Say it");
    expect(dump).not.toContain(planted);
  });

  test.each([
    ["as it was", true, /\[TASK_DONE\]$|\[TASK_STOP\]\{"code":5\d\d,/],
    ["empty", false, /\[TASK_STOP\]\{"code":5\d\d,/],
  ])(
    "where Redis comes back %s in mid answer, clients get the rest or an error, and never half a message",
    async (_, keeps, end) => {
      const more = Promise.withResolvers<void>();
      const word = (content: string): string => frame(chunk({ role: "assistant", content }));
      await using slow = await startUpstream(async ({ socket }) => {
        socket.write(eventStream + word("One"));
        await more.promise;
        socket.end(`${word(" two")}${frame(chunk({}, "stop"))}data: [DONE]\n\n`);
      });
      await using stack = new AsyncDisposableStack();
      const [program, app] = await start({ OPENAI_BASE_URL: slow.url, OPENAI_API_KEY: "key" });
      stack.use(program);
      const id = await init(app);
      const path = `/api/chat?id=${id}`;
      const asked = linesOf(post(app, path, task("Hi", "a")));
      const followed = get(app, `${path}&after=-1`).then((response) => readEvents(response, 4));
      await vi.waitFor(async () => expect(await history(app, id)).toHaveLength(3), patience);
      await redis.restart({ keeps });
      more.resolve();
      const lines = await asked;
      expect(lines.slice(0, 3)).toEqual([...whole.slice(0, 1), "user>agent Hi", "agent>llm Hi"]);
      expect(lines.at(-1)).toMatch(end);
      for (const each of lines.slice(3, -1))
        expect(each).toMatch(/^(llm>agent|agent>user) One two$/);
      expect((await followed).map(({ message }) => line(message)).slice(0, 3)).toEqual(
        lines.slice(0, 3),
      );
      await vi.waitFor(() => init(app), patience);
      if (!keeps) return;
      await vi.waitFor(async () => {
        const kept = (await history(app, id)).map(line);
        expect(kept.slice(0, 3)).toEqual(lines.slice(0, 3));
        expect(kept.filter((each) => /\[TASK_(?:DONE|STOP)\]/.test(each))).toHaveLength(1);
      }, patience);
    },
  );

  test("nearly a thousand sessions, as many as one key may have, lose, double and mix up no message on both", async () => {
    await using stack = new AsyncDisposableStack();
    const limits = { RIGHTSEAT_MODEL_ORDER: "offline" };
    const [[one, first], [two, second]] = await Promise.all([start(limits), start(limits)]);
    stack.use(one);
    stack.use(two);
    const apps = [first, second];
    const run = async (nth: number): Promise<void> => {
      const id = await init(apps[nth % 2] ?? first);
      for (const each of ["a", "b", "c", "d"].slice(0, nth % 2 === 0 ? 4 : 3)) {
        const app = apps[(nth + each.charCodeAt(0)) % 2] ?? first;
        await (await post(app, `/api/chat?id=${id}`, task(`${nth} ${each}`, each))).text();
      }
      const messages = await history(apps[(nth + 1) % 2] ?? first, id);
      const count = nth % 2 === 0 ? 4 : 3;
      expect(shapeOf(messages)).toEqual(Array.from({ length: count }, () => whole).flat());
      const asked = messages.filter(({ from }) => from === "user").map(({ message }) => message);
      expect(asked).toEqual(["a", "b", "c", "d"].slice(0, count).map((each) => `${nth} ${each}`));
    };
    await eachOf(980, run);
  });
});

test("several processes on one port answer, are restarted and reloaded, and end in good order", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-processes-"));
  await using program = spawnServe({
    RIGHTSEAT_PROCESSES: "2",
    RIGHTSEAT_STORE: `sqlite:${join(folder, "sessions.db")}`,
    RIGHTSEAT_MODEL_ORDER: "offline",
  });
  const app = appAt(await addressOf(program));
  const { pid } = program.child;
  const children = (): string[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const id = await init(app);
  const ask = async (count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth += 1)
      expect((await linesOf(post(app, `/api/chat?id=${id}`, task("Hi")))).at(-1)).toBe(
        "agent>client [TASK_DONE]",
      );
  };
  await ask(10);
  const [killed = "", other = ""] = children();
  process.kill(Number(killed), "SIGKILL");
  await vi.waitFor(() => {
    expect(children()).toHaveLength(2);
    expect(children()).not.toContain(killed);
  }, patience);
  await ask(5);
  program.child.kill("SIGHUP");
  await vi.waitFor(() => {
    expect(children()).toHaveLength(2);
    expect(children()).not.toContain(other);
  }, patience);
  await ask(5);
  expect(shapeOf(await history(app, id))).toEqual(Array.from({ length: 20 }, () => whole).flat());
  program.child.kill("SIGTERM");
  expect(await program.exited).toBe(0);
  rmSync(folder, { recursive: true });
});
