// Runs the product as a process of its own, with an environment of the test's own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

export interface Program extends AsyncDisposable {
  child: ChildProcess;
  /** What it has printed so far, on both streams. */
  readonly printed: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when standard output matches; rejects when the process ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code, null after a signal, when all output has come. */
  exited: Promise<number | null>;
}

const command = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** `rightseat serve`, on a free port unless the settings or arguments say another. */
export function spawnServe(
  settings: Record<string, string> = {},
  args: readonly string[] = [],
): Program {
  return spawnNode([command, "serve", ...args], { RIGHTSEAT_PORT: "0", ...settings });
}

/** The address of a server that was spawned, when it listens. */
export async function addressOf(program: Program): Promise<string> {
  const [, url = ""] = await program.prints(/listens on (http:\S+)/);
  return url;
}

/** `rightseat` with these arguments, started in a folder. */
export function spawnCommand(
  directory: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Program {
  return spawnNode([command, ...args], { HOME: directory, ...environment }, directory);
}

/** @param directory by default one where no settings file lies */
export function spawnNode(
  args: readonly string[],
  environment: Record<string, string>,
  directory = tmpdir(),
): Program {
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { PATH: process.env["PATH"], NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return {
    child,
    exited,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    get printed() {
      return stdout + stderr;
    },
    async prints(pattern) {
      const closed = exited.then(() => true);
      for (;;) {
        const found = pattern.exec(stdout);
        if (found !== null) return found;
        const isOver = await Promise.race([closed, once(child.stdout, "data").then(() => false)]);
        if (isOver && !pattern.test(stdout))
          throw new Error(`The process ended before it printed ${String(pattern)}: ${stderr}`);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
