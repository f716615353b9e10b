import { setTimeout as wait } from "node:timers/promises";
import type { Launcher } from "../launcher.ts";
import { readResidentBytes } from "../load/process-counters.ts";
import { openPlugins } from "./plugin-socket.ts";
import { startRightseat } from "./start-rightseat.ts";

export interface SocketOptions {
  rounds: number;
  sockets: number;
  progress: (text: string) => void;
}

/** Opened and closed before it is measured: their code is loaded then. */
const warmUp = 100;
/** Milliseconds until nothing is being done any more. */
const settling = 1_000;
/** Nothing is asked of it. */
const noModel = "http://127.0.0.1:9";

/** Bytes that a server takes more for each socket that is open and idle, by fresh processes; NaN without /proc. */
export async function measureSockets(
  launcher: Launcher,
  { rounds, sockets, progress }: SocketOptions,
): Promise<number[]> {
  const bytes: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`memory: round ${round} of ${rounds}, ${sockets} sockets`);
    const server = await startRightseat(launcher, noModel);
    for (const socket of await openPlugins(server.url, warmUp)) socket.terminate();
    await wait(settling);
    const before = readResidentBytes(server.pid) ?? Number.NaN;
    const open = await openPlugins(server.url, sockets);
    await wait(settling);
    const after = readResidentBytes(server.pid) ?? Number.NaN;
    const isOpen = open.every((socket) => socket.readyState === socket.OPEN);
    for (const socket of open) socket.terminate();
    await server.stop();
    if (!isOpen) throw new Error("Some sockets did not stay open.");
    bytes.push((after - before) / sockets);
  }
  return bytes;
}
