import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type {
  Command,
  HoldCommand,
  HoldResult,
  LoadResult,
  Reply,
  RunCommand,
  RunResult,
  VerifyCommand,
} from "./load/messages.ts";
import type { Launcher } from "./launcher.ts";

export interface LoadGenerator {
  pid: number;
  run(command: RunCommand): Promise<RunResult>;
  verify(command: VerifyCommand): Promise<LoadResult>;
  hold(command: HoldCommand): Promise<HoldResult>;
}

/** Starts the load generator's process. One and the same serves all measurements, so that it is warm for each. */
export function startLoadGenerator(launcher: Launcher): LoadGenerator {
  const child = launcher.fork({ args: [join(import.meta.dirname, "load/load.ts")], core: "load" });
  // Each kind of command has its kind of result; see `execute` in load/load.ts.
  return {
    pid: child.pid ?? 0,
    run: (command) => ask(child, command) as Promise<RunResult>,
    verify: (command) => ask(child, command),
    hold: (command) => ask(child, command) as Promise<HoldResult>,
  };
}

function ask(child: ChildProcess, command: Command): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error("The load generator has ended."));
    child.once("exit", onExit);
    child.once("message", (reply: Reply) => {
      child.removeListener("exit", onExit);
      if (reply.ok) resolve(reply.result);
      else reject(new Error(`The load generator failed: ${reply.problem}`));
    });
    child.send(command);
  });
}
