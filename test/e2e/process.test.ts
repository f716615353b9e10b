// The server as a process: what it prints, how it starts, fails and ends.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type Program, addressOf, spawnServe } from "../helpers/e2e-process.ts";
import { type Answer, ask, readAnswer } from "../helpers/e2e-server.ts";
import { eventStream, response, startUpstream } from "../helpers/e2e-upstream.ts";
import { answerOf, chunk, frame } from "../helpers/upstream.ts";

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "rightseat-process-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Signals the process when the client has the first text, and waits for the answer's end. */
async function askAndThen(
  url: string,
  act: () => void | Promise<void>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  let acted: void | Promise<void> | undefined;
  const answer = await ask(url, {
    headers,
    onText(text) {
      if (text.includes("Hello")) acted ??= Promise.resolve(act());
    },
  });
  await acted;
  return answer;
}

const first = eventStream + frame(chunk({ role: "assistant", content: "Hello" }));
const end = frame(chunk({ content: ", world." })) + frame(chunk({}, "stop")) + frame("[DONE]");

describe.concurrent("a server that starts", () => {
  test("prints its address and a command that can be pasted", async () => {
    await using server = spawnServe();
    const url = await addressOf(server);
    const [curl] = await server.prints(/^ *curl .*$/m);
    expect(curl).toContain(url);
    const { stdout } = await execute("bash", ["-c", `${curl} --silent --show-error --fail`], {
      env: { PATH: process.env["PATH"], no_proxy: "*" },
    });
    expect(readAnswer(stdout)).toMatchObject({ reasons: ["stop"], error: undefined });
    expect(stdout).toContain("Ada");
    expect(server.stderr).toBe("");
  });

  test("prints a command that asks for the key where one is needed", async () => {
    await using server = spawnServe({ RIGHTSEAT_API_KEYS: "caller-key-90cc12" });
    const [curl] = await server.prints(/^ *curl .*$/m);
    const run = async (command: string): Promise<string> => {
      const status = ["-c", `${command} --silent --output /dev/null --write-out '%{http_code}'`];
      const env = { PATH: process.env["PATH"], no_proxy: "*" };
      return (await execute("bash", status, { env })).stdout;
    };
    expect(await run(curl)).toBe("401");
    expect(await run(curl.replace("YOUR_KEY", "caller-key-90cc12"))).toBe("200");
  });

  test("on an address that others reach warns where no key is asked for", async () => {
    await using open = spawnServe({ RIGHTSEAT_HOST: "0.0.0.0" });
    await using guarded = spawnServe({ RIGHTSEAT_HOST: "0.0.0.0", RIGHTSEAT_API_KEYS: "secret" });
    await using local = spawnServe();
    await Promise.all([open, guarded, local].map((server) => server.prints(/^ *limits/m)));
    await vi.waitFor(() =>
      expect(open.printed).toMatch(/Warning: 0\.0\.0\.0 .*RIGHTSEAT_API_KEYS/),
    );
    expect(guarded.printed).not.toContain("Warning");
    expect(local.printed).not.toContain("Warning");
  });

  test("on a port that is taken says so in one line and ends with code 1", async () => {
    await using running = spawnServe();
    const port = new URL(await addressOf(running)).port;
    await using second = spawnServe({ RIGHTSEAT_PORT: port });
    await expectFailure(second, [new RegExp(`${port} is in use by another program.*--port`)]);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

/** Exactly one line for each problem, nothing on standard output, exit code 1. */
async function expectFailure(program: Program, lines: readonly RegExp[]): Promise<void> {
  expect(await program.exited).toBe(1);
  expect(program.stdout).toBe("");
  const printed = program.stderr.trimEnd().split("\n");
  expect(printed).toEqual(lines.map((line) => expect.stringMatching(line)));
}

describe.concurrent("bad settings end the process with code 1 and one line each:", () => {
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const rowWith = (field: string, value: string): string =>
    JSON.stringify([{ name: "a", baseUrl: "http://127.0.0.1:1", [field]: value }]);

  test.each<[what: string, settings: Record<string, string>, lines: RegExp[], args?: string[]]>([
    ["a port as argument", {}, [/^--port 70000: .*65535/], ["--port", "70000"]],
    ["an unknown argument", {}, [/--prot/], ["--prot", "1"]],
    [
      "several at once",
      { RIGHTSEAT_LOCALE: "fr", RIGHTSEAT_DONE_MARKER: "[END]", RIGHTSEAT_PORT: "eighty" },
      [/^RIGHTSEAT_PORT: ./, /^RIGHTSEAT_LOCALE: .*en, zh/, /^RIGHTSEAT_DONE_MARKER: .*\[Done\]/],
    ],
    ["a table of models", { RIGHTSEAT_MODELS: "[{sk-secret" }, [/^RIGHTSEAT_MODELS: ./]],
    [
      "a row with a key in it",
      { RIGHTSEAT_MODELS: rowWith("apiKey", "sk-secret") },
      [/\[0\]: .*apiKey/],
    ],
    [
      "a row without its key",
      { RIGHTSEAT_MODELS: rowWith("keyVariable", "NO_KEY") },
      [/"a".*NO_KEY/],
    ],
    ["no model at all", { RIGHTSEAT_MODEL_ORDER: "platform" }, [/modelOrder.*offline/]],
    ["an unknown name", { RIGHTSEAT_CONFIG: file("unknown.json", '{ "prot": 1 }') }, [/"prot"/]],
    ["a file", { RIGHTSEAT_CONFIG: file("broken.json", "{") }, [/broken\.json is not valid JSON/]],
    ["no file", { RIGHTSEAT_CONFIG: join(folder, "absent.json") }, [/absent\.json cannot be read/]],
    ["no folder of agents", { RIGHTSEAT_AGENTS: join(folder, "absent") }, [/absent/]],
    ["another machine's address", { RIGHTSEAT_HOST: "203.0.113.7" }, [/203\.0\.113\.7/]],
  ])("%s", async (_, settings, lines, args = []) => {
    await using program = spawnServe({ OPENAI_API_KEY: "sk-secret", ...settings }, args);
    await expectFailure(program, lines);
    expect(program.printed).not.toContain("sk-secret");
    // No stack trace.
    expect(program.printed).not.toMatch(/^ +at /m);
  });
});

describe.concurrent("SIGTERM", () => {
  test("lets a running answer end, takes nothing new, and ends with code 0", async () => {
    const { promise: isRefused, resolve } = Promise.withResolvers<void>();
    await using upstream = await startUpstream(async ({ socket }) => {
      socket.write(first);
      await isRefused;
      socket.end(end);
    });
    await using server = spawnServe({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
    const url = await addressOf(server);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const { text } = await askAndThen(url, async () => {
      server.child.kill("SIGTERM");
      // Probes see that it drains; only a server that listens can say so.
      await vi.waitFor(async () => expect(await readiness(url)).not.toBe(200), 10_000);
      expect(await readiness(url)).toBe(503);
      expect((await ask(url)).status).toBe(503);
      expect(await readiness(url)).toBe(503);
      resolve();
    });
    expect(readAnswer(text)).toMatchObject({ said: "Hello, world.", reasons: ["stop"] });
    expect(await server.exited).toBe(0);
    await vi.waitFor(() => expect(upstream.open).toBe(0), 5_000);
  });

  test("ends an answer that outlasts the drain limit with an error chunk, and the process with code 0", async () => {
    await using upstream = await startUpstream(({ socket }) => void socket.write(first));
    await using server = spawnServe({
      RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
      RIGHTSEAT_DRAIN_TIMEOUT_MS: "300",
    });
    const { text } = await askAndThen(await addressOf(server), () => {
      server.child.kill("SIGTERM");
    });
    const { reasons, error } = readAnswer(text);
    expect(reasons).toEqual(["error"]);
    expect(error?.code).toBe("draining");
    expect(await server.exited).toBe(0);
    await vi.waitFor(() => expect(upstream.open).toBe(0), 5_000);
  });

  test("does not wait for a client that has stopped to read", async () => {
    await using upstream = await startUpstream(({ socket, flood }) => {
      socket.write(first);
      return flood(frame(chunk({ content: "x".repeat(16_000) })));
    });
    await using server = spawnServe({
      RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url,
      RIGHTSEAT_DRAIN_TIMEOUT_MS: "300",
    });
    const url = await addressOf(server);
    const headers = { "content-type": "application/json" };
    const body = '{"command":"chat"}';
    const unread = await fetch(`${url}/agents/rightseat`, { method: "POST", headers, body });
    expect(unread.status).toBe(200);
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    await unread.body?.cancel().catch(() => undefined);
  });

  test("does not wait for idle connections", async () => {
    await using server = spawnServe();
    const url = await addressOf(server);
    // The connection stays open, since its client may ask again.
    await (await fetch(`${url}/healthz`)).text();
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("twice ends the process at once, with code 1", async () => {
    await using upstream = await startUpstream(({ socket }) => void socket.write(first));
    await using server = spawnServe({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
    const url = await addressOf(server);
    const cut = askAndThen(url, async () => {
      server.child.kill("SIGTERM");
      await vi.waitFor(async () => expect(await readiness(url)).not.toBe(200), 10_000);
      server.child.kill("SIGTERM");
    }).catch((thrown: unknown) => thrown);
    expect(await server.exited).toBe(1);
    expect(await cut).toBeInstanceOf(Error);
  });
});

test("secrets are never printed, whatever happens", async () => {
  const secrets = {
    RIGHTSEAT_API_KEYS: "caller-key-90cc12",
    OPENAI_API_KEY: "sk-ours-5b1f0c",
    ROW_KEY: "sk-row-31aa70",
  };
  await using upstream = await startUpstream(({ socket, request }, count) => {
    const echo = JSON.stringify(request.headers);
    const json = ["content-type: application/json"];
    if (count === 1) socket.end(response("401 Unauthorized", json, echo));
    else if (count === 2) socket.end(first + frame(`{"error":${echo}}`));
    else if (count === 3) socket.end(first + echo);
    else socket.end(eventStream + answerOf("Hello."));
  });
  await using server = spawnServe({
    ...secrets,
    OPENAI_BASE_URL: upstream.url,
    RIGHTSEAT_MODELS: JSON.stringify([
      { name: "row", baseUrl: upstream.url, keyVariable: "ROW_KEY" },
    ]),
    RIGHTSEAT_LOG_LEVEL: "debug",
  });
  const url = await addressOf(server);
  const answers: Answer[] = [];
  for (let count = 0; count < 4; count++) {
    const headers = { "x-api-key": "caller-key-90cc12", authorization: "Bearer person-77ae31" };
    answers.push(await ask(url, { headers }));
  }
  answers.push(await ask(url, { headers: { "x-api-key": "wrong-key-2210" } }));
  expect(answers.map(({ text }) => text.includes('"finish_reason":"stop"'))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
  expect(answers.at(-1)?.status).toBe(401);
  server.child.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  // What went wrong is in the log, and nothing of what was said in it.
  expect(server.stderr).toContain("upstream_refused");
  const everything = server.printed + answers.map(({ text }) => text).join("");
  for (const secret of [...Object.values(secrets), "person-77ae31", "wrong-key-2210"]) {
    expect(everything).not.toContain(secret);
  }
});

async function readiness(url: string): Promise<number | "refused"> {
  return fetch(`${url}/readyz`).then(
    async (answer) => {
      await answer.text();
      return answer.status;
    },
    () => "refused",
  );
}
