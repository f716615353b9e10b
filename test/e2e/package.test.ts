// Packs the product as a release would, installs it into an empty project, and uses it there.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readPages, splitPage } from "../../scripts/check-links.ts";
import { root } from "../../scripts/run.ts";

const project = mkdtempSync(join(tmpdir(), "rightseat-package-"));
const installed = join(project, "node_modules/rightseat");
let tarball: string;

beforeAll(() => {
  execute("npm", ["pack", "--loglevel=error", "--pack-destination", project], root);
  const [name] = readdirSync(project).filter((file) => file.endsWith(".tgz"));
  tarball = join(project, name ?? "");
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  execute("npm", [
    "install",
    "--loglevel=error",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    tarball,
  ]);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the command serves and answers, and ends with code 0 on SIGTERM", async () => {
  expect(execute("npx", ["--no-install", "rightseat", "--version"]).trim()).toBe(manifest.version);
  // Without npx in between, which a signal would end with a code of its own.
  const server = spawn(join(project, "node_modules/.bin/rightseat"), ["serve"], {
    cwd: project,
    env: { ...environment(), RIGHTSEAT_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const url = await readUrl(server);
  const health = await fetch(`${url}/healthz`);
  expect(await health.json()).toEqual({ status: "ok" });

  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: "rightseat", command: "chat", contextVariables: question }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^data: .*\n\ndata: \[DONE\]\n\n$/s);

  // Its package is for those who want it.
  const tools = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const missing = "npm install @modelcontextprotocol/server";
  expect([tools.status, await tools.text()]).toEqual([500, expect.stringContaining(missing)]);

  server.kill("SIGTERM");
  expect(await exitCode(server)).toBe(0);
});

test("the coding agent does tasks of a folder; the package has none, and says where ours are", () => {
  const evaluate = (...args: string[]) => {
    const command = join(project, "node_modules/.bin/rightseat");
    const given = ["eval", "--flow", "code", "--recorded", ...args];
    const options = { cwd: project, env: environment(), encoding: "utf8" } as const;
    return spawnSync(command, given, options);
  };
  const without = evaluate();
  expect(without).toMatchObject({ status: 1, stdout: "" });
  expect(without.stderr).toMatch(/^The tasks are not part of the package\..* --tasks FOLDER\.\n$/);
  const tasks = join(root, "test/fixtures/tasks");
  const named = evaluate("--tasks", tasks, "--file", "js-last-page", "--expect-right", "100");
  expect({ status: named.status, err: named.stderr }).toEqual({ status: 0, err: "" });
  expect(named.stdout).toContain("Model recorded, 1 task\n");
});

test("everything that is exported can be imported", () => {
  const script = `
    const { createApp, parseConfig } = await import("rightseat");
    const { scriptedModel } = await import("rightseat/testing");
    const { startServer } = await import("rightseat/node");
    console.log([createApp, parseConfig, scriptedModel, startServer].map((it) => typeof it).join());
  `;
  const printed = execute("node", ["--input-type=module", "--eval", script]);
  expect(printed.trim()).toBe("function,function,function,function");
});

test("code is parsed in a thread, which then keeps no process alive", () => {
  const script = `
    const { createCodeThreads } = await import("rightseat/node");
    const threads = createCodeThreads({ maxTime: 60_000, maxWait: 60_000 });
    const { language, symbols } = await threads.analyze("def total(): pass", "python");
    console.log(language, symbols.map(({ name }) => name).join());
  `;
  const printed = execute("node", ["--input-type=module", "--eval", script]);
  expect(printed.trim()).toBe("python total");
});

test("the types are found by those who compile against them", () => {
  writeFileSync(
    join(project, "use.ts"),
    `import { type App, createApp, type ChatModel } from "rightseat";
     import { scriptedModel } from "rightseat/testing";
     export const model: ChatModel = scriptedModel([["Hello."]]);
     export const make: (deps: Parameters<typeof createApp>[0]) => App = createApp;
     // @ts-expect-error -- if the types were not found, everything would be any
     export const wrong: number = createApp;`,
  );
  expect(compile("--skipLibCheck", "--types", "", "use.ts")).toBe("");
});

test("the examples of the docs compile, with every type that they reach, and run", () => {
  const blocks = [...readPages().values()].flatMap((page) => splitPage(page).blocks);
  const examples = blocks.filter(({ language }) => language === "ts").map(({ text }) => text);
  expect(examples.length).toBeGreaterThan(2);
  const names = examples.map((_, nth) => `example-${nth + 1}.ts`);
  for (const [nth, name] of names.entries())
    writeFileSync(join(project, name), examples[nth] ?? "");
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  expect(compile(...types, ...names)).toBe("");
  mkdirSync(join(project, "docs"));
  for (const [nth, name] of names.entries()) {
    // What only exports something (a command, a door) has nothing to print; it must load all the same.
    const isPart = /^export /m.test(examples[nth] ?? "");
    expect(execute("node", [name]) === "").toBe(isPart);
  }
});

test("only the product is inside", () => {
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  expect(files).toContain("dist/flows/explain/explain.liquid");
  expect(files).toContain("dist/doors/plugin/page/test-page.html");
  expect(files).toContain("agent-definitions/rightseat.json");
  expect(files).toContain("docs/terminal.md");
  const isStrange = (file: string) => /worker|\.test\.|\.map$|(?<!\.d)\.ts$/.test(file);
  // The evaluation's cases are sources, and the docs have a page about Workers.
  const product = files.filter((file) => !/^(?:eval-cases|docs)\//.test(file));
  expect(product.filter(isStrange)).toEqual([]);
  expect(statSync(join(installed, "dist/cli.js")).mode & 0o111).toBe(0o111);
});

test("publint has nothing to say", () => {
  expect(execute("publint", ["run", tarball, "--strict"])).toContain("All good!");
});

const question = [{ name: "userInputPrompt", value: "What is this?" }];

/** Ours without the settings that would change the answers; this Node and our tools come first. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:RIGHTSEAT|OPENAI|COPILOT)_|^(?:HOST|PORT|NODE_OPTIONS)$/.test(name),
  );
  const path = [dirname(process.execPath), join(root, "node_modules/.bin"), process.env["PATH"]];
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), NO_COLOR: "1" };
}

function execute(command: string, args: readonly string[], cwd = project): string {
  return execFileSync(command, args, {
    cwd,
    env: environment(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** What the compiler says. */
function compile(...options: string[]): string {
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext"];
  return execute("tsc", [...strict, ...options]);
}

async function readUrl(server: ChildProcess): Promise<string> {
  let printed = "";
  // Left open, so that the server can still print.
  for await (const chunk of server.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += String(chunk);
    const url = /listens on (http:\S+)/.exec(printed)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The server ended before it listened: ${printed}`);
}

function exitCode(server: ChildProcess): Promise<number | null> {
  if (server.exitCode !== null) return Promise.resolve(server.exitCode);
  return new Promise((resolve) => server.once("exit", resolve));
}
