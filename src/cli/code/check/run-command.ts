import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { TailBuffer } from "./tail-buffer.ts";

export interface CommandPlace {
  /** The folder that it runs in. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** In milliseconds. */
  timeLimit: number;
}

/** What came of a command. */
export type CommandEnd =
  /** `output`: the end of both streams, without colours. `code` is null after a signal. */
  | { kind: "ended"; code: number | null; signal: string | null; output: string }
  | { kind: "timeout"; output: string }
  /** The program does not exist, or we may not run it. `code` is the system's: ENOENT. */
  | { kind: "not-started"; code: string };

/** Of the output, in bytes. */
const maxOutput = 64 * 1024;
/** What is left of a group after a polite request to end, and of its output after its end, in milliseconds. */
const [patience, afterglow] = [2_000, 500];

/**
 * Runs a program with arguments, without a shell. It has a process group of its own, which ends with it, with the
 * time limit, and with the signal.
 *
 * @param command at least one word
 * @throws the signal's reason
 */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  { folder, environment, signal, timeLimit }: CommandPlace,
): Promise<CommandEnd> {
  signal.throwIfAborted();
  const output = new TailBuffer(maxOutput);
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    shell: false,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Uint8Array) => output.add(bytes));
  const [end, letGo] = endAtLimits(child, signal, timeLimit);
  try {
    const { error, code, by } = await settled(child);
    signal.throwIfAborted();
    const text = stripVTControlCharacters(output.text);
    if (error !== undefined) return { kind: "not-started", code: error };
    if (end.isTimeOut) return { kind: "timeout", output: text };
    return { kind: "ended", code, signal: by, output: text };
  } finally {
    letGo();
  }
}

interface Settled {
  error?: string;
  code: number | null;
  by: string | null;
}

/** Resolves when the process is over and its output has come, as far as its group has any to give. */
function settled(child: ChildProcess): Promise<Settled> {
  return new Promise((resolve) => {
    child.once("error", (error) =>
      resolve({ error: String(Reflect.get(error, "code") ?? error.message), code: null, by: null }),
    );
    child.once("close", (code, by) => resolve({ code, by }));
    child.once("exit", () => {
      // Whoever it has left behind would go on, and keep the output open.
      killGroup(child, "SIGKILL");
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, afterglow).unref();
    });
  });
}

/** @returns whether the time was over, and what takes the limits away */
function endAtLimits(
  child: ChildProcess,
  signal: AbortSignal,
  timeLimit: number,
): [end: { isTimeOut: boolean }, letGo: () => void] {
  const end = { isTimeOut: false };
  let last: NodeJS.Timeout | undefined;
  const stop = (): void => {
    killGroup(child, "SIGTERM");
    last ??= setTimeout(killGroup, patience, child, "SIGKILL");
  };
  const timer = setTimeout(() => {
    end.isTimeOut = true;
    stop();
  }, timeLimit);
  // Ctrl-C pressed twice ends this process at once.
  const kill = (): void => killGroup(child, "SIGKILL");
  process.on("exit", kill);
  signal.addEventListener("abort", stop);
  const letGo = (): void => {
    clearTimeout(timer);
    clearTimeout(last);
    process.off("exit", kill);
    signal.removeEventListener("abort", stop);
  };
  return [end, letGo];
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
