// What a session costs beside the plain door of the platform: tasks by server-sent events over each store, on one
// process and on two, and what sessions and sockets take that say nothing.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTurn, median, printRange, printTable, progress } from "./figures.ts";
import type { Launcher, RunningProgram } from "./launcher.ts";
import { busyConnections } from "./scenarios.ts";
import { readResidentBytes } from "./load/process-counters.ts";

interface Effort {
  rounds: number;
  /** Of each measurement. */
  seconds: number;
  warmUp: number;
}

/** Tasks a second, and milliseconds from the request to the end of the answer. */
interface Speed {
  tasks: number;
  latency: number;
}

interface Setup {
  name: string;
  environment: Readonly<Record<string, string>>;
  core: "server" | "both";
}

/** A key may have a thousand sessions. */
const keys = Array.from({ length: 100 }, (_, nth) => `bench${nth}`);
const keyOf = (nth: number): string => keys[nth % keys.length] ?? "";

/** Sessions, and as many sockets, that say nothing. */
const held = 5_000;
/** Of such a session, in kB. */
const maxIdle = 60;

/**
 * @param judges whether idle sessions may take too much
 * @throws Error where an answer came broken, a socket was refused, or idle sessions take too much
 */
export async function measureSessions(
  launcher: Launcher,
  effort: Effort,
  judges: boolean,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-bench-"));
  const redis = await startRedis(folder);
  try {
    const setups = listSetups(folder, redis?.url);
    const upstream = await launcher.start({ args: ["upstream.ts"], core: "load" });
    const servers = new Map<string, RunningProgram>();
    for (const { name, environment, core } of setups)
      servers.set(name, await launcher.startRightseat(upstream.url, { environment, core }));
    const names = [plain, ...setups.map(({ name }) => name)];
    const act = (name: string, seconds: number): Promise<Speed> => {
      progress(`session: ${name}`);
      const server = servers.get(name) ?? servers.get(memory);
      return load(server?.url ?? "", name === plain, seconds);
    };
    for (const name of names) await act(name, effort.warmUp);
    const tasks = names.map((name) => () => act(name, effort.seconds));
    const speeds = await inTurn(tasks, { warmUp: 0, rounds: effort.rounds });
    const rows = names.map((name, nth) => toRow(name, speeds[nth] ?? [], speeds[0] ?? []));
    await Promise.all([...servers.values()].map((server) => server.stop()));
    const idle = await measureIdle(launcher, upstream.url, judges);
    await upstream.stop();
    const heads = ["session", "tasks/s", "of the plain door", "ms a task"];
    const note = redis === undefined ? "\n  (no redis-server here: not measured)" : "";
    return `${printTable([heads, ...rows])}${note}\n\n${idle}`;
  } finally {
    redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const plain = "POST /agents/rightseat, no session";
const memory = "memory";

function listSetups(folder: string, redis: string | undefined): Setup[] {
  const shared = {
    RIGHTSEAT_API_KEYS: keys.join(","),
    RIGHTSEAT_STATE_KEYS: `k1:${btoa("x".repeat(32))}`,
  };
  const stores = {
    sqlite: `sqlite:${join(folder, "sessions.sqlite")}`,
    ...(redis === undefined ? {} : { redis }),
  };
  const setups: Setup[] = [{ name: memory, environment: shared, core: "server" }];
  for (const [name, store] of Object.entries(stores))
    for (const processes of ["1", "2"])
      setups.push({
        name: processes === "1" ? name : `${name}, ${processes} processes on both cores`,
        core: processes === "1" ? "server" : "both",
        environment: {
          ...shared,
          // Each its own: tables of another round would be searched, too.
          RIGHTSEAT_STORE: name === "sqlite" ? `${store}${processes}` : store,
          RIGHTSEAT_PROCESSES: processes,
        },
      });
  return setups;
}

/** Debian's server, with nothing on the disk. */
async function startRedis(folder: string): Promise<{ url: string; stop(): void } | undefined> {
  if (spawnSync("redis-server", ["--version"]).status !== 0) return undefined;
  const port = await findPort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  process.on("exit", () => server.kill("SIGKILL"));
  return { url: `redis://127.0.0.1:${port}`, stop: () => void server.kill("SIGKILL") };
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

function post(url: string, body: object, key: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify(body),
  });
}

async function init(url: string, key: string): Promise<string> {
  const response = await post(`${url}/api/init`, { llmConfig: { model: "openai" } }, key);
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** Tasks follow each other on all connections, each in a session of its own that is new after some tasks. */
async function load(url: string, isPlain: boolean, seconds: number): Promise<Speed> {
  const end = performance.now() + seconds * 1_000;
  const times: number[] = [];
  const question = { command: "chat", contextVariables: [{ name: "userInputPrompt", value: "?" }] };
  const task = { contentList: [{ type: "text", message: "?" }] };
  await Promise.all(
    Array.from({ length: busyConnections }, async (_, connection) => {
      const key = keyOf(connection);
      let id = "";
      for (let nth = 0; performance.now() < end; nth += 1) {
        // A history grows, and with it what a task reads.
        if (!isPlain && nth % 10 === 0) id = await init(url, key);
        const start = performance.now();
        const response = isPlain
          ? await post(`${url}/agents/rightseat`, question, key)
          : await post(`${url}/api/chat?id=${id}`, task, key);
        const text = await response.text();
        if (!text.includes(isPlain ? "[DONE]" : "[TASK_DONE]"))
          throw new Error(`session: an answer broke off: ${text.slice(-300)}`);
        times.push(performance.now() - start);
      }
    }),
  );
  return { tasks: times.length / seconds, latency: median(times) };
}

function toRow(name: string, speeds: readonly Speed[], reference: readonly Speed[]): string[] {
  const ratios = speeds.map(({ tasks }, round) => tasks / (reference[round]?.tasks ?? Number.NaN));
  return [
    name,
    printRange(speeds.map(({ tasks }) => tasks)),
    printRange(ratios, (ratio) => ratio.toFixed(2)),
    printRange(speeds.map(({ latency }) => latency)),
  ];
}

/** Sessions of one answer each, and as many open sockets. */
async function measureIdle(launcher: Launcher, upstream: string, judges: boolean): Promise<string> {
  progress(`session: ${held} idle sessions and sockets`);
  const environment = {
    RIGHTSEAT_API_KEYS: keys.join(","),
    RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "1000",
  };
  const server = await launcher.startRightseat(upstream, { environment });
  const { pid, url } = server;
  /** Some at a time. */
  const each = async (from: number, to: number, act: (nth: number) => Promise<unknown>) => {
    const left = Array.from({ length: to - from }, (_, nth) => from + nth);
    const work = async (): Promise<void> => {
      for (let nth = left.pop(); nth !== undefined; nth = left.pop()) await act(nth);
    };
    await Promise.all(Array.from({ length: 50 }, work));
  };
  const ids = new Map<number, string>();
  const begin = async (nth: number): Promise<void> => {
    const id = await init(url, keyOf(nth));
    const task = { contentList: [{ type: "text", message: "?" }] };
    await (await post(`${url}/api/chat?id=${id}`, task, keyOf(nth))).text();
    ids.set(nth, id);
  };
  // What the first ones take is the server's, not theirs.
  await each(held, held + 500, begin);
  const before = readResidentBytes(pid);
  await each(0, held, begin);
  const withSessions = readResidentBytes(pid);
  const sockets: WebSocket[] = [];
  await each(0, held, async (nth) => {
    const query = new URLSearchParams({ id: ids.get(nth) ?? "", api_key: keyOf(nth) });
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/chat?${query.toString()}`);
    sockets.push(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error("session: a socket was refused.")));
    });
  });
  const withSockets = readResidentBytes(pid);
  for (const socket of sockets) socket.close();
  await server.stop();
  const [idle, open] = [withSessions - before, withSockets - withSessions].map(
    (bytes) => bytes / held / 1_024,
  ) as [number, number];
  if (judges && idle > maxIdle)
    throw new Error(`session: an idle one takes ${idle.toFixed(1)} kB, more than ${maxIdle}.`);
  return [
    `  ${held} idle sessions of one answer: ${idle.toFixed(1)} kB each (${maxIdle} at most)`,
    `  ${sockets.length} open sockets beside them: ${open.toFixed(1)} kB each`,
  ].join("\n");
}
