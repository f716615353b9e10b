import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";

/** What a program of the bench runs as. */
export interface Program {
  /** The source file, and its arguments. */
  args: readonly string[];
  environment?: Record<string, string>;
  core: Core;
}

/** Servers under test have a core of their own; the fake model and the load generator share the other. */
export type Core = "server" | "load";

export interface RunningProgram {
  pid: number;
  /** Where it listens, as it said. */
  url: string;
  stop(): Promise<void>;
}

const cores: Record<Core, string> = { server: "0", load: "1" };
const longestStart = 20_000;

/** Opens as many files as the system lets it, up to what 30,000 streams need on both sides. */
const raiseLimit = 'ulimit -n 65536 2>/dev/null || ulimit -n "$(ulimit -Hn)"; exec "$@"';

const running = new Set<ChildProcess>();

/** True where each process can be kept on its core. */
export const isPinned =
  availableParallelism() >= 2 && spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;

/**
 * Starts a server and waits until it says where it listens.
 *
 * @throws Error when it ends, or says nothing in time
 */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const child = spawnProgram(program, ["ignore", "pipe", "inherit"]);
  const { pid, url } = await waitForUrl(child, program);
  return { pid, url, stop: () => stopProgram(child) };
}

/** Starts a program that is talked to over node's IPC channel. */
export function forkProgram(program: Program): ChildProcess {
  return spawnProgram(program, ["ignore", "inherit", "inherit", "ipc"]);
}

/** They hold nothing worth an orderly end, and ten thousand open streams would make that a long one. */
export function stopProgram(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (!running.has(child)) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** Lets no child outlive this process, whatever ends it. Signals of the terminal end it. */
export function stopAllAtExit(): void {
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => process.exit(130));
}

function spawnProgram(
  { args, environment, core }: Program,
  stdio: ("ignore" | "inherit" | "pipe" | "ipc")[],
): ChildProcess {
  const pin = isPinned ? ["taskset", "-c", cores[core]] : [];
  // exec keeps the process id, so that the child's is node's own.
  const child = spawn("sh", ["-c", raiseLimit, "sh", ...pin, process.execPath, ...args], {
    // Neither a rightseat.json nor settings of whoever runs the bench may change what is measured.
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], ...environment },
    stdio,
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

function waitForUrl(child: ChildProcess, { args }: Program): Promise<{ pid: number; url: string }> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`${args.join(" ")} ${what}.`));
    const timer = setTimeout(fail, longestStart, "did not say where it listens");
    child.once("error", ({ message }) => fail(`did not start: ${message}`));
    child.once("exit", (code) => fail(`ended with code ${code} before it listened`));
    if (child.stdout === null) return fail("has no output");
    createInterface(child.stdout).on("line", (line) => {
      const url = / listens on (http:\/\/\S+)/.exec(line)?.[1];
      if (url === undefined || child.pid === undefined) return;
      clearTimeout(timer);
      resolve({ pid: child.pid, url });
    });
  });
}
