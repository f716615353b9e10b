// Debian's redis-server on a free port of loopback: `apt-get install redis-server`.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

export interface RedisServer extends AsyncDisposable {
  url: string;
  child: ChildProcess;
  /** Ends it at once, and starts another one on the same port, which knows nothing unless it is told what is kept. */
  restart(options?: { keeps?: boolean }): Promise<void>;
  /** All that it has, as it writes it to a file, not packed. */
  dump(): Promise<string>;
  /** What `redis-cli` answers. */
  ask(...command: string[]): Promise<string>;
}

/** @param isCluster it is the only one of a cluster: has all slots, and refuses scripts whose keys are in several */
export async function startRedis({ isCluster = false } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-redis-"));
  const [port, bus] = [await freePort(), await freePort()];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(
      "redis-server",
      ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"].concat(
        isCluster ? ["--cluster-enabled", "yes", "--cluster-port", `${bus}`] : [],
      ),
      { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
    );
    let printed = "";
    const failed = Promise.race([once(child, "exit"), once(child, "error")]).then(([cause]) => {
      throw new Error(`redis-server did not start (${String(cause)}): ${printed}`);
    });
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text));
    while (!printed.includes("Ready to accept connections"))
      await Promise.race([failed, once(child.stdout ?? child, "data")]);
    failed.catch(() => undefined);
    return child;
  };
  const stop = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  const ask = async (...command: string[]): Promise<string> =>
    (await promisify(execFile)("redis-cli", ["-p", `${port}`, ...command])).stdout;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    child: await start(),
    ask,
    async dump() {
      await ask("CONFIG", "SET", "rdbcompression", "no");
      await ask("SAVE");
      return readFileSync(join(folder, "dump.rdb"), "latin1");
    },
    async restart({ keeps = false } = {}) {
      if (keeps) await ask("SAVE");
      else rmSync(join(folder, "dump.rdb"), { force: true });
      await stop(server.child);
      server.child = await start();
    },
    async [Symbol.asyncDispose]() {
      await stop(server.child);
      rmSync(folder, { recursive: true });
    },
  };
  if (isCluster) {
    await ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    while (!(await ask("CLUSTER", "INFO")).includes("cluster_state:ok"));
  }
  return server;
}
