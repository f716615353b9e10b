// Measures `node dist/cli.js serve` as it starts and idles, and what `npm install rightseat` takes. Run
// `npm run build` first. `--idle SECONDS` sets the time before memory is read (10), `--rounds N` the starts (5).
import { spawn, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./run.ts";

const { values } = parseArgs({
  options: {
    idle: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
  },
});

interface Start {
  /** From the spawn to the end of the first answer. */
  milliseconds: number;
  close(): void;
  pid: number;
}

/** Starts a server without settings, keys and models. @param asks whether it gets a question */
async function start(asks: boolean): Promise<Start> {
  const { PATH = "", HOME = "" } = process.env;
  const before = performance.now();
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve", "--port", "0"], {
    cwd: tmpdir(),
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("The server did not start. Run: npm run build")));
    child.stdout.on("data", (bytes: Buffer) => {
      printed += bytes.toString();
      const [found] = /http:\S+:\d+/.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const response = asks ? await ask(url) : undefined;
  if (response?.ok === false) throw new Error(`The first answer is ${response.status}.`);
  await response?.text();
  return {
    milliseconds: performance.now() - before,
    close: () => void child.kill("SIGKILL"),
    pid: child.pid ?? 0,
  };
}

function ask(url: string): Promise<Response> {
  return fetch(`${url}/agents/rightseat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"command":"default"}',
  });
}

/** A server that nobody has asked anything. */
async function idle(): Promise<string> {
  const server = await start(false);
  await new Promise((resolve) => setTimeout(resolve, Number(values.idle) * 1_000));
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  const threads = readdirSync(`/proc/${server.pid}/task`).map((task) =>
    readFileSync(`/proc/${server.pid}/task/${task}/comm`, "utf8").trim(),
  );
  server.close();
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return `${(kilobytes / 1024).toFixed(0)} MB resident after ${values.idle} s idle, ${threads.length} threads: ${[...new Set(threads)].join(", ")}`;
}

/** What the package and its dependencies take on the disk of somebody who installs it. */
function measureInstall(): string {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-install-"));
  try {
    const packed = spawnSync(
      "npm",
      ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder],
      { cwd: root, encoding: "utf8" },
    );
    const archive = join(folder, packed.stdout.trim());
    spawnSync(
      "npm",
      ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, archive],
      { stdio: "inherit" },
    );
    const sizes = new Map<string, number>();
    for (const path of globSync("node_modules/**", { cwd: folder })) {
      const file = statSync(join(folder, path));
      if (!file.isFile()) continue;
      const [, scope = "", name = ""] = path.split("/");
      const key = scope.startsWith("@") ? `${scope}/${name}` : scope;
      sizes.set(key, (sizes.get(key) ?? 0) + file.blocks * 512);
    }
    const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, 12);
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    return `${megabytes(all)} installed: ${largest.map(([name, size]) => `${name} ${megabytes(size)}`).join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const starts: number[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const server = await start(true);
  server.close();
  starts.push(server.milliseconds);
}
starts.sort((a, b) => a - b);
console.log(`start to first answer: ${starts.map((time) => time.toFixed(0)).join(", ")} ms`);
console.log(`server: ${await idle()}`);
console.log(`package: ${measureInstall()}`);
