import { join } from "node:path";
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

type Load = (url: string, options: ChunkOptions) => Promise<void>;

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
  const times: ChunkTimes = { copilot: [], plugin: [] };
  const loads: readonly (readonly [keyof ChunkTimes, Load])[] = [
    ["copilot", streamCopilot],
    ["plugin", streamPlugin],
  ];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    progress(round === 0 ? "chunks: warm-up" : `chunks: round ${round} of ${rounds}`);
    for (const [name, load] of round % 2 === 0 ? loads : loads.toReversed()) {
      const seconds = await measureCpu(server, () => load(server.url, options));
      if (round > 0) times[name].push(seconds / (options.streams * chunks));
    }
  }
  await Promise.all([server.stop(), model.stop()]);
  return times;
}

async function measureCpu({ pid }: RunningProgram, act: () => Promise<void>): Promise<number> {
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

async function streamPlugin(url: string, { streams, chunks }: ChunkOptions): Promise<void> {
  const sockets = await openPlugins(url, streams);
  const code = "export function f(a, b) {\n  return a > b ? a : -b;\n}\n".repeat(4);
  const at = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
  const context = { filepath: "src/a.ts", range: at, text: code };
  const asked = { selected_text: context, visible_text: context, model: "bench-1", stream: true };
  const request = JSON.stringify({ cmd: "exec_explain", request_id: 1, ...asked });
  const answers = sockets.map(
    (socket) =>
      new Promise<void>((resolve, reject) => {
        let contents = 0;
        socket.on("message", (data: Buffer) => {
          const text = data.toString();
          contents += countChunks(text);
          if (!text.includes('"stream_finsh":true') && !text.includes('"error"')) return;
          if (contents === chunks) resolve();
          else
            reject(
              new Error(
                `An answer of the plugin door holds ${contents} of ${chunks} chunks: ${text.slice(0, 200)}`,
              ),
            );
        });
        socket.send(request);
      }),
  );
  await Promise.all(answers);
  for (const socket of sockets) socket.terminate();
}

/** By the markers that the fake model writes. */
function countChunks(text: string): number {
  return text.match(/@\d{6}:/g)?.length ?? 0;
}
