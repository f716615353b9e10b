// The packed product in every runtime that people start it with: one turn at each HTTP door, and the WebSocket.
// The runtimes come from npm into a folder of their own; they are too large for devDependencies.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { root } from "../../scripts/run.ts";
import { openSocket } from "../helpers/e2e-plugin.ts";
import { eventStream, type Upstream, startUpstream } from "../helpers/e2e-upstream.ts";
import { msgOf } from "../helpers/plugin-client.ts";
import { requests } from "../helpers/plugin-requests.ts";
import { answerOf } from "../helpers/upstream.ts";

const runtimes = [
  { name: "Node 22.18", from: "node@22.18.0", command: ["node"], version: "v22.18.0" },
  { name: "Node 24", command: [process.execPath], version: process.version },
  { name: "Bun", from: "bun@1.4.5", command: ["bun"], version: "1.4.5" },
  { name: "Deno", from: "deno@2.9.6", command: ["deno", "run", "-A"], version: "deno 2.9.6" },
];
const longestInstall = 300_000;

const project = mkdtempSync(join(tmpdir(), "rightseat-runtimes-"));
const binaries = join(project, "node_modules/.bin");
let upstream: Upstream;

beforeAll(async () => {
  npm(root, "pack", "--pack-destination", project);
  const tarball = readdirSync(project).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const quiet = ["--no-audit", "--no-fund", "--save-exact"];
  // Their scripts put the binaries in their places.
  npm(project, "install", ...quiet, `./${tarball}`, ...runtimes.flatMap(({ from }) => from ?? []));
  upstream = await startUpstream(({ socket }) => {
    socket.end(eventStream + answerOf("Hello ", "from the model"));
  });
}, 2 * longestInstall);

afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  rmSync(project, { recursive: true, force: true });
});

function npm(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync("npm", [...args, "--loglevel=error"], {
    cwd,
    encoding: "utf8",
    timeout: longestInstall,
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed: ${stderr}`);
}

const messages = [{ role: "user", content: "Hello" }];
const contextVariables = [{ name: "userInputPrompt", value: "Hello" }];

describe.each(runtimes)("the packed product in $name", ({ command, version }) => {
  const [name = "", ...args] = command;
  const path = name.includes("/") ? name : join(binaries, name);
  let server: ReturnType<typeof spawn>;
  let url = "";
  let printed = "";

  beforeAll(async () => {
    server = spawn(path, [...args, join(project, "node_modules/rightseat/dist/cli.js"), "serve"], {
      cwd: project,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
        HOME: project,
        RIGHTSEAT_PORT: "0",
        RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [server.stdout, server.stderr])
      stream?.on("data", (part) => (printed += String(part)));
    await vi.waitUntil(() => /listens on http:\S+\n/.test(printed), { timeout: 60_000 });
    url = /listens on (http:\S+)/.exec(printed)?.[1] ?? "";
  });

  afterAll(() => void server.kill("SIGKILL"));

  const ask = (target: string, body: object): Promise<Response> =>
    fetch(url + target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
  const textOf = (stream: string): string =>
    [...stream.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)]
      .map(([, text = '""']) => JSON.parse(text) as string)
      .join("");

  test("is run by it", () => {
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    expect(stdout).toMatch(new RegExp(`^${version.replaceAll(".", "\\.")}\\b`));
  });

  test("streams at the copilot's door", async () => {
    const answer = await ask("/", { agent: "rightseat", command: "chat", contextVariables });
    expect(answer.status).toBe(200);
    const stream = await answer.text();
    expect(textOf(stream)).toBe("Hello from the model");
    expect(stream).toMatch(/"finish_reason":"stop".*data: \[DONE\]\n\n$/s);
  });

  test("streams at /v1", async () => {
    const answer = await ask("/v1/chat/completions", {
      model: "rightseat/chat",
      messages,
      stream: true,
    });
    expect(textOf(await answer.text())).toBe("Hello from the model");
  });

  test("answers whole at /v1", async () => {
    const answer = await ask("/v1/chat/completions", { model: "rightseat/chat", messages });
    expect(await answer.json()).toMatchObject({
      choices: [{ message: { content: "Hello from the model" }, finish_reason: "stop" }],
    });
  });

  test("answers at /ws", async () => {
    const client = await openSocket(url);
    const frames = await client.ask({ ...requests.exec_chat, stream: true });
    expect(msgOf(frames)).toBe("Hello from the model");
    client.socket.terminate();
  });

  test("ends with 0 on SIGTERM", async () => {
    const exit = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    expect(await exit).toBe(0);
  });
});
