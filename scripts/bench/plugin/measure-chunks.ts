import { join } from "node:path";
import type { WebSocket } from "ws";
import { createBody } from "../bodies.ts";
import type { Launcher, RunningProgram } from "../launcher.ts";
import { readCpuSeconds } from "../load/process-counters.ts";
import type { UpstreamSettings } from "../upstream-settings.ts";
import { openPlugins } from "./plugin-socket.ts";
import { startRightseat } from "./start-rightseat.ts";

export interface ChunkOptions {
  rounds: number;
  streams: number;
  /** Of each answer: many, so that beginning and end weigh little. */
  chunks: number;
  progress: (text: string) => void;
}

/** Seconds of CPU for each chunk, a number for each round; NaN without /proc. */
export interface ChunkTimes {
  copilot: number[];
  plugin: number[];
}

/** Milliseconds between two chunks of an answer, so that each comes by itself as those of models do. */
const interval = 20;

type Load = () => Promise<void>;

/** Streams the same answers through both doors of one server, in turn. */
export async function measureChunks(
  launcher: Launcher,
  options: ChunkOptions,
): Promise<ChunkTimes> {
  const { rounds, chunks, progress } = options;
  const model = await launcher.start({
    args: [join(import.meta.dirname, "../upstream.ts")],
    core: "load",
  });
  const settings: UpstreamSettings = { chunks, interval, isHeld: false };
  await fetch(`${model.url}/settings`, { method: "POST", body: JSON.stringify(settings) });
  const server = await startRightseat(launcher, model.url);
  // Kept open, as the connections of the other door are.
  const sockets = await openPlugins(server.url, options.streams);
  const times: ChunkTimes = { copilot: [], plugin: [] };
  const loads: readonly (readonly [keyof ChunkTimes, Load])[] = [
    ["copilot", () => streamCopilot(server.url, options)],
    ["plugin", () => streamPlugin(sockets, options)],
  ];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    progress(round === 0 ? "chunks: warm-up" : `chunks: round ${round} of ${rounds}`);
    for (const [name, load] of round % 2 === 0 ? loads : loads.toReversed()) {
      const seconds = await measureCpu(server, load);
      if (round > 0) times[name].push(seconds / (options.streams * chunks));
    }
  }
  await Promise.all([server.stop(), model.stop()]);
  return times;
}

async function measureCpu({ pid }: RunningProgram, act: Load): Promise<number> {
  const before = readCpuSeconds(pid) ?? Number.NaN;
  await act();
  return (readCpuSeconds(pid) ?? Number.NaN) - before;
}

async function streamCopilot(url: string, { streams, chunks }: ChunkOptions): Promise<void> {
  const body = createBody("small");
  const headers = { "content-type": "application/json" };
  const answers = Array.from({ length: streams }, async () => {
    const response = await fetch(`${url}/`, { method: "POST", headers, body });
    const text = await response.text();
    const contents = countChunks(text);
    if (contents !== chunks || !text.endsWith("data: [DONE]\n\n"))
      throw new Error(`An answer of the copilot door holds ${contents} of ${chunks} chunks.`);
  });
  await Promise.all(answers);
}

async function streamPlugin(
  sockets: readonly WebSocket[],
  { chunks }: ChunkOptions,
): Promise<void> {
  const code = "export function f(a, b) {\n  return a > b ? a : -b;\n}\n".repeat(4);
  const range = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
  const context = { filepath: "src/a.ts", range, text: code };
  const asked = { selected_text: context, visible_text: context, model: "openai", stream: true };
  const request = JSON.stringify({ cmd: "exec_explain", request_id: 1, ...asked });
  await Promise.all(sockets.map((socket) => askPlugin(socket, request, chunks)));
}

async function askPlugin(socket: WebSocket, request: string, chunks: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let contents = 0;
  const take = (data: Buffer): void => {
    const text = data.toString();
    contents += countChunks(text);
    if (!text.includes('"stream_finsh":true') && !text.includes('"error"')) return;
    if (contents === chunks) resolve();
    else reject(new Error(`An answer of the plugin door holds ${contents} of ${chunks} chunks.`));
  };
  const leave = (): void => reject(new Error("The plugin door has closed a socket."));
  socket.on("message", take).once("close", leave);
  socket.send(request);
  try {
    await promise;
  } finally {
    socket.off("message", take).off("close", leave);
  }
}

/** By the markers that the fake model writes. */
function countChunks(text: string): number {
  return text.match(/@\d{6}:/g)?.length ?? 0;
}
