import { join } from "node:path";
import type { Launcher } from "../launcher.ts";
import type { ProbeCommand, ProbeReading } from "./probe.ts";

export interface Probe {
  reset(): void;
  read(): Promise<ProbeReading>;
}

/** Starts the process that watches a server from outside. */
export function startProbe(launcher: Launcher, url: string): Probe {
  const child = launcher.fork({ args: [join(import.meta.dirname, "probe.ts")], core: "load" });
  const send = (command: ProbeCommand): void => void child.send(command);
  send({ kind: "start", url });
  return {
    reset: () => send({ kind: "reset" }),
    read: () =>
      new Promise((resolve) => {
        child.once("message", (reading: ProbeReading) => resolve(reading));
        send({ kind: "read" });
      }),
  };
}
