import { join } from "node:path";
import type { Launcher, RunningProgram } from "./launcher.ts";

export interface BenchServers {
  upstream: RunningProgram;
  reference: RunningProgram;
  rightseat: RunningProgram;
  stop(): Promise<void>;
}

/** Starts the fake model and, in front of it, the raw pipe and Rightseat with its default settings. */
export async function startServers(launcher: Launcher): Promise<BenchServers> {
  const upstream = await launcher.start({ args: [here("upstream.ts")], core: "load" });
  const reference = await launcher.start({
    args: [here("raw-pipe.ts")],
    environment: { UPSTREAM: upstream.url },
    core: "server",
  });
  const rightseat = await launcher.start({
    args: [here("../../src/cli.ts"), "serve"],
    environment: { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: "bench", RIGHTSEAT_PORT: "0" },
    core: "server",
  });
  return {
    upstream,
    reference,
    rightseat,
    async stop() {
      await Promise.all([upstream, reference, rightseat].map((program) => program.stop()));
    },
  };
}

function here(path: string): string {
  return join(import.meta.dirname, path);
}
