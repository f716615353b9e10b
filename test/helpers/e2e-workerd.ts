// The worker as a deploy bundles it, served by the runtime itself: wrangler's own server has a proxy in front,
// which tells nobody that a client has left.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { root, run } from "../../scripts/run.ts";

export interface Workerd extends AsyncDisposable {
  url: string;
}

/** @param settings text bindings */
export async function startWorkerd(settings: Readonly<Record<string, string>>): Promise<Workerd> {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-workerd-"));
  run("wrangler", ["deploy", "--dry-run", "--outdir", folder]);
  const config = join(folder, "config.capnp");
  writeFileSync(config, printConfig(readdirSync(folder), settings));
  const command = join(root, "node_modules/.bin/workerd");
  const child = spawn(command, ["serve", "--experimental", "--control-fd=3", config], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  return {
    url: `http://127.0.0.1:${await readPort(child)}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

/** The runtime tells each socket on which it listens as a line of JSON. */
async function readPort(child: ChildProcess): Promise<number> {
  for await (const part of child.stdio[3] as Readable) {
    const port = /"port":\s*(\d+)/.exec(String(part))?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("workerd did not start");
}

function printConfig(files: readonly string[], settings: Readonly<Record<string, string>>): string {
  const wrangler = readFileSync(join(root, "wrangler.toml"), "utf8");
  const date = /^compatibility_date = (.*)$/m.exec(wrangler)?.[1] ?? "";
  const flags = /^compatibility_flags = (.*)$/m.exec(wrangler)?.[1] ?? "";
  const modules = files
    .filter((file) => /\.(?:wasm|txt|html)$/.test(file))
    .map((file) => {
      const kind = file.endsWith(".wasm") ? "wasm" : "text";
      return `(name = "./${file}", ${kind} = embed "${file}")`;
    });
  const texts = Object.entries(settings).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  const classes = { PLUGIN_ROOM: "PluginRoom", PLUGIN_QUEUE: "PluginQueue" };
  const objects = Object.entries(classes).map(
    ([name, className]) => `(name = "${name}", durableObjectNamespace = "${className}")`,
  );
  const namespaces = Object.values(classes).map(
    (name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    ${modules.join(",\n    ")}
  ],
  compatibilityDate = ${date},
  compatibilityFlags = ${flags},
  bindings = [${[...texts, ...objects].join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (inMemory = void),
);
`;
}
