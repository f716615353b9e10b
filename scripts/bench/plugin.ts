// Measures what the door of IDE plugins costs: memory of idle sockets, and CPU of a streamed chunk against
// that of the copilot door, both over the same fake model and by the same process. It reports, and judges only
// with --judge; --quick only shows that it works.
import { on, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { WebSocket } from "ws";
import { createBody } from "./bodies.ts";
import { type AnswerSettings, countMarkers } from "./fake-answer.ts";
import { inTurn, median, print, printGoal, printTable, progress, runBench } from "./figures.ts";
import { createLauncher } from "./launcher.ts";
import { readCpuSeconds, readResidentBytes } from "./load/process-counters.ts";

const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    judge: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
  },
});
const rounds = given.quick ? 1 : Math.max(1, Number(given.rounds) || 1);
const [idleSockets, streams, chunks] = given.quick ? [50, 5, 20] : [1_000, 50, 200];
/** Opened and closed before memory is read: their code is loaded then. */
const warmUp = 100;
/** Milliseconds until nothing is being done any more. */
const settling = 1_000;
/** Between two chunks of an answer, in milliseconds, so that each comes by itself as those of models do. */
const interval = 20;

const launcher = createLauncher();
const limits = { RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "10000", RIGHTSEAT_MAX_TASKS: "10000" };

await runBench(async () => {
  const where = launcher.isPinned ? "on pinned cores" : "NOT pinned to cores, so expect noise";
  print(`The plugin door on node ${process.version}, ${where}; ${rounds} rounds.\n`);
  const [sockets = []] = await inTurn([measureSockets], { warmUp: 0, rounds });
  const [copilot = [], plugin = []] = await measureChunks();
  const ratios = plugin.map((value, nth) => value / (copilot[nth] ?? Number.NaN));
  const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;
  const micros = (seconds: number): string => `${(seconds * 1e6).toFixed(1)} us`;
  const rows = [
    { name: "memory of an idle socket", values: sockets, show: kilobytes, bound: 40_000 },
    { name: "CPU of a chunk, copilot door", values: copilot, show: micros },
    { name: "CPU of a chunk, plugin door", values: plugin, show: micros },
    {
      name: "plugin / copilot",
      values: ratios,
      show: (value: number) => value.toFixed(2),
      bound: 1.3,
    },
  ].map(({ name, values, show, bound }) => {
    const isReached = bound === undefined || median(values) <= bound;
    const goal = bound === undefined ? undefined : { text: show(bound), isReached };
    const figures = [median(values), Math.min(...values), Math.max(...values)].map(show);
    return { name, isReached, cells: [name, ...figures, ...printGoal(goal)] };
  });
  print(
    printTable([["", "median", "least", "most", "bound", ""], ...rows.map((row) => row.cells)]),
  );
  const missed = rows.filter((row) => !row.isReached);
  if (given.judge && missed.length > 0)
    throw new Error(`Over the bound: ${missed.map(({ name }) => name).join(", ")}.`);
});

/** Bytes that a fresh server takes more for each socket that is open and idle. */
async function measureSockets(): Promise<number> {
  progress(`memory: ${idleSockets} sockets`);
  // Nothing is asked of the model.
  const server = await launcher.startRightseat("http://127.0.0.1:9", { environment: limits });
  for (const socket of await openPlugins(server.url, warmUp)) socket.terminate();
  await wait(settling);
  const before = readResidentBytes(server.pid);
  const open = await openPlugins(server.url, idleSockets);
  await wait(settling);
  const after = readResidentBytes(server.pid);
  const isOpen = open.every((socket) => socket.readyState === socket.OPEN);
  for (const socket of open) socket.terminate();
  await server.stop();
  if (!isOpen) throw new Error("Some sockets did not stay open.");
  return (after - before) / idleSockets;
}

/**
 * Streams the same answers through both doors of one server, in turn.
 *
 * @returns seconds of CPU for each chunk: of the copilot door, of the plugin door
 */
async function measureChunks(): Promise<number[][]> {
  const model = await launcher.start({ args: ["upstream.ts"], core: "load" });
  const settings: AnswerSettings = { chunks, interval, isHeld: false };
  await fetch(`${model.url}/settings`, { method: "POST", body: JSON.stringify(settings) });
  const server = await launcher.startRightseat(model.url, { environment: limits });
  // Kept open, as the connections of the other door are.
  const sockets = await openPlugins(server.url, streams);
  const code = "export function f(a, b) {\n  return a > b ? a : -b;\n}\n".repeat(4);
  const range = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
  const context = { filepath: "src/a.ts", range, text: code };
  const asked = { selected_text: context, visible_text: context, model: "openai", stream: true };
  const request = JSON.stringify({ cmd: "exec_explain", request_id: 1, ...asked });
  const measure = async (name: string, ask: (socket: WebSocket) => Promise<void>) => {
    progress(`chunks: ${name}`);
    const before = readCpuSeconds(server.pid);
    await Promise.all(sockets.map(ask));
    return (readCpuSeconds(server.pid) - before) / (streams * chunks);
  };
  const times = await inTurn(
    [
      () => measure("copilot", () => askCopilot(server.url)),
      () => measure("plugin", (socket) => askPlugin(socket, request)),
    ],
    { warmUp: 1, rounds },
  );
  await Promise.all([server.stop(), model.stop()]);
  return times;
}

async function askCopilot(url: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: createBody("small") });
  const text = await response.text();
  if (countMarkers(text) !== chunks || !text.endsWith("data: [DONE]\n\n"))
    throw new Error(`An answer of the copilot door holds ${countMarkers(text)} chunks.`);
}

async function askPlugin(socket: WebSocket, request: string): Promise<void> {
  const messages = on(socket, "message", { close: ["close"] });
  socket.send(request);
  let contents = 0;
  for await (const [data] of messages) {
    const text = String(data);
    contents += countMarkers(text);
    if (text.includes('"stream_finsh":true') || text.includes('"error"')) break;
  }
  if (contents !== chunks)
    throw new Error(`An answer of the plugin door holds ${contents} chunks.`);
}

/** Opens `/ws` many times at once, but not all: a server takes so many connections in its turn. */
async function openPlugins(url: string, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, async () => {
      const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, {
        perMessageDeflate: false,
      });
      await once(socket, "open");
      return socket;
    });
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}
