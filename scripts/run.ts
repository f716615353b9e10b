import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, which commands run in. */
export const root = fileURLToPath(new URL("../", import.meta.url));

export interface Outcome {
  ok: boolean;
  /** Standard output, and standard error after it. */
  text: string;
}

/** Runs a command of the repository (node_modules/.bin comes first) and waits for its end. */
export function run(command: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...process.env,
      PATH: [`${root}node_modules/.bin`, process.env["PATH"]].join(delimiter),
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  });
  const text = [stdout, stderr, error?.message].filter(Boolean).join("\n");
  return { ok: status === 0, text };
}

/** Ends the process with the command's output when it fails. */
export function runOrExit(command: string, args: readonly string[]): string {
  const { ok, text } = run(command, args);
  if (ok) return text;
  console.error(`${command} ${args.join(" ")} failed:\n${text}`);
  process.exit(1);
}
