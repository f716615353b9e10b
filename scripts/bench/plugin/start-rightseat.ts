import type { Launcher, RunningProgram } from "../launcher.ts";

/** Rightseat as it is served, with a model behind it and as many sockets as the bench opens. */
export function startRightseat(launcher: Launcher, modelUrl: string): Promise<RunningProgram> {
  return launcher.start({
    args: [`${import.meta.dirname}/../../../src/cli.ts`, "serve"],
    environment: {
      OPENAI_BASE_URL: modelUrl,
      OPENAI_API_KEY: "bench",
      RIGHTSEAT_PORT: "0",
      RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "10000",
      RIGHTSEAT_MAX_TASKS: "10000",
    },
    core: "server",
  });
}
