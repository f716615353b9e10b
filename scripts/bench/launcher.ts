import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Reply } from "./child.ts";

/** What a process of the bench runs. */
interface Program {
  /** The source file below this folder, and its arguments. */
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /**
   * Servers under test have a core of their own; the fake model and the load generator share the other. One of several
   * processes has both.
   */
  core: keyof typeof cores;
}

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
  /** `rightseat serve` with this model behind it, or with those of the environment that is given. */
  startRightseat(modelUrl?: string, more?: Partial<Program>): Promise<RunningProgram>;
  /** Starts a program that answers questions one by one (`answerParent`). @returns what asks it */
  fork(path: string): (question: object) => Promise<unknown>;
}

const cores = { server: "0", load: "1", both: "0,1" };
const longestStart = 60_000;

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
  const isPinned =
    availableParallelism() >= 2 && spawnSync("taskset", ["-c", cores.both, "true"]).status === 0;
  const launch = (program: Program, stdio: StdioOptions): ChildProcess => {
    const child = spawnNode(program, isPinned, stdio);
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  };
  const start = async (program: Program): Promise<RunningProgram> => {
    const child = launch(program, ["ignore", "pipe", "inherit"]);
    return { ...(await waitForUrl(child, program)), stop: () => kill(child) };
  };
  return {
    isPinned,
    start,
    startRightseat: (modelUrl, { environment, ...more } = {}) =>
      start({
        args: ["../../src/cli.ts", "serve"],
        core: "server",
        ...more,
        environment: {
          ...(modelUrl === undefined ? {} : { OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: "bench" }),
          RIGHTSEAT_PORT: "0",
          ...environment,
        },
      }),
    fork(path) {
      const program: Program = { args: [path], core: "load" };
      const child = launch(program, ["ignore", "inherit", "inherit", "ipc"]);
      return (question) =>
        new Promise((resolve, reject) => {
          const leave = (): void => reject(new Error(`${path} has ended.`));
          child.once("exit", leave).once("message", (reply: Reply) => {
            child.off("exit", leave);
            if (reply.ok) resolve(reply.result);
            else reject(new Error(`${path} failed: ${reply.problem}`));
          });
          child.send(question);
        });
    },
  };
}

function spawnNode(program: Program, isPinned: boolean, stdio: StdioOptions): ChildProcess {
  const { args, environment, core } = program;
  const pin = isPinned ? ["taskset", "-c", cores[core]] : [];
  const [path = "", ...rest] = args;
  const node = [process.execPath, join(import.meta.dirname, path), ...rest];
  // exec keeps the process id, so that the child's is node's own.
  return spawn("sh", ["-c", raiseLimit, "sh", ...pin, ...node], {
    // Neither a rightseat.json nor settings of whoever runs the bench may change what is measured.
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], ...environment },
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

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
