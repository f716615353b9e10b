// `rightseat session` in processes of its own: the server, and what a client does with it.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { spawnCommand } from "../helpers/e2e-process.ts";

const folder = mkdtempSync(join(tmpdir(), "rightseat-session-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, value: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return name;
}

async function ask(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  await using program = spawnCommand(folder, ["session", ...args]);
  const code = await program.exited;
  return { code, out: program.stdout, err: program.stderr };
}

/** What nobody may find again in what is written. */
const planted = "sk-planted-0123456789";

test("a server with a config file is talked to, writes its log, and no secret anywhere", async () => {
  mkdirSync(join(folder, "config"));
  write("config/config.json", {
    version: "0.3.1",
    server: { ip: "127.0.0.1", apiPathPrefix: "/api", port: 0 },
    log: { level: "INFO" },
  });
  await using server = spawnCommand(folder, ["session", "serve"], {
    RIGHTSEAT_MODEL_ORDER: "offline",
    RIGHTSEAT_LOG_LEVEL: "debug",
    RIGHTSEAT_STORE: `sqlite:${join(folder, "kept.db")}`,
    RIGHTSEAT_SESSION_HOSTS: "127.0.0.1:1",
  });
  const [, address = ""] = await server.prints(
    /^INFO: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: PID \d+: \[HTTP\] Start Server - (http:\S+)\/api$/m,
  );
  const url = ["--url", address];
  const spec = {
    openapi: "3.0.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "http://127.0.0.1:1" }],
    paths: { "/pets": { get: { responses: { 200: { description: "All." } } } } },
  };
  const file = write("session.json", {
    llmConfig: { model: "offline" },
    systemPrompt: `Be kind. ${planted}`,
    openSpecList: [
      { openSpec: spec, protocol: "openapi", apiKey: { type: "bearer", apiKey: planted } },
    ],
  });
  const { out: id, err } = await ask("init", file, ...url);
  expect(err).toBe("");
  const said = await ask("chat", id.trim(), "What", "is this?", "--task", "one", ...url);
  expect(said).toMatchObject({ code: 0, err: "" });
  expect(said.out).toContain("offline model");
  const history = await ask("history", id.trim(), ...url);
  const messages = JSON.parse(history.out) as { taskId: string; message: unknown }[];
  expect(messages.map(({ taskId }) => taskId)).toEqual(messages.map(() => "one"));
  expect(messages[1]?.message).toBe("What is this?");
  expect(await ask("clear", id.trim(), ...url)).toMatchObject({ code: 0 });
  expect(JSON.parse((await ask("history", id.trim(), ...url)).out)).toEqual([]);
  expect(readFileSync(join(folder, "log/agent.log"), "utf8")).toContain('\\"session\\"/\\"chat\\"');
  const dumps = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "session.json")
      .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(planted))
      .map(({ name }) => name);
  expect(readdirSync(folder)).toContain("kept.db");
  expect(dumps()).toEqual([]);
  server.child.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(dumps()).toEqual([]);
  expect(server.printed + said.out + history.out).not.toContain(planted);
});

test.each([
  [["init"], "Name the file"],
  [["chat", "x"], "Write what you ask"],
  [["talk", "x"], "is not one of: serve, init, chat, history, stop, clear"],
  [["history", "x", "--url", "http://127.0.0.1:1"], "http://127.0.0.1:1 cannot be reached"],
  [["history", "x", "--url", "nowhere"], "is not an address"],
  [["serve", "--config", "missing.json"], "missing.json cannot be read"],
  [["serve", "--log", "/"], "The log / cannot be written (EISDIR"],
])("what cannot be done is said: %j", async (args, why) => {
  const { code, err } = await ask(...args);
  expect(code).toBe(1);
  expect(err).toContain(why);
});

test("an address that other machines reach needs a key", async () => {
  const file = write("open.json", { server: { ip: "0.0.0.0", port: 0 } });
  const { code, err } = await ask("serve", "--config", file);
  expect(code).toBe(1);
  expect(err).toContain("no key is asked for");
});
