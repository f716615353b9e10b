import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";

/** What a process of the bench runs. */
interface Program {
  /** The source file, and its arguments. */
  args: readonly string[];
  environment?: Record<string, string>;
  core: Core;
}

/** Servers under test have a core of their own; the fake model and the load generator share the other. */
type Core = "server" | "load";

export interface RunningProgram {
  pid: number;
  /** Where it listens, as it said. */
  url: string;
  stop(): Promise<void>;
}

export interface Launcher {
  /** True where each process can be kept on its core. */
  isPinned: boolean;
  /**
   * Starts a server and waits until it says where it listens.
   *
   * @throws Error when it ends, or says nothing in time
   */
  start(program: Program): Promise<RunningProgram>;
  /** Starts a program that is talked to over node's IPC channel. */
  fork(program: Program): ChildProcess;
}

const cores: Record<Core, string> = { server: "0", load: "1" };
const longestStart = 20_000;

/** Opens as many files as the system lets it, up to what 30,000 streams need on both sides. */
const raiseLimit = 'ulimit -n 65536 2>/dev/null || ulimit -n "$(ulimit -Hn)"; exec "$@"';

/**
 * Starts processes, and lets none of them outlive this one, whatever ends it. They are killed:
 * they hold nothing worth an orderly end, and ten thousand open streams would make that a long one.
 */
export function createLauncher(): Launcher {
  const running = new Set<ChildProcess>();
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
  const isPinned = canPin();
  const launch = (program: Program, stdio: StdioOptions): ChildProcess => {
    const child = spawnNode(program, isPinned, stdio);
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  };
  return {
    isPinned,
    async start(program) {
      const child = launch(program, ["ignore", "pipe", "inherit"]);
      const { pid, url } = await waitForUrl(child, program);
      return { pid, url, stop: () => kill(child) };
    },
    fork: (program) => launch(program, ["ignore", "inherit", "inherit", "ipc"]),
  };
}

function canPin(): boolean {
  const both = Object.values(cores).join(",");
  return availableParallelism() >= 2 && spawnSync("taskset", ["-c", both, "true"]).status === 0;
}

function spawnNode(program: Program, isPinned: boolean, stdio: StdioOptions): ChildProcess {
  const pin = isPinned ? ["taskset", "-c", cores[program.core]] : [];
  const command = [...pin, process.execPath, ...program.args];
  // exec keeps the process id, so that the child's is node's own.
  return spawn("sh", ["-c", raiseLimit, "sh", ...command], {
    // Neither a rightseat.json nor settings of whoever runs the bench may change what is measured.
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], ...program.environment },
    stdio,
  });
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

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
